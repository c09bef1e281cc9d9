import { input } from './elements.ts';

/** Lets a test card of the sandbox fill in the form. */
export function offerTestCards(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('#test-cards button')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const { number = '', expiry = '', cvc = '' } = button.dataset;
      const another = input('card-new');
      if (another !== undefined) another.checked = true;
      type('number', number);
      type('expiry', expiry);
      type('cvc', cvc);
      document.getElementById('submit')?.focus();
    });
  }
}

function type(id: string, text: string): void {
  const field = input(id);
  if (field === undefined) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

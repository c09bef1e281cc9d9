import { find, input, say } from './elements.ts';
import type { Texts } from './texts.types.ts';

/** Says in the one place for it what is wrong: with the fields, each with a link to its own, or with the payment. */
export function alertTo(
  about: 'fields' | 'payment',
  { title, text = '', isCalm = false }: { title: string; text?: string; isCalm?: boolean | undefined },
): void {
  const box = find('alert', HTMLElement);
  if (box === undefined) return;
  box.dataset['about'] = about;
  box.className = isCalm ? 'alert calm' : 'alert';
  box.querySelector('ul')?.replaceChildren();
  say('alert-title', title);
  say('alert-text', text);
  say('alert-again', '');
  box.hidden = false;
  if (about === 'payment') box.focus();
}

/** Clears what was said. */
export function endAlert(): void {
  const box = find('alert', HTMLElement);
  if (box !== undefined) box.hidden = true;
}

/** Shows what is wrong with a field beside it, or nothing where the text is empty. */
export function showFault(id: string, text: string): void {
  input(id)?.setAttribute('aria-invalid', String(text !== ''));
  say(`${id}-error`, text);
}

/**
 * Shows what is wrong with fields, at each of them and in the alert, and goes to the first one.
 *
 * @param faults of all fields that were looked at; those without a fault, whose text is empty, lose the one that they had
 * @returns whether there is any
 */
export function showFaults(faults: readonly (readonly [id: string, text: string])[], texts: Texts): boolean {
  for (const [id, text] of faults) showFault(id, text);
  const first = faults.find(([, text]) => text !== '');
  if (first === undefined) return false;
  alertTo('fields', { title: texts['errorsTitle'] ?? '' });
  followFaults();
  fieldOf(first[0])?.focus();
  return true;
}

/** Lets the alert say what the fields say: a field that was corrected leaves it. */
export function followFaults(): void {
  const box = find('alert', HTMLElement);
  const list = box?.querySelector('ul');
  if (box === undefined || list == null || box.hidden || box.dataset['about'] !== 'fields') return;
  for (const error of document.querySelectorAll<HTMLElement>('main form .error')) {
    const id = error.id.replace('-error', '');
    const line = list.querySelector(`[data-field="${id}"]`);
    // What stays is let be, or it would be read out again.
    if (error.hidden) line?.remove();
    else if (line === null) list.append(newLine(id, error.textContent));
    else if (line.textContent !== error.textContent) line.replaceWith(newLine(id, error.textContent));
  }
  box.hidden = list.childElementCount === 0;
}

function newLine(id: string, text: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `#${fieldOf(id)?.id ?? ''}`;
  link.textContent = text;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    fieldOf(id)?.focus();
  });
  const item = document.createElement('li');
  item.dataset['field'] = id;
  item.append(link);
  return item;
}

/** The field of a name: the choice of a card has one for each. */
function fieldOf(name: string): HTMLInputElement | undefined {
  return input(name) ?? document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`) ?? undefined;
}

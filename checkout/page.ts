/** The script of the payment page and the challenge page. Both work without it. */
import { find } from './elements.ts';
import { hasOwner, meetOwner, tell } from './owner.ts';
import { enhance } from './pay-form.ts';
import { waitForOutcome } from './pending.ts';
import { offerTestCards } from './test-cards.ts';

const form = find('pay', HTMLFormElement);
if (form !== undefined) {
  enhance(form);
  offerTestCards();
}
if (document.documentElement.dataset['state'] === 'pending') waitForOutcome();

meetOwner(() => document.querySelector<HTMLElement>('main input:not([type="hidden"]), main a, main button')?.focus());
leaveToOwner('cancel', (address) => tell('canceled', { redirectUrl: address }));
leaveToOwner('terms', (address) => tell('terms-of-service', { origin: 'merchant', openUrl: address }));

// A browser that shows a page again as it was left shows an old state.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** Inside a page of the payee's it is the owner that follows a link out of the payment. */
function leaveToOwner(id: string, follow: (address: string) => void): void {
  const link = find(id, HTMLAnchorElement);
  link?.addEventListener('click', (event) => {
    if (!hasOwner()) return;
    event.preventDefault();
    follow(link.href);
  });
}

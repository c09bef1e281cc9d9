/** The script of the payment page and of what leads to banks and back. All work without it. */

import { passOn } from './authenticate.ts';
import { beginBusy, isBusy } from './busy.ts';
import { find } from './elements.ts';
import { enhanceMenu } from './menu.ts';
import { hasOwner, meetOwner, tell } from './owner.ts';
import { enhance } from './pay-form.ts';
import { waitForOutcome } from './pending.ts';
import { askBeforeLeaving, goOnWhereLeft } from './send.ts';
import { offerTestCards } from './test-cards.ts';

const form = find('pay', HTMLFormElement);
if (form !== undefined) {
  enhance(form);
  offerTestCards();
}
const isOfMenu = enhanceMenu();
if (document.documentElement.dataset['state'] === 'pending') waitForOutcome();

meetOwner(() => document.querySelector<HTMLElement>('main input:not([type="hidden"]), main a, main button')?.focus());
for (const terms of document.querySelectorAll<HTMLAnchorElement>('.terms-link')) {
  terms.addEventListener('click', (event) => {
    // Inside a page of the payee's it is the owner that shows them.
    if (!hasOwner()) return;
    event.preventDefault();
    tell('terms-of-service', { origin: 'merchant', openUrl: terms.href });
  });
}

for (const other of document.forms) {
  if (other.id === 'leave') askBeforeLeaving(other);
  else if (other.id === 'authenticate') goOnWhereLeft(other);
  else if (other.id !== 'pay' && !isOfMenu(other)) sendOnce(other);
}

passOn();

// A browser that shows a page again as it was left shows an old state.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** A form that the browser sends by itself: until its answer is there nothing else is pressed. */
function sendOnce(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    if (isBusy()) event.preventDefault();
    else if (event.submitter !== null) beginBusy(event.submitter);
  });
}

import { beginBusy, endBusy, isBusy } from './busy.ts';
import { find, input, readData } from './elements.ts';
import { alertTo, showFaults } from './faults.ts';
import { showMenu } from './menu-news.ts';
import { tell } from './owner.ts';
import { exchange, fieldsOf, go, reallyPay } from './send.ts';
import type { MenuAnswer, Texts } from './texts.types.ts';

/**
 * Makes the menu of an order more helpful than it is without a script: gift cards come and go without a new page.
 *
 * @returns which forms it sends itself
 */
export function enhanceMenu(): (form: HTMLFormElement) => boolean {
  const gift = find('gift', HTMLFormElement);
  const texts = gift === undefined ? {} : readData<Texts>(gift, 'texts', {});
  gift?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isBusy()) void add(gift, texts);
  });
  find('split', HTMLElement)?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { target, submitter } = event;
    if (target instanceof HTMLFormElement && submitter !== null && !isBusy()) void remove(target, submitter, texts);
  });
  const payment = find('pay-gift', HTMLFormElement);
  payment?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isBusy()) void payByGiftCards(payment, texts);
  });
  const selected = document.querySelector<HTMLElement>('.menu')?.dataset['selected'];
  for (const means of document.querySelectorAll<HTMLDetailsElement>('details.means')) {
    means.addEventListener('toggle', () => {
      if (means.open) tell('instrument-selected', { instrument: means.dataset['means'] });
    });
    // Pressed before it opens. What was open from the beginning the payer has not chosen, but it toggles too.
    means.querySelector('summary')?.addEventListener('click', () => {
      if (!means.open && selected !== undefined) note(selected, means.dataset['means'] ?? '');
    });
  }
  return (form) => form === gift || form === payment || form.closest('#split') !== null;
}

/** Has the payee learn what the payer looks at. The payer waits for nothing, and where it is lost, it is lost. */
function note(address: string, means: string): void {
  exchange(address, new URLSearchParams({ means })).catch(() => undefined);
}

/** Sends what was typed once, and keeps nothing of it in the page. */
async function add(form: HTMLFormElement, texts: Texts): Promise<void> {
  const button = find('add-gift', HTMLButtonElement);
  if (button === undefined) return;
  const missing = (id: string) => (input(id)?.value.trim() === '' ? (texts[`${id}Missing`] ?? '') : '');
  if (
    showFaults(
      ['giftNumber', 'giftCode'].map((id) => [id, missing(id)] as const),
      texts,
    )
  )
    return;
  const entry = fieldsOf(form);
  form.reset();
  button.textContent = texts['addingGift'] ?? '';
  const answer = await whileBusy(button, () => exchange(form.action, entry) as Promise<MenuAnswer>);
  button.textContent = texts['addGift'] ?? '';
  if (answer?.errors !== undefined) showFaults(Object.entries(answer.errors), texts);
  else show(answer, texts);
  if (answer?.outcome !== 'ok') return;
  // What was pressed may be gone: what is next is the button that pays, or the card.
  const next = form.hidden ? 'submit-gift' : 'giftNumber';
  document.getElementById(next)?.focus();
}

async function remove(form: HTMLFormElement, button: HTMLElement, texts: Texts): Promise<void> {
  const answer = await whileBusy(button, () => exchange(form.action, fieldsOf(form)) as Promise<MenuAnswer>);
  show(answer, texts);
  if (answer?.outcome === 'ok')
    document.querySelector<HTMLElement>('#split .gift button, .menu summary, .menu input')?.focus();
}

async function payByGiftCards(form: HTMLFormElement, texts: Texts): Promise<void> {
  const button = find('submit-gift', HTMLButtonElement);
  if (button === undefined || !(await reallyPay('GiftCard', button))) return;
  const fields = fieldsOf(form);
  fields.set(button.name, button.value);
  show(await whileBusy(button, () => exchange(form.action, fields) as Promise<MenuAnswer>), texts);
}

async function whileBusy<Answer>(button: HTMLElement, work: () => Promise<Answer>): Promise<Answer | undefined> {
  beginBusy(button);
  const answer = await work().catch(() => undefined);
  endBusy(button);
  return answer;
}

function show(answer: MenuAnswer | { readonly outcome: 'Go'; readonly url: string } | undefined, texts: Texts): void {
  if (answer === undefined) alertTo('payment', { title: texts['troubleTitle'] ?? '', text: texts['notSent'] ?? '' });
  else if (answer.outcome === 'Go') go(answer.url);
  else showMenu(answer);
}

import { browserFields, type Challenge, type NextStep, showChallenge, visitMethod } from './authenticate.ts';
import { beginBusy, endBusy, isBusy } from './busy.ts';
import { find, input, say } from './elements.ts';
import { alertTo, endAlert, showFaults } from './faults.ts';
import { showMenu } from './menu-news.ts';
import { askOwner, asksOwner, hasOwner, isFramed, tell } from './owner.ts';
import type { MenuAnswer, Texts } from './texts.types.ts';

/** Longer than the server takes to ask two acquirers: a page that waits as long has lost the connection. */
const PATIENCE_MS = 180_000;

/** What the server answers to what a script sends: the end of a try, or that the payer has to authenticate. */
type Answer = End | NextStep | Challenge;
type End =
  | { readonly outcome: 'Go'; readonly url: string }
  | { readonly outcome: 'Left'; readonly url: string; readonly attempt: string }
  | {
      readonly outcome: 'Declined';
      readonly title: string;
      readonly message: string;
      /** Whether the payer has left it: nothing went wrong. */
      readonly isCalm?: boolean;
      readonly attempt: string;
    }
  | { readonly outcome: 'Invalid'; readonly errors: Readonly<Record<string, string>>; readonly attempt: string }
  | MenuAnswer;

/** Sends the form once, and shows what came of it. Sent again without an answer it is the same try. */
export async function send(form: HTMLFormElement, texts: Texts): Promise<void> {
  const button = find('submit', HTMLButtonElement);
  const label = find('submit-label', HTMLElement);
  if (button === undefined || label === undefined || isBusy()) return;
  if (!(await reallyPay('CreditCard', button))) return;
  const ready = label.textContent;
  endAlert();
  beginBusy(button);
  window.addEventListener('beforeunload', ask);
  label.textContent = texts['processing'] ?? '';
  say('processing', texts['doNotClose'] ?? '');
  const answer = await exchange(form.action, fieldsOf(form))
    .then((first) => follow(first, { button, cvc: input('cvc')?.value ?? '' }))
    .catch(() => undefined);
  window.removeEventListener('beforeunload', ask);
  // Nothing of the card stays in a page that the browser may keep.
  if (answer?.outcome === 'Go') return go(answer.url);
  label.textContent = ready;
  say('processing', '');
  endBusy(button);
  show(answer, texts);
}

/** Whether the owner of a frame lets a payer pay who has pressed the button: at once, unless it wants to be asked. */
export async function reallyPay(instrument: string, button: HTMLElement): Promise<boolean> {
  if (asksOwner()) {
    beginBusy(button);
    const isConfirmed = await askOwner({ instrument });
    endBusy(button);
    if (!isConfirmed) return false;
  }
  tell('attempt-started', { instrument });
  return true;
}

/** Goes on with an authentication that waits, after the page was loaded again: its code is gone. */
export function goOnWhereLeft(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const button = find('continue', HTMLButtonElement);
    if (button === undefined || isBusy()) return;
    beginBusy(button);
    void exchange(form.action, new URLSearchParams())
      .then((first) => follow(first, { button, cvc: '' }))
      .then((end) => (end.outcome === 'Go' ? go(end.url) : location.reload()))
      .catch(() => location.reload());
  });
}

/** What the payer pressed, and the code that they typed: it stays here, and is sent again with each step. */
interface Trying {
  readonly button: HTMLElement;
  readonly cvc: string;
}

/** Has the payer authenticate where that is asked for, step by step, until the try has ended. */
async function follow(answer: Answer, trying: Trying): Promise<End> {
  if (answer.outcome !== 'Authenticate') return answer as End;
  const { cvc } = trying;
  const method = await visitMethod(answer.method);
  const asked = await exchange(answer.authenticate, new URLSearchParams({ ...browserFields(), method, cvc }));
  // The acquirer may want the payer to authenticate who could not before.
  if (asked.outcome !== 'Challenge') return follow(asked, trying);
  endBusy(trying.button);
  window.removeEventListener('beforeunload', ask);
  const end = await showChallenge(asked.url);
  beginBusy(trying.button);
  const closed: Record<string, string> = end === 'Closed' ? { closed: 'yes' } : {};
  return (await exchange(answer.finish, new URLSearchParams({ cvc, ...closed }))) as End;
}

/** A payer who goes away while a try runs may be charged all the same. */
function ask(event: Event): void {
  event.preventDefault();
}

/** Asks the service whether the payer may leave, and shows them what became of a try where they may not. */
export function askBeforeLeaving(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    // No page hears this frame: then the whole window leaves, as without a script.
    if (isFramed() && !hasOwner()) return;
    event.preventDefault();
    if (button !== null && !isBusy()) void leave(form, button);
  });
}

async function leave(form: HTMLFormElement, button: HTMLElement): Promise<void> {
  beginBusy(button);
  const answer = await exchange(form.action, fieldsOf(form)).catch(() => undefined);
  if (answer?.outcome === 'Left' && hasOwner()) {
    endBusy(button);
    tell('canceled', { redirectUrl: answer.url });
  } else if (answer?.outcome === 'Left' || answer?.outcome === 'Go') go(answer.url);
  else form.submit();
}

/** Leaves this page, and keeps nothing that was typed. */
export function go(url: string): void {
  for (const form of document.forms) form.reset();
  location.assign(url);
}

/** @throws where no answer comes, or none that is one */
export async function exchange(address: string, body: URLSearchParams): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  // 429: no gift card is taken for a while.
  if (!response.ok && response.status !== 429) throw new Error(String(response.status));
  const answer = (await response.json()) as Answer;
  if (answer.outcome === undefined) throw new Error(String(response.status));
  if (answer.outcome !== 'Go' && answer.attempt !== undefined) {
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name="attempt"]'))
      field.value = answer.attempt;
  }
  return answer;
}

/** What a form would send. */
export function fieldsOf(form: HTMLFormElement): URLSearchParams {
  // No field is a file.
  return new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
}

function show(answer: End | undefined, texts: Texts): void {
  if (answer?.outcome === 'Invalid') {
    showFaults(Object.entries(answer.errors), texts);
  } else if (answer !== undefined && 'menu' in answer) {
    showMenu(answer);
  } else if (answer?.outcome === 'Declined') {
    const cvc = input('cvc');
    if (cvc !== undefined) cvc.value = '';
    alertTo('payment', { title: answer.title, text: answer.message, isCalm: answer.isCalm });
    tell('transaction-failed', { details: answer.message, isCalm: answer.isCalm });
  } else {
    const text = texts['notSent'] ?? '';
    alertTo('payment', { title: texts['troubleTitle'] ?? '', text });
    tell('error', { details: text });
  }
}

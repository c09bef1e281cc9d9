import { beginBusy, endBusy, isBusy } from './busy.ts';
import { find, input, say } from './elements.ts';
import { alertTo, endAlert, showFaults } from './faults.ts';
import { hasOwner, isFramed, tell } from './owner.ts';
import type { Texts } from './texts.types.ts';

/** Longer than the server takes: a page that waits as long has lost the connection. */
const PATIENCE_MS = 40_000;

/** What the server answers to a form that a script sends. */
type Answer =
  | { readonly outcome: 'Go'; readonly url: string }
  | { readonly outcome: 'Left'; readonly url: string; readonly attempt: string }
  | { readonly outcome: 'Declined'; readonly title: string; readonly message: string; readonly attempt: string }
  | { readonly outcome: 'Invalid'; readonly errors: Readonly<Record<string, string>>; readonly attempt: string };

/** Sends the form once, and shows what came of it. Sent again without an answer it is the same try. */
export async function send(form: HTMLFormElement, texts: Texts): Promise<void> {
  const button = find('submit', HTMLButtonElement);
  const label = find('submit-label', HTMLElement);
  if (button === undefined || label === undefined || isBusy()) return;
  const ready = label.textContent;
  endAlert();
  beginBusy(button);
  window.addEventListener('beforeunload', ask);
  label.textContent = texts['processing'] ?? '';
  say('processing', texts['doNotClose'] ?? '');
  const answer = await exchange(form).catch(() => undefined);
  window.removeEventListener('beforeunload', ask);
  // Nothing of the card stays in a page that the browser may keep.
  if (answer?.outcome === 'Go') return go(answer.url);
  label.textContent = ready;
  say('processing', '');
  endBusy(button);
  show(answer, texts);
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
  const answer = await exchange(form).catch(() => undefined);
  if (answer?.outcome === 'Left' && hasOwner()) {
    endBusy(button);
    tell('canceled', { redirectUrl: answer.url });
  } else if (answer?.outcome === 'Left' || answer?.outcome === 'Go') go(answer.url);
  else form.submit();
}

function go(url: string): void {
  for (const form of document.forms) form.reset();
  location.assign(url);
}

/** @throws where no answer comes, or none that is one */
async function exchange(form: HTMLFormElement): Promise<Answer> {
  const response = await fetch(form.action, {
    method: 'POST',
    // No field is a file.
    body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(String(response.status));
  const answer = (await response.json()) as Answer;
  if (answer.outcome !== 'Go') {
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name="attempt"]'))
      field.value = answer.attempt;
  }
  return answer;
}

function show(answer: Answer | undefined, texts: Texts): void {
  if (answer?.outcome === 'Invalid') {
    showFaults(Object.entries(answer.errors), texts);
  } else if (answer?.outcome === 'Declined') {
    const cvc = input('cvc');
    if (cvc !== undefined) cvc.value = '';
    alertTo('payment', { title: answer.title, text: answer.message });
    tell('transaction-failed', { details: answer.message });
  } else {
    const text = texts['notSent'] ?? '';
    alertTo('payment', { title: texts['troubleTitle'] ?? '', text });
    tell('error', { details: text });
  }
}

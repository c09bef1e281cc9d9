import { find, input, say } from './elements.ts';
import { showFaults } from './faults.ts';
import { tell } from './owner.ts';
import type { Texts } from './texts.types.ts';

/** Longer than the server takes: whoever waits as long has lost the connection. */
const PATIENCE_MS = 40_000;

/** What the server answers to a form that a script sends. */
type Answer =
  | { readonly outcome: 'Go'; readonly url: string }
  | { readonly outcome: 'Declined'; readonly message: string; readonly attempt: string }
  | { readonly outcome: 'Invalid'; readonly errors: Readonly<Record<string, string>>; readonly attempt: string };

let isSending = false;

/** Sends the form once, and shows what came of it. Sent again without an answer it is the same try. */
export async function send(form: HTMLFormElement, texts: Texts): Promise<void> {
  if (isSending) return;
  isSending = true;
  const button = find('submit', HTMLButtonElement);
  const label = find('submit-label', HTMLElement);
  const ready = label?.textContent ?? '';
  button?.setAttribute('aria-disabled', 'true');
  if (label !== undefined) label.textContent = texts['processing'] ?? '';
  say('processing', texts['doNotClose'] ?? '');
  say('declined-text', '');
  hide('declined');
  const isGone = await exchange(form, texts);
  if (isGone) return;
  isSending = false;
  button?.removeAttribute('aria-disabled');
  if (label !== undefined) label.textContent = ready;
  say('processing', '');
}

/** @returns whether the page is being left */
async function exchange(form: HTMLFormElement, texts: Texts): Promise<boolean> {
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(String(response.status));
    return show((await response.json()) as Answer, form);
  } catch {
    const text = texts['notSent'] ?? '';
    decline(text);
    tell('error', { details: text });
    return false;
  }
}

function show(answer: Answer, form: HTMLFormElement): boolean {
  if (answer.outcome === 'Go') {
    // Nothing of the card stays in a page that the browser may keep.
    form.reset();
    location.assign(answer.url);
    return true;
  }
  const attempt = form.elements.namedItem('attempt');
  if (attempt instanceof HTMLInputElement) attempt.value = answer.attempt;
  if (answer.outcome === 'Invalid') {
    showFaults([], new Map(Object.entries(answer.errors)));
    return false;
  }
  const cvc = input('cvc');
  if (cvc !== undefined) cvc.value = '';
  decline(answer.message);
  tell('transaction-failed', { details: answer.message });
  return false;
}

function decline(message: string): void {
  say('declined-text', message);
  const box = find('declined', HTMLElement);
  if (box === undefined) return;
  box.hidden = false;
  box.focus();
}

function hide(id: string): void {
  const element = find(id, HTMLElement);
  if (element !== undefined) element.hidden = true;
}

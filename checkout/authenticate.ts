import { find } from './elements.ts';
import { tellHeight } from './owner.ts';

/** What the service wants next of a payer who has to authenticate. */
export interface NextStep {
  readonly outcome: 'Authenticate';
  /** Where the method page of the bank is led to; undefined where it has none. */
  readonly method?: string;
  /** Where the answers to the question, and to the end of a challenge, come from. */
  readonly authenticate: string;
  readonly finish: string;
  readonly attempt: string;
}

/** A challenge that is to be shown. */
export interface Challenge {
  readonly outcome: 'Challenge';
  readonly url: string;
  readonly attempt: string;
}

/** Milliseconds that the bank has to know the browser again (EMV 3-D Secure 2.2.0, 10 seconds). */
const METHOD_MS = 10_000;
/** Below this width a challenge has all there is of the window; else 500 by 600 pixels. */
const SMALL_WIDTH = 500;

/** What the frames of a bank may not do: lead this page away. */
const SANDBOX = 'allow-forms allow-scripts allow-same-origin allow-popups';

/** Lets the bank look at the browser, unseen: `Y` it did, `N` it did not come back in time, `U` it does not want to. */
export async function visitMethod(url: string | undefined): Promise<'Y' | 'N' | 'U'> {
  if (url === undefined) return 'U';
  const frame = frameTo(url);
  frame.hidden = true;
  document.body.append(frame);
  const isBack = await Promise.race([comesBack(frame), late()]);
  frame.remove();
  return isBack ? 'Y' : 'N';
}

/** Shows the bank's challenge until the browser comes back from it, or the payer closes it. */
export async function showChallenge(url: string): Promise<'Back' | 'Closed'> {
  const room = find('bank', HTMLElement);
  const close = find('close-bank', HTMLButtonElement);
  if (room === undefined || close === undefined) return 'Closed';
  const size = window.innerWidth < SMALL_WIDTH ? '05' : '03';
  const frame = frameTo(`${url}${url.includes('?') ? '&' : '?'}size=${size}`);
  frame.title = room.dataset['title'] ?? '';
  close.before(frame);
  room.hidden = false;
  document.documentElement.dataset['bank'] = 'open';
  tellHeight();
  frame.focus();
  const closed = new Promise<'Closed'>((resolve) => {
    close.addEventListener('click', () => resolve('Closed'), { once: true });
  });
  const end = await Promise.race([comesBack(frame).then(() => 'Back' as const), closed]);
  delete document.documentElement.dataset['bank'];
  room.hidden = true;
  frame.remove();
  tellHeight();
  return end;
}

function frameTo(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', SANDBOX);
  frame.src = url;
  return frame;
}

/** Waits until a page of ours in the frame says that the bank has sent the browser back. Whatever else it says proves nothing. */
function comesBack(frame: HTMLIFrameElement): Promise<true> {
  return new Promise((resolve) => {
    window.addEventListener('message', function hear({ origin, source, data }: MessageEvent) {
      if (origin !== location.origin || source !== frame.contentWindow || data?.kontor !== 'bank') return;
      window.removeEventListener('message', hear);
      resolve(true);
    });
  });
}

function late(): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), METHOD_MS);
  });
}

/** What a browser says of itself that only a script knows. */
export function browserFields(): Readonly<Record<string, string>> {
  return {
    java: 'false',
    depth: String(screen.colorDepth),
    height: String(screen.height),
    width: String(screen.width),
    tz: String(new Date().getTimezoneOffset()),
    tongue: navigator.language,
    // The script's own requests ask for JSON: the page has kept what the browser asked for it with.
    accept: document.documentElement.dataset['accept'] ?? '',
  };
}

/** A page that a bank has sent the browser back to tells the page around it; one that leads to a bank goes on by itself. */
export function passOn(): void {
  const { state } = document.documentElement.dataset;
  if (state === 'returned' && window.parent !== window) {
    window.parent.postMessage({ kontor: 'bank' }, location.origin);
  }
  if (state === 'leading') find('lead', HTMLFormElement)?.submit();
}

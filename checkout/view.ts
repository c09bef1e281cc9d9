/**
 * The view script: shows the payment page in a frame on a shop's own page, and tells the shop what happens there. It is
 * the same for every payment: which one it is about stands in the address that it was loaded from. The card's number and
 * code stay in the frame; what comes out of it is named in `kontor-view.d.ts`.
 */

/** What the page in the frame says. Whatever else arrives is not for us. */
interface Message extends Partial<Omit<kontor.RedirectEvent & kontor.TermsEvent & kontor.DetailsEvent, 'instrument'>> {
  readonly type: string;
  readonly kontor?: 'page';
  readonly height?: number;
  readonly state?: string;
  readonly instrument?: string;
  /** What has paid. */
  readonly paidBy?: string;
  /** Whether the payer has left the try: nothing went wrong. */
  readonly isCalm?: boolean;
}

/** Options of any view: what they have in common, and handlers by their names. */
type Options = Omit<kontor.ViewOptions, 'container'> & {
  readonly container: string | HTMLElement | { readonly checkout: string };
  readonly [handler: `on${string}`]: ((event: object) => void) | undefined;
};

/** Who is told of what, and whether the browser goes to the message's `redirectUrl` where there is no handler. */
type Handlers = Readonly<Record<string, readonly [handler: `on${string}`, goes?: true]>>;

/** A kind of view: its handlers, and what they are given. */
interface Kind {
  readonly handlers: Handlers;
  readonly eventOf: (message: Message, handler: string) => object;
}

/** How long the page may take to say that it is there: a slow line is no error yet. */
const PATIENCE_MS = 20_000;

/** What the page repeats whenever it is loaded: the shop is told once. */
const STATES = ['pending', 'completed', 'failed', 'transaction-failed'];

const OF_CARD: Handlers = {
  ready: ['onPaymentCreated'],
  pending: ['onPaymentPending'],
  completed: ['onPaymentCompleted', true],
  canceled: ['onPaymentCanceled', true],
  failed: ['onPaymentFailed', true],
  'transaction-failed': ['onPaymentTransactionFailed'],
  'terms-of-service': ['onPaymentToS'],
  error: ['onError'],
};

const OF_MENU: Handlers = { ...OF_CARD, 'instrument-selected': ['onPaymentMenuInstrumentSelected'] };

const OF_CHECKOUT: Handlers = {
  ready: ['onCheckoutLoaded'],
  height: ['onCheckoutResized'],
  'instrument-selected': ['onInstrumentSelected'],
  'button-pressed': ['onPaymentButtonPressed'],
  'attempt-started': ['onPaymentAttemptStarted'],
  'attempt-aborted': ['onPaymentAttemptAborted'],
  'transaction-failed': ['onPaymentAttemptFailed'],
  completed: ['onPaid', true],
  canceled: ['onAborted', true],
  failed: ['onAborted', true],
  'terms-of-service': ['onTermsOfServiceRequested'],
  error: ['onError'],
};

/** What a frame is called, for those who hear the page. */
const TITLES: Readonly<Record<string, string>> = {
  nb: 'Kortbetaling',
  sv: 'Kortbetalning',
  da: 'Kortbetaling',
  fi: 'Korttimaksu',
};

// Null where the script was loaded as a module, which does not say from where.
const { src } = document.currentScript as HTMLScriptElement;

function viewOf(options: Options, kind: Kind): kontor.CheckoutView {
  const { tell, begin } = teller(options, kind);
  const fail = (details: string) => tell({ type: 'error', details });
  const pane = paneOf(options, hear, fail);
  let focused: Element | null = null;
  // While a card is tried the frame stays, also out of sight: the page has to hear what comes of it.
  let isTrying = false;
  let isClosing = false;

  function hear(data: Message, frame: HTMLIFrameElement): void {
    if (data.type === 'trying') isTrying = true;
    if (data.type === 'tried' || data.type === 'ready') isTrying = data.state === 'pending';
    // Who opened it with a control goes on inside.
    if (data.type === 'ready' && focused && focused === document.activeElement) {
      frame.focus();
      pane.say('focus');
    }
    tell(data);
    // The last thing that a page says of its state.
    if (data.type !== 'height') return;
    frame.style.height = `${Number(data.height)}px`;
    if (isClosing && !isTrying) pane.remove();
  }

  return {
    open() {
      isClosing = false;
      const frame = pane.frame();
      if (frame) {
        frame.style.display = 'block';
        return;
      }
      const { container } = options;
      const named = container instanceof Element || typeof container === 'string' ? container : container.checkout;
      const parent = typeof named === 'string' ? document.getElementById(named) : named;
      if (!parent) return fail(`There is no element ${named}.`);
      focused = document.activeElement === document.body ? null : document.activeElement;
      isTrying = false;
      begin();
      pane.add(parent);
    },
    close() {
      const frame = pane.frame();
      if (!frame) return;
      const hadFocus = document.activeElement === frame;
      isClosing = true;
      if (isTrying) frame.style.display = 'none';
      else pane.remove();
      if (hadFocus && focused instanceof HTMLElement) focused.focus();
    },
    refresh,
    update: refresh,
    cancel: () => pane.say('cancel'),
    resume: ({ confirmation }) => pane.say('resume', { confirmation: confirmation === true }),
  };

  function refresh(): void {
    if (!pane.frame()) return;
    begin();
    pane.load();
  }
}

/** The frame, once it is there, and what is heard from it alone. */
function paneOf(
  { culture, style, onPaymentButtonPressed }: Options,
  hear: (data: Message, frame: HTMLIFrameElement) => void,
  fail: (details: string) => void,
) {
  const page = new URL('frame', src);
  if (culture) page.searchParams.set('language', culture);
  const patience = patienceUntil(() => fail('The page did not load. Is this origin among the hostUrls?'));
  let frame: HTMLIFrameElement | undefined;

  const listen = ({ source, origin, data }: MessageEvent<Message>) => {
    if (!frame || source !== frame.contentWindow || origin !== page.origin || data?.kontor !== 'page') return;
    patience.end();
    hear(data, frame);
  };
  const confirms = onPaymentButtonPressed !== undefined;
  const say = (type: string, members?: object) =>
    frame?.contentWindow?.postMessage({ kontor: 'view', type, style, confirms, ...members }, page.origin);
  const load = () => {
    if (frame) frame.src = page.href;
    patience.begin();
  };

  return {
    frame: () => frame,
    say,
    load,
    add(parent: Element) {
      frame = newFrame(culture);
      frame.onload = () => {
        patience.begin();
        say('hello');
      };
      addEventListener('message', listen);
      load();
      parent.append(frame);
    },
    remove() {
      patience.end();
      removeEventListener('message', listen);
      frame?.remove();
      frame = undefined;
    },
  };
}

/** Says that it is late where the page has not said anything in time. */
function patienceUntil(late: () => void) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const begin = () => {
    end();
    timer = setTimeout(late, PATIENCE_MS);
  };
  return { begin, end };
}

function newFrame(culture = document.documentElement.lang): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = TITLES[culture.slice(0, 2)] ?? 'Card payment';
  frame.style.cssText = 'display:block;width:100%;height:480px;border:0';
  return frame;
}

/** Tells the shop what the page says; `begin` is for a page that is loaded anew. */
function teller(options: Options, { handlers, eventOf }: Kind) {
  let isCreated = false;
  let last = '';
  return {
    begin() {
      isCreated = false;
      last = '';
    },
    tell(message: Message) {
      const { redirectUrl, openUrl, details } = message;
      // What its payer has left has not failed: where one is told of the one, it is not told of the other.
      const isLeft = message.type === 'transaction-failed' && message.isCalm && handlers['attempt-aborted'];
      const type = isLeft ? 'attempt-aborted' : message.type;
      const [name, goes] = handlers[type] ?? [];
      const news = type + details;
      if (!name || (news === last && STATES.includes(type))) return;
      if (type !== 'ready') last = news;
      else if (isCreated) return;
      else isCreated = true;
      const handler = options[name];
      const event = eventOf(message, name);
      options['onEventNotification']?.({ ...event, sourceEvent: name });
      if (name === 'onPaymentCreated') options['onApplicationConfigured']?.(event);
      if (handler) handler(event);
      else if (goes && redirectUrl) location.href = redirectUrl;
      else if (openUrl) open(openUrl, '_blank', 'noopener');
      else if (type === 'error') reportError(new Error(details));
    },
  };
}

/** What a handler is given: the message without what is between the page and us. */
function eventOf({
  id,
  redirectUrl,
  openUrl,
  origin,
  details,
  paidBy,
  instrument = paidBy ?? 'CreditCard',
}: Message): object {
  return bare({ id, instrument, redirectUrl, openUrl, origin, details });
}

/** The same of an order. */
function orderEventOf(message: Message, event: string): object {
  const { id, redirectUrl, openUrl: termsOfServiceUrl, details, instrument, height: bodyHeight } = message;
  return bare({ event, paymentOrder: { id }, redirectUrl, termsOfServiceUrl, details, instrument, bodyHeight });
}

/** Without what is undefined. */
function bare(event: object): object {
  return JSON.parse(JSON.stringify(event));
}

/** Makes views of a kind; asked without options it gives the one that was made last. */
function maker(kind: Kind) {
  let last: kontor.CheckoutView | undefined;
  return (options?: Options) => {
    if (options) last = viewOf(options, kind);
    return last;
  };
}

const hostedView = {
  creditCard: maker({ handlers: OF_CARD, eventOf }),
  paymentMenu: maker({ handlers: OF_MENU, eventOf }),
  checkout: maker({ handlers: OF_CHECKOUT, eventOf: orderEventOf }),
};

Object.assign(globalThis, { kontor: { hostedView } });

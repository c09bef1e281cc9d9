import { readData } from './elements.ts';

/** What the server says of the page that this one stands in. */
interface Owned {
  /** Of the payment. */
  readonly id: string;
  /** Origins that may frame it. */
  readonly hosts: readonly string[];
  /** What there is to tell of its state. */
  readonly news?: readonly [type: string, members: Readonly<Record<string, unknown>>];
}

/** Colours and corners that an owner may choose, and what they are called in the style sheet. */
const STYLES: Readonly<Record<string, readonly [property: string, like: string]>> = {
  accent: ['--accent', 'color'],
  accentText: ['--on-accent', 'color'],
  background: ['--paper', 'color'],
  text: ['--ink', 'color'],
  radius: ['--radius', 'border-radius'],
};

const root = document.documentElement;
const owned = readData<Owned | undefined>(root, 'owner', undefined);
/** The origin that has said hello. Nothing is told before. */
let owner: string | undefined;
/** Whether it wants to be asked before a payer pays, and what hears its answer. */
let wantsToBeAsked = false;
let hearAnswer: ((isConfirmed: boolean) => void) | undefined;

/** How long an owner may think about it. */
const PATIENCE_MS = 120_000;

/** Whether this page stands in another one. */
export function isFramed(): boolean {
  return owned !== undefined;
}

/** Whether there is an owner that listens. */
export function hasOwner(): boolean {
  return owner !== undefined;
}

/** Tells the owner alone. */
export function tell(type: string, members: Readonly<Record<string, unknown>> = {}): void {
  if (owner === undefined || owned === undefined) return;
  window.parent.postMessage({ kontor: 'page', type, id: owned.id, ...members }, owner);
}

/** Whether the owner is to be asked before a payer pays. */
export function asksOwner(): boolean {
  return owner !== undefined && wantsToBeAsked;
}

/** Asks the owner whether the payer may pay now. No answer in time is a no. */
export function askOwner(members: Readonly<Record<string, unknown>>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => hearAnswer?.(false), PATIENCE_MS);
    hearAnswer = (isConfirmed) => {
      clearTimeout(late);
      hearAnswer = undefined;
      resolve(isConfirmed);
    };
    tell('button-pressed', members);
  });
}

/** Waits for the page around this one to say hello, and tells it from then on what happens here. */
export function meetOwner(focusFirst: () => void): void {
  if (owned === undefined || window.parent === window) return;
  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || !owned.hosts.includes(origin) || data?.kontor !== 'view') return;
    if (data.type === 'hello') {
      owner = origin;
      wantsToBeAsked = data.confirms === true;
      dress(data.style);
      introduce(owned);
    }
    if (owner !== origin) return;
    if (data.type === 'focus') focusFirst();
    if (data.type === 'resume') hearAnswer?.(data.confirmation === true);
    if (data.type === 'cancel') document.querySelector<HTMLElement>('#cancel')?.click();
  });
  new ResizeObserver(tellHeight).observe(root);
}

function introduce({ news }: Owned): void {
  tell('ready', { state: root.dataset['state'] });
  if (news !== undefined) tell(...news);
  tellHeight();
}

/** Tells how high the page is: after all else that there is to tell of its state. */
export function tellHeight(): void {
  tell('height', { height: Math.ceil(root.getBoundingClientRect().height) });
}

/** Takes over what of the owner's style is a colour or a length, and nothing else. */
function dress(style: unknown): void {
  if (typeof style !== 'object' || style === null) return;
  for (const [name, value] of Object.entries(style)) {
    const known = Object.hasOwn(STYLES, name) ? STYLES[name] : undefined;
    if (known === undefined || typeof value !== 'string' || !/^[#\w(),.% -]{1,40}$/.test(value)) continue;
    const [property, like] = known;
    if (CSS.supports(like, value)) root.style.setProperty(property, value);
  }
}

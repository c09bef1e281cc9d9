import type { IncomingMessage } from 'node:http';
import { namesUser, parseAddress } from '../../kit/addresses/address.ts';
import { foldAscii } from '../../kit/fold-ascii.ts';
import { isLoopbackAddress } from './client-address.ts';

/** Names that a program on this machine may call the service by. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** A request as far as its target is read. */
type Targeted = Pick<IncomingMessage, 'url' | 'socket'>;

export interface TargetOptions {
  /** The paths of all routes, with parameters as `:name`. */
  readonly paths: readonly string[];
  /** Below this path a signature covers the address: a slash at its end counts. */
  readonly signed: string;
  /** How the service names itself, without a trailing slash. */
  readonly baseUrl: () => string;
}

/**
 * Makes what reads the target of a request as routes write it:
 *
 * - without scheme and host, where it has them and they are ours (RFC 9112, section 3.2.2); with another host it stays as
 *   it is, to be refused
 * - without one slash at its end, but for what is signed
 * - with the words of a route as the route spells them, in whatever case they came. Only ASCII letters have a case here,
 *   and what stands for a parameter keeps its own.
 */
export function targetReader({ paths, signed, baseUrl }: TargetOptions): (request: Targeted) => string {
  const words = wordsOf(paths);
  const isSigned = (path: string) => path === signed || path.startsWith(`${signed}/`);
  return (request) => {
    const target = withoutOwnHost(request, baseUrl());
    if (target.charCodeAt(0) !== SLASH) return target;
    const end = target.indexOf('?');
    const [path, query] = end === -1 ? [target, ''] : [target.slice(0, end), target.slice(end)];
    const spelled = spellWords(path, words);
    const endsInSlash = spelled.length > 1 && spelled.charCodeAt(spelled.length - 1) === SLASH;
    return `${endsInSlash && !isSigned(spelled) ? spelled.slice(0, -1) : spelled}${query}`;
  };
}

const SLASH = 0x2f;

/** A target in absolute form: its authority, and what follows. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** The target without scheme and host, whosever they are. A signature never covers them. */
export function pathOfTarget(target: string): string {
  const [, , rest] = ABSOLUTE.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function withoutOwnHost({ url = '', socket }: Targeted, baseUrl: string): string {
  if (url.charCodeAt(0) === SLASH) return url;
  const [, authority] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return url;
  const named = parseAddress(`${foldAscii(url.slice(0, url.indexOf(':')))}://${authority}`);
  if (named === undefined || namesUser(named)) return url;
  return named.host === parseAddress(baseUrl)?.host || isOwnSocket(named, socket) ? pathOfTarget(url) : url;
}

/** Whether a program on this machine names the socket that it has connected to. */
function isOwnSocket({ hostname, port, protocol }: URL, { localAddress, localPort }: Targeted['socket']): boolean {
  const named = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return named === localPort && LOOPBACK_NAMES.includes(hostname) && isLoopbackAddress(localAddress ?? '');
}

/** What may stand at one place of an address. */
interface Place {
  /** Words by their folded form. */
  readonly words: Map<string, Word>;
  /** What may follow a parameter. */
  parameter: Place | undefined;
}

/** A word of a route: how it is spelled, and what may follow. */
interface Word {
  readonly spelled: string;
  readonly next: Place;
}

function emptyPlace(): Place {
  return { words: new Map(), parameter: undefined };
}

function wordsOf(paths: readonly string[]): Place {
  const root = emptyPlace();
  for (const path of paths) {
    let place = root;
    for (const step of path.split('/').slice(1)) place = placeAfter(place, step);
  }
  return root;
}

function placeAfter(place: Place, step: string): Place {
  if (/[:*]/.test(step)) {
    place.parameter ??= emptyPlace();
    return place.parameter;
  }
  const known = place.words.get(foldAscii(step)) ?? { spelled: step, next: emptyPlace() };
  place.words.set(foldAscii(step), known);
  return known.next;
}

function spellWords(path: string, root: Place): string {
  let place: Place | undefined = root;
  const steps = path.split('/').slice(1);
  for (const [index, step] of steps.entries()) {
    const word: Word | undefined = place.words.get(foldAscii(step));
    if (word !== undefined) steps[index] = word.spelled;
    place = word?.next ?? place.parameter;
    if (place === undefined) break;
  }
  return `/${steps.join('/')}`;
}

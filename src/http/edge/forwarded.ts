import { isIPv4, isIPv6 } from 'node:net';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import { inputError, type Refusal } from '../../kit/errors.ts';

/** Characters of the payer's address in `Forwarded`: the longest IPv6 address has 45. */
const PAYER_ADDRESS_CHARACTERS = 64;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** An optional pair and what ends it: `;` another pair of the element, `,` another element, or the end of the header. */
const PAIR = new RegExp(`[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?([;,]|$)`, 'y');
/** A node, RFC 7239, section 6: `[v6]` or a name, and perhaps a port. */
const NODE = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$/;
const OBFUSCATED = /^_[A-Za-z0-9._-]+$/;

/** What else is known as a header is read. */
interface ForwardedReading {
  /** Whether a proxy has written the element with this address. */
  readonly isAdded?: (address: string) => boolean;
  readonly prefixes?: CardPrefixes;
}

interface NodeReading extends Pick<ForwardedReading, 'prefixes'> {
  /** Whether IPv6 may stand without brackets, as in `X-Forwarded-For`. */
  readonly bareIPv6?: boolean;
}

/** The parameters of one element, by name in lower case. */
export type ForwardedElement = ReadonlyMap<string, string>;

/**
 * The payer's address in a `Forwarded` header (RFC 7239): the node of `for` in the first element, without port and
 * brackets. Also `unknown`, or an obfuscated name such as `_gateway`, in which a card number is masked.
 * Blanks around `;` and `,` are tolerated: clients send them.
 *
 * It is business data of the merchant's. It never tells who the client is: every client can send it. What trusted
 * proxies have added at its end is about the merchant's own program, and so is left out first; see `clientOf`.
 *
 * @throws Refusal `inputerror` where the header is malformed, or the merchant's first element has no `for`
 */
export function parseForwarded(
  header: string | undefined,
  { isAdded = () => false, prefixes = [] }: ForwardedReading = {},
): string | undefined {
  if (header === undefined) return undefined;
  const elements = readForwarded(header);
  let own = elements.length;
  while (own > 0 && isAdded(nodeAddress(elements[own - 1]?.get('for') ?? '') ?? '')) own--;
  if (own === 0 && elements.length > 0) return undefined;
  const node = elements[0]?.get('for');
  if (node === undefined) throw malformed('must say who the payer is in its first element, as in for=192.0.2.43');
  const address = nodeAddress(node, { prefixes });
  if (address === undefined) {
    throw malformed('must have an IPv4 address, a quoted "[IPv6 address]", unknown or a name such as _gateway in for');
  }
  return address;
}

/**
 * The elements of a `Forwarded` header that are not empty (RFC 9110, section 5.6.1). It is read to its end, so that a
 * malformed one is refused wherever its fault lies.
 *
 * @throws Refusal `inputerror`
 */
export function readForwarded(header: string): ForwardedElement[] {
  const elements: Map<string, string>[] = [];
  let element = new Map<string, string>();
  for (let at = 0, end: string | undefined; end !== ''; at = PAIR.lastIndex) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(header);
    if (match === null) throw malformed('must be of the form for=192.0.2.43; host=shop.example; proto=https');
    const name = match[1]?.toLowerCase();
    if (name !== undefined) {
      if (element.has(name)) throw malformed('must not have a parameter twice in one element');
      element.set(name, match[2] ?? unquote(match[3] ?? ''));
    }
    end = match[4];
    if (end === ';') continue;
    if (element.size > 0) elements.push(element);
    element = new Map();
  }
  return elements;
}

/**
 * The address of a node, without its port: IPv4, `[IPv6]`, `unknown` or an obfuscated name; undefined for anything else.
 */
export function nodeAddress(node: string, { bareIPv6 = false, prefixes = [] }: NodeReading = {}): string | undefined {
  if (node.length > PAYER_ADDRESS_CHARACTERS) return undefined;
  // A zone, as in `fe80::1%eth0`, means something on one machine only and is not in the grammar.
  if (bareIPv6 && isIPv6(node) && !node.includes('%')) return node;
  const [, bracketed, name] = NODE.exec(node) ?? [];
  if (bracketed !== undefined) return isIPv6(bracketed) && !bracketed.includes('%') ? bracketed : undefined;
  if (name === undefined) return undefined;
  if (isIPv4(name)) return name;
  if (name.toLowerCase() === 'unknown') return 'unknown';
  return OBFUSCATED.test(name) ? maskCardNumbersIn(name, prefixes) : undefined;
}

function unquote(quoted: string): string {
  return quoted.replace(/\\(.)/g, '$1');
}

function malformed(description: string): Refusal {
  return inputError('Forwarded', description);
}

import { isIPv4, isIPv6 } from 'node:net';
import type { CardPrefixes } from '../kit/card-number.ts';
import { inputError, type Refusal } from '../kit/errors.ts';
import { maskCardNumbersIn } from '../kit/find-card-numbers.ts';
import { PAYER_ADDRESS_CHARACTERS } from '../kit/limits.ts';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** An optional pair and what ends it: `;` another pair of the element, `,` another element, or the end of the header. */
const PAIR = new RegExp(`[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?([;,]|$)`, 'y');
/** A node, RFC 7239, section 6: `[v6]` or a name, and perhaps a port. */
const NODE = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$/;
const OBFUSCATED = /^_[A-Za-z0-9._-]+$/;

/**
 * The payer's address in a `Forwarded` header (RFC 7239): the node of `for` in the first element, without port and
 * brackets. Also `unknown`, or an obfuscated name such as `_gateway`, in which a card number is masked.
 * Blanks around `;` and `,` are tolerated: clients send them.
 *
 * It is business data of the merchant's. It never tells who the client is: anybody can send it.
 *
 * @throws Refusal `inputerror` where the header is malformed, or its first element has no `for`
 */
export function parseForwarded(header: string | undefined, prefixes: CardPrefixes = []): string | undefined {
  if (header === undefined) return undefined;
  const node = firstElement(header).get('for');
  if (node === undefined) throw malformed('must say who the payer is in its first element, as in for=192.0.2.43');
  const address = node.length > PAYER_ADDRESS_CHARACTERS ? undefined : addressOf(node, prefixes);
  if (address === undefined) {
    throw malformed('must have an IPv4 address, a quoted "[IPv6 address]", unknown or a name such as _gateway in for');
  }
  return address;
}

/** Reads the header to its end, so that a malformed one is refused wherever its fault lies. */
function firstElement(header: string): ReadonlyMap<string, string> {
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
    // A list may have empty elements (RFC 9110, section 5.6.1).
    if (element.size > 0) elements.push(element);
    element = new Map();
  }
  return elements[0] ?? element;
}

function addressOf(node: string, prefixes: CardPrefixes): string | undefined {
  const [, bracketed, name] = NODE.exec(node) ?? [];
  // A zone, as in `fe80::1%eth0`, means something on one machine only and is not in the grammar.
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

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** How many first bits of an address name its network. */
export interface NetworkBits {
  readonly v4: number;
  /** At most 64. */
  readonly v6: number;
}

/** One connection to the internet: a client with one address of IPv6 usually has all 2^64 beside it (RFC 6177). */
const ONE_CONNECTION: NetworkBits = { v4: 32, v6: 64 };
/** One subscriber: an address of IPv4, or the 256 networks of a /56 that a provider gives out (RFC 6177). */
export const ONE_SUBSCRIBER: NetworkBits = { v4: 32, v6: 56 };
/** The same, or the /48 of IPv6 that a company gets, and that a provider may give to one customer (RFC 6177). */
export const ONE_SITE: NetworkBits = { v4: 32, v6: 48 };
/** What one customer of a provider may move about in: 256 addresses of IPv4, or the 256 networks of a /56 (RFC 6177). */
export const ONE_CUSTOMER: NetworkBits = { v4: 24, v6: 56 };

/**
 * The network that a limit counts for: `192.0.2.1`, `192.0.2.0/24` or `2001:db8:0:0::/64`.
 *
 * @param address as a socket gives it: `192.0.2.1`, `::ffff:192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`
 */
export function networkOf(address: string, bits = ONE_CONNECTION): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) {
    const network = firstBits(plain.split('.').map(Number), { bits: bits.v4, size: 8 });
    return bits.v4 === 32 ? plain : `${network.join('.')}/${bits.v4}`;
  }
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) groups.push(...Array(Math.max(0, 8 - groups.length - groupsOf(tail).length)).fill('0'));
  const numbers = groups.concat(groupsOf(tail ?? '')).map((group) => Number.parseInt(group, 16));
  const network = firstBits(numbers.slice(0, 4), { bits: bits.v6, size: 16 });
  return `${network.map((group) => group.toString(16)).join(':')}::/${bits.v6}`;
}

/** The parts of an address, each of `size` bits, with all but the first bits of the whole put to zero. */
function firstBits(parts: readonly number[], { bits, size }: { bits: number; size: number }): number[] {
  return parts.map((part, index) => {
    const free = Math.min(size, Math.max(0, (index + 1) * size - bits));
    return (part >> free) << free;
  });
}

/** An address without its zone, and an IPv4 address as such where it is written as one of IPv6. */
export function plainAddress(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const zone = address.indexOf('%');
  return zone === -1 ? address : address.slice(0, zone);
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

/** Addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host) || /^::ffff:127\./.test(host);
}

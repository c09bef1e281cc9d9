const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Groups of an IPv6 address that name the network: 64 of its 128 bits. */
const NETWORK_GROUPS = 4;

/**
 * The network that a limit counts for: an IPv4 address itself, of an IPv6 address its first 64 bits, because whoever has
 * one address there usually has all 2^64 of them (RFC 6177).
 *
 * @param address as a socket gives it: `192.0.2.1`, `::ffff:192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) groups.push(...Array(Math.max(0, 8 - groups.length - groupsOf(tail).length)).fill('0'));
  const network = groups.concat(groupsOf(tail ?? '')).slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
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

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
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = withoutZone.split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) groups.push(...Array(Math.max(0, 8 - groups.length - groupsOf(tail).length)).fill('0'));
  const network = groups.concat(groupsOf(tail ?? '')).slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

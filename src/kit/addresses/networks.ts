import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { plainAddress } from './network.ts';

/** Addresses and networks that the settings name. */
export class Networks {
  readonly isEmpty: boolean;
  readonly #list: BlockList;

  constructor(list: BlockList) {
    this.#list = list;
    this.isEmpty = list.rules.length === 0;
  }

  /** @param address as a socket gives it, or as `plainAddress` made it */
  has(address: string): boolean {
    const plain = plainAddress(address);
    return isIPv4(plain) ? this.#list.check(plain, 'ipv4') : isIPv6(plain) && this.#list.check(plain, 'ipv6');
  }
}

/**
 * Reads addresses and networks (RFC 4632, RFC 4291), parted by commas: `10.0.0.7, 192.168.0.0/16, 2001:db8::/32`.
 *
 * @returns undefined where one of them is neither; and for `/0`, which is every address
 */
export function readNetworks(text: string): Networks | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const list = new BlockList();
  for (const part of parts) if (part !== '' && !add(list, part)) return undefined;
  return new Networks(list);
}

/** What is in front of this process, as the settings say. */
interface Front {
  readonly tlsTerminated: boolean;
  readonly trustedProxies: Networks;
}

/**
 * Whether a network says who a caller is: behind a proxy that the settings do not name, all callers have the proxy's.
 */
export function networksTell({ tlsTerminated, trustedProxies }: Front): boolean {
  return !tlsTerminated || !trustedProxies.isEmpty;
}

function add(list: BlockList, part: string): boolean {
  const [address = '', length, ...rest] = part.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
  if (family === undefined || rest.length > 0) return false;
  if (length === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^[1-9][0-9]{0,2}$/.test(length) ? Number(length) : 0;
  if (bits === 0 || bits > (family === 'ipv4' ? 32 : 128)) return false;
  list.addSubnet(address, bits, family);
  return true;
}

import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../../kit/addresses/network.ts';
import type { Networks } from '../../kit/addresses/networks.ts';
import { inputError } from '../../kit/errors.ts';
import { type ForwardedElement, nodeAddress, readForwarded } from './forwarded.ts';

/** Who sent a request, as far as the proxies say that the operator trusts. */
export interface Client {
  /** IPv4 or IPv6, without port, brackets and zone. */
  readonly address: string;
  /** Whether they spoke TLS to the outermost of these proxies; undefined where none of them says. */
  readonly isSecure: boolean | undefined;
  /** Whether a trusted proxy passed the request on. */
  readonly isProxied: boolean;
}

/** What is needed of a request. */
export interface FromSocket {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly remoteAddress?: string | undefined; readonly localAddress?: string | undefined };
}

/** One proxy's word about who sent it the request. */
interface Hop {
  /** As it was written: an address, perhaps with a port, or a word in its place. */
  readonly from: string;
  readonly scheme: string | undefined;
}

/**
 * Finds out who sent a request. Without a trusted proxy that is the other end of the socket, whatever the
 * headers say. A trusted one is believed about who sent the request to it, and so on as long as that is a trusted one too:
 * `X-Forwarded-For` and `Forwarded` are read from the right, where each proxy adds its word, and what stands before the
 * first address that is not trusted could have been written by any sender.
 *
 * Where both headers are there, `X-Forwarded-For` counts: merchants send a `Forwarded` of their own, with their payer in
 * it, and proxies that write the other one let it pass.
 *
 * @throws Refusal `inputerror` where a word of a trusted proxy's cannot be read: no address is guessed then
 */
export function clientOf({ headers, socket }: FromSocket, proxies: Networks): Client {
  let address = plainAddress(socket.remoteAddress ?? '');
  let isSecure: boolean | undefined;
  const isProxied = !proxies.isEmpty && proxies.has(address);
  if (!isProxied) return { address, isSecure, isProxied };
  const hops = hopsOf(headers);
  for (let index = hops.length - 1; index >= 0 && proxies.has(address); index--) {
    const { from, scheme } = hops[index] as Hop;
    if (scheme !== undefined) isSecure = isHttps(scheme);
    const named = addressIn(from);
    if (named === undefined) break;
    address = named;
  }
  return { address, isSecure, isProxied };
}

/**
 * Whether a program on this machine sent a request to this machine by itself. A header of a proxy's says that it may have
 * come from anywhere, also where it is not true: a proxy may run here too.
 */
export function isLocal({ headers, socket }: FromSocket): boolean {
  if (!isLoopbackAddress(socket.remoteAddress ?? '') || !isLoopbackAddress(socket.localAddress ?? '')) return false;
  return !Object.keys(headers).some((name) => name.startsWith('x-forwarded') || PASSED_ON.has(name));
}

/** Addresses that only processes on this machine have. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

const PASSED_ON = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']);

function hopsOf(headers: FromSocket['headers']): readonly Hop[] {
  const addresses = headers['x-forwarded-for'];
  if (addresses === undefined) return readForwarded(headers.forwarded ?? '').map(hopOf);
  const froms = String(addresses).split(',');
  const schemes = String(headers['x-forwarded-proto'] ?? '').split(',');
  // One proxy may overwrite the scheme where another one adds: then the one that is there is said of them all.
  const schemeAt = (index: number) => schemes[Math.max(0, schemes.length - froms.length + index)]?.trim() || undefined;
  return froms.map((from, index) => ({ from: from.trim(), scheme: schemeAt(index) }));
}

function hopOf(element: ForwardedElement): Hop {
  return { from: element.get('for') ?? 'unknown', scheme: element.get('proto') };
}

/** The address that a proxy has written; undefined where it would not say, or did not know. */
function addressIn(from: string): string | undefined {
  const address = nodeAddress(from, { bareIPv6: true });
  if (address === undefined) throw inputError('X-Forwarded-For', 'must be addresses, as a trusted proxy writes it');
  return address === 'unknown' || address.startsWith('_') ? undefined : plainAddress(address);
}

function isHttps(scheme: string): boolean {
  const known = scheme.toLowerCase();
  if (known !== 'http' && known !== 'https') throw inputError('X-Forwarded-Proto', 'must be http or https');
  return known === 'https';
}

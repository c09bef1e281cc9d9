import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DELIVERY_ANSWER_BYTES, DELIVERY_TIMEOUT_MS } from '../../kit/limits.ts';
import type { DeliveryFailure, Post, PostOutcome, Sender } from '../events.types.ts';

export interface SenderOptions {
  /** Whether this machine may be sent to: for the sandbox. */
  readonly allowsLoopback: boolean;
  /** Milliseconds for a whole exchange. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a connection is kept on which nothing passes; for tests. */
  readonly idleMs?: number;
  /** Resolves names; for tests. */
  readonly resolve?: typeof lookup;
}

/**
 * Sends over HTTP and HTTPS. Where a name leads is looked at when the connection is made, and the connection goes to the
 * address that was looked at: a name that changes its mind in between leads nowhere else (OWASP ASVS 5, 1.3.6). Redirects
 * are not followed, and a long answer is cut.
 */
export function createSender({
  allowsLoopback,
  timeoutMs = DELIVERY_TIMEOUT_MS,
  idleMs = IDLE_MS,
  resolve = lookup,
}: SenderOptions): Sender {
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (allowsLoopback && LOOPBACK.check(address, familyOf(address)));
  const kept = { keepAlive: true, maxFreeSockets: FREE_CONNECTIONS, timeout: idleMs };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };
  const exchange: Exchange = { agents, lookup: guarded(resolve, isAllowed), timeoutMs };
  return {
    send: async (post) => {
      const startedAt = performance.now();
      const url = new URL(post.url);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // A literal address is connected to without a look-up, so it is judged here.
      const outcome = isIP(host) !== 0 && !isAllowed(host) ? REFUSED : await postTo(url, post, exchange);
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** Connections to a receiver that are kept for the next delivery. */
const FREE_CONNECTIONS = 16;

/**
 * Milliseconds for which they are kept: fewer than receivers and firewalls allow, of which these drop a connection without a word.
 * A delivery on such a one would wait in vain until its time is up, and those behind it with it.
 */
const IDLE_MS = 4_000;

type Outcome = Omit<PostOutcome, 'durationMs'>;
const REFUSED: Outcome = { status: null, failure: 'address-refused', answer: '' };

interface Exchange {
  readonly agents: Readonly<Record<'http:' | 'https:', HttpAgent | HttpsAgent>>;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
}

/** @param url as it was parsed: its text may have the scheme in capitals, or blanks before it */
function postTo(url: URL, { headers, body }: Post, { agents, lookup, timeoutMs }: Exchange): Promise<Outcome> {
  return new Promise((resolve) => {
    const isSecure = url.protocol === 'https:';
    const send = isSecure ? requestHttps : requestHttp;
    const chunks: Buffer[] = [];
    let status: number | null = null;
    // The first of these says how it ended; what comes later changes nothing.
    const finish = (failure: DeliveryFailure | null) =>
      resolve({ status, failure, answer: Buffer.concat(chunks).toString('utf8') });
    const request = send(url, {
      method: 'POST',
      agent: agents[isSecure ? 'https:' : 'http:'],
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Kontor-Webhooks/1',
        ...headers,
      },
    });
    request.on('error', (error) => finish(status === null ? wordFor(error) : null));
    request.on('response', (response) => {
      status = response.statusCode ?? null;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        const room = DELIVERY_ANSWER_BYTES - bytes;
        if (room > 0) chunks.push(chunk.subarray(0, room));
        bytes += chunk.length;
        if (bytes < DELIVERY_ANSWER_BYTES) return;
        // The status has been said; who goes on talking is not listened to.
        finish(null);
        request.destroy();
      });
      response.on('end', () => finish(null));
      response.on('error', () => finish(null));
    });
    request.end(body);
  });
}

/** Why nothing was answered, in a word. */
function wordFor(error: Error & { code?: string }): DeliveryFailure {
  if (error instanceof AddressRefused) return 'address-refused';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'time-out';
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'unknown-host';
  if (error.code?.startsWith('ERR_TLS') || /CERT|SELF_SIGNED|ERR_SSL|EPROTO/.test(error.code ?? '')) return 'tls';
  return 'no-connection';
}

class AddressRefused extends Error {}

/** A look-up that gives away only addresses that may be connected to. */
function guarded(resolve: typeof lookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressRefused('No address of this host may be sent to.'), '');
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** IPv4 addresses that are not of the public Internet (IANA special-purpose registry). */
const SPECIAL = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** The only part of IPv6 that is public, and what in it is not, or leads to IPv4 addresses by itself. */
const GLOBAL_IPV6 = blockList(['2000::/3']);
const SPECIAL_IPV6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const LOOPBACK = blockList(['127.0.0.0/8', '::1/128']);

/** Whether an address is one of the public Internet. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 6) return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
  return isIP(address) === 4 && !SPECIAL.check(address, 'ipv4');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

import { type SigningCredentials, signatureOf } from '../service.ts';

/** A request as it is written. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** In their order; each character is a byte. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** The bytes of a request. */
export function bytesOf({ method, path, headers, body = '' }: Sent): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** The header that signs a request as it is now, with a nonce of its own each time. */
export function signatureFor(hmac: SigningCredentials, { method, path, headers, body = '' }: Sent): string {
  const [withoutQuery = ''] = path.split('?', 1);
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'transmission-time');
  return signatureOf(hmac, { method, path: withoutQuery, transmissionTime: named?.[1], body: Buffer.from(body) });
}

/** Does some work with each of these, a few at once, each as soon as it is made. */
export async function inLanes<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Enough to keep a service busy. */
const LANES = 8;

import { bytesOf, type Sent, signatureFor } from '../support/prober/bytes.ts';
import type { SigningCredentials } from '../support/service.ts';

/** A request as it goes over the wire, and what it tries. */
export interface Attack {
  readonly name: string;
  /** Undefined where the bytes are none, or one that nothing says what to answer to. */
  readonly request?: Request;
  /** Signed anew each time, where it is signed. */
  bytes(): Buffer;
}

/** What the attacks need to get as far in as they can. */
export interface Target {
  readonly host: string;
  readonly accessToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What requests below `/api/payments` are signed with, so that they get past the signature. */
  readonly hmac: SigningCredentials;
  /** A value for each path parameter that leads to something that exists. */
  readonly params: Readonly<Record<string, string>>;
}

export type Request = Omit<Sent, 'headers'> & Partial<Pick<Sent, 'headers'>>;

/** A path with its parameters filled in; `recurrenceTokens/{token}` may have a value of its own. */
export function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/([^/]+)\/\{(\w+)\}/g, (whole, segment: string, name: string) => {
    return `${segment}/${values[whole] ?? values[name] ?? 'x'}`;
  });
}

export function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
}

/** A request with what every good one has. */
export function attackBy(name: string, request: Request, target: Target): Attack {
  return { name, request, bytes: () => wire(request, target) };
}

function wire({ method, path, headers = {}, body }: Request, { host, accessToken, hmac }: Target): Buffer {
  const given = new Set(Object.keys(headers).map((name) => name.trim().toLowerCase()));
  const own = {
    Host: host,
    Authorization: `Bearer ${accessToken}`,
    Connection: 'close',
    ...(path.startsWith('/api/payments') && { Hmac: signatureFor(hmac, { method, path, headers, body }) }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  };
  const all = [...Object.entries(own).filter(([name]) => !given.has(name.toLowerCase())), ...Object.entries(headers)];
  const inBytes = all.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
  return bytesOf({ method, path, headers: Object.fromEntries(inBytes), body });
}

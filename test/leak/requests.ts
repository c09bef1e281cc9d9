import { type SigningCredentials, signatureOf } from '../support/service.ts';

/** A request as it goes over the wire, and what it tries. */
export interface Attack {
  readonly name: string;
  readonly bytes: Buffer;
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

/** An operation of the OpenAPI document, as far as the attacks read it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly contentType: string | undefined;
  /** Members of the body. */
  readonly members: readonly string[];
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A path with its parameters filled in; `recurrenceTokens/{token}` may have a value of its own. */
export function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/([^/]+)\/\{(\w+)\}/g, (whole, segment: string, name: string) => {
    return `${segment}/${values[whole] ?? values[name] ?? 'x'}`;
  });
}

export function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
}

/** A request as bytes, with what every good one has. */
export function wire(request: Request, { host, accessToken, hmac }: Target): Buffer {
  const { method, path, headers = {}, body } = request;
  const given = new Set(Object.keys(headers).map((name) => name.trim().toLowerCase()));
  const own = {
    Host: host,
    Authorization: `Bearer ${accessToken}`,
    Connection: 'close',
    ...(path.startsWith('/api/payments') && { Hmac: signatureOf(hmac, signedParts(request)) }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  };
  const all = [...Object.entries(own).filter(([name]) => !given.has(name.toLowerCase())), ...Object.entries(headers)];
  const head = [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body ?? '')]);
}

function signedParts({ method, path, headers = {}, body = '' }: Request) {
  const [withoutQuery = ''] = path.split('?', 1);
  return { method, path: withoutQuery, transmissionTime: headers['Transmission-Time'], body: Buffer.from(body) };
}

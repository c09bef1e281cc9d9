/** A key that signs requests below `/api/payments`. */
export interface HmacKey {
  /** The key's id. */
  readonly user: string;
  readonly secret: string;
}

/** A request that is to be signed. */
export interface SignedRequest {
  readonly method: string;
  /** As it goes over the wire: without host and query, percent-encoded as it is sent. */
  readonly path: string;
  /** 16 to 64 visible characters, new for each request. */
  readonly nonce: string;
  /** The exact text of the `Transmission-Time` header; empty where none is sent. */
  readonly transmissionTime?: string | undefined;
  /** The exact body; empty where none is sent. */
  readonly body?: string | Uint8Array | undefined;
}

/**
 * The value of the `Hmac` header of a request: HMAC-SHA-512 over method, path, user, nonce, transmission time and body,
 * each ended by a line feed. For servers: a browser must not have the secret.
 */
export async function signRequest({ user, secret }: HmacKey, request: SignedRequest): Promise<string> {
  const { method, path, nonce, transmissionTime = '', body = '' } = request;
  const bytes = typeof body === 'string' ? utf8(body) : body;
  const head = utf8(`${method.toUpperCase()}\n${path}\n${user}\n${nonce}\n${transmissionTime}\n`);
  const digest = await crypto.subtle.sign('HMAC', await keyOf(secret), join(head, bytes, utf8('\n')));
  return `HmacSHA512 ${user}:${nonce}:${base64(new Uint8Array(digest))}`;
}

function keyOf(secret: string) {
  return crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-512' }, false, ['sign']);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

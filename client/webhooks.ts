/** A message of the service does not come from it, or is too old. */
export class KontorWrongSignature extends Error {
  override readonly name = 'KontorWrongSignature';
}

/** A message as it came in. */
export interface ReceivedMessage {
  /** Those of the request, as Node or `fetch` has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came, before anything has parsed it. */
  readonly body: string | Uint8Array;
  /** The signing secret of the webhook, or the callback secret: `whsec_…`. */
  readonly secret: string;
  /** How old a message may be. Default: 300. */
  readonly toleranceSeconds?: number;
}

/** What the address of a card payment is told: which transaction has come to an end. */
export interface CallbackMessage {
  readonly payment: { readonly id: string; readonly number: number };
  readonly transaction: { readonly id: string; readonly number: number };
}

/**
 * Checks that an event or callback was signed by the service (Standard Webhooks), and gives what it says:
 * `verifyWebhook<Event>(…)`, or for a callback `verifyWebhook<CallbackMessage>(…)`. Remember `webhook-id`: a message may
 * come twice.
 *
 * @throws KontorWrongSignature
 */
export async function verifyWebhook<Message>({
  headers,
  body,
  secret,
  toleranceSeconds = 300,
}: ReceivedMessage): Promise<Message> {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || time === undefined || signatures === undefined) {
    throw new KontorWrongSignature('The message is not signed.');
  }
  const age = Math.abs(Date.now() / 1000 - Number(time));
  if (!(age <= toleranceSeconds)) throw new KontorWrongSignature('The message is too old, or a clock is wrong.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  const key = await keyOf(secret);
  for (const signature of signatures.split(' ')) {
    const [version, digest = ''] = signature.split(',');
    // The comparison is the platform's, which takes as long for any two digests.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(digest), signed))) {
      return JSON.parse(text) as Message;
    }
  }
  throw new KontorWrongSignature('The message is not signed with this secret.');
}

function headerOf(headers: ReceivedMessage['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of a Base64 text; none where it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

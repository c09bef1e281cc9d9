import { type Secret, signWithWebhookSecret } from '../../kit/secret.ts';

/** A message to be signed. */
export interface Message {
  /** The same for each try, so that a receiver knows what it has had. */
  readonly id: string;
  /** Unix time of the try in whole seconds, by which a receiver finds old messages. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that sign a message (Standard Webhooks): its id, its time, and a signature for each secret that is valid,
 * so that a receiver with the old one and one with the new one both find theirs.
 */
export function signedHeaders({ id, timestamp, body }: Message, secrets: readonly Secret[]): Record<string, string> {
  const text = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signWithWebhookSecret(secret, text)}`).join(' '),
  };
}

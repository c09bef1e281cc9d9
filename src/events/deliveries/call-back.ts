import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { uuidV7 } from '../../kit/ids.ts';
import type { PlacedEvent, WebhookId } from '../events.types.ts';
import { insertCallbacks, wakeReceivers } from './callbacks.store.ts';

/**
 * Notes which events are posted to addresses of card payments. They are delivered as those of webhooks are: all addresses
 * with the same origin are one receiver, which is made when the first payment names it, and none else shares its fate.
 */
export async function callBack(transaction: Transaction, placed: readonly PlacedEvent[]): Promise<void> {
  const callbacks = placed.flatMap((event) =>
    event.callbackUrl === null ? [] : [{ ...event, origin: new URL(event.callbackUrl).origin }],
  );
  if (callbacks.length === 0) return;
  const receivers = new Map(callbacks.map(({ payeeId, origin }) => [`${payeeId} ${origin}`, { payeeId, origin }]));
  const newId = () => uuidV7(Date.now()) as WebhookId;
  await wakeReceivers(
    transaction,
    [...receivers.values()].map((receiver) => ({ ...receiver, webhookId: newId() })),
  );
  const inserted = await insertCallbacks(transaction, callbacks);
  assert(inserted === callbacks.length, 'every callback has a receiver');
}

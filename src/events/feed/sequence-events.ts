import type { Read, Transaction } from '../../db/transaction.types.ts';
import { takeOutEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import { groupBy } from '../../kit/group-by.ts';
import { type PayeeId, uuidV7 } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import { insertCallbacks, wakeReceivers } from '../deliveries/callbacks.store.ts';
import { insertDeliveries } from '../deliveries/deliveries.store.ts';
import { keepToIndexes } from '../deliveries/plans.store.ts';
import type { PendingEvent, PlacedEvent, WebhookId } from '../events.types.ts';
import { becomeSequencer, placeEvents, raiseHeads, selectPending, selectWaiting } from './feed.store.ts';
import { orderForFeed } from './feed-order.rules.ts';

/** Events that one transaction of the sequencer gives their positions: some tens of milliseconds of work. */
const SEQUENCER_EVENTS = 500;

export interface SequencerOptions {
  /** Whose events; undefined: those of all payees. */
  readonly payeeIds?: readonly PayeeId[];
  /** At most so many. */
  readonly limit?: number;
}

/** Feeds that events wait for. */
export async function findWaiting(read: Read): Promise<readonly RowOfWork[]> {
  const { rows } = await selectWaiting(read, SEQUENCER_EVENTS);
  return rows;
}

/**
 * Gives pending events their positions in the feeds of their payees, and notes to which webhooks and addresses of
 * payments they are delivered. One transaction at a time does this, in whatever instance; the others find that it is
 * taken and do nothing. Positions are given after the events have committed, and become visible in their order: a feed
 * has no gaps, and nothing appears before what a reader has already seen.
 *
 * @returns whether there may be more
 */
export async function sequenceEvents(
  transaction: Transaction,
  { payeeIds, limit = SEQUENCER_EVENTS }: SequencerOptions = {},
): Promise<boolean> {
  const [isSequencer] = await Promise.all([becomeSequencer(transaction), keepToIndexes(transaction)]);
  if (!isSequencer) return false;
  const { rows: pending } = await selectPending(transaction, { payeeIds, limit });
  const ordered = [...groupBy(pending, ({ payeeId }) => payeeId)].map(([payeeId, events]) => ({
    payeeId,
    events: orderForFeed(events),
  }));
  const feeds = ordered.filter(({ events }) => events.length > 0);
  if (feeds.length === 0) return false;
  const placed = await givePositions(transaction, feeds);
  const counts = await Promise.all([placeEvents(transaction, placed), takeOutEvents(transaction, placed)]);
  const isWhole = counts.every((count) => count === placed.length);
  assert(isWhole, 'every event that gets a position was pending');
  await insertDeliveries(transaction, placed);
  await callBack(transaction, placed);
  return pending.length === limit;
}

interface Feed {
  readonly payeeId: PayeeId;
  readonly events: readonly PendingEvent[];
}

async function givePositions(transaction: Transaction, feeds: readonly Feed[]): Promise<PlacedEvent[]> {
  const { rows } = await raiseHeads(
    transaction,
    feeds.map(({ payeeId, events }) => ({ payeeId, count: events.length })),
  );
  const heads = new Map(rows.map(({ payeeId, position }) => [payeeId, position]));
  return feeds.flatMap(({ payeeId, events }) => {
    const head = heads.get(payeeId);
    assert(head !== undefined, 'every payee with events has a head');
    return events.map((event, index) => ({ position: head - events.length + index + 1, ...event }));
  });
}

/**
 * Notes which events are posted to addresses of card payments. They are delivered as those of webhooks are: all addresses
 * with the same origin are one receiver, which is made when the first payment names it, and none else shares its fate.
 */
async function callBack(transaction: Transaction, placed: readonly PlacedEvent[]): Promise<void> {
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

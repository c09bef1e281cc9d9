import type { Read, Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { type PayeeId, uuidV7 } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import { insertCallbacks, wakeReceivers } from '../deliveries/callbacks.store.ts';
import { keepToIndexes } from '../deliveries/plans.store.ts';
import type { CalledBackEvent, WebhookId } from '../events.types.ts';
import { becomeSequencer, placePending, selectWaiting } from './feed.store.ts';

/** Events that one transaction of the sequencer gives their positions: some tens of milliseconds of work. */
const SEQUENCER_EVENTS = 500;
/** Feeds that one round looks after. */
const SEQUENCER_FEEDS = 500;

export interface SequencerOptions {
  /** Whose events; undefined: those of all payees that wait. */
  readonly payeeIds?: readonly PayeeId[];
  /** At most so many. */
  readonly limit?: number;
}

/** Feeds that events wait for. */
export async function findWaiting(read: Read): Promise<readonly RowOfWork[]> {
  const { rows } = await selectWaiting(read, SEQUENCER_FEEDS);
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
  { payeeIds: asked, limit = SEQUENCER_EVENTS }: SequencerOptions = {},
): Promise<boolean> {
  const [isSequencer] = await Promise.all([becomeSequencer(transaction), keepToIndexes(transaction)]);
  if (!isSequencer) return false;
  const payeeIds = asked ?? (await findWaiting((...query) => transaction.run(...query))).map(({ payeeId }) => payeeId);
  const { rows } = await placePending(transaction, { payeeIds, limit });
  const [{ found, placed, takenOut } = NOTHING] = rows;
  assert(takenOut === placed, 'every event that gets a position was pending');
  await callBack(
    transaction,
    rows.flatMap(({ callback }) => callback ?? []),
  );
  return placed > 0 && found === limit;
}

const NOTHING = { found: 0, placed: 0, takenOut: 0 };

/**
 * Notes which events are posted to addresses of card payments. They are delivered as those of webhooks are: all addresses
 * with the same origin are one receiver, which is made when the first payment names it, and none else shares its fate.
 */
async function callBack(transaction: Transaction, placed: readonly CalledBackEvent[]): Promise<void> {
  if (placed.length === 0) return;
  const callbacks = placed.map((event) => ({ ...event, origin: new URL(event.callbackUrl).origin }));
  const receivers = new Map(callbacks.map(({ payeeId, origin }) => [`${payeeId} ${origin}`, { payeeId, origin }]));
  const newId = () => uuidV7(Date.now()) as WebhookId;
  await wakeReceivers(
    transaction,
    [...receivers.values()].map((receiver) => ({ ...receiver, webhookId: newId() })),
  );
  const inserted = await insertCallbacks(transaction, callbacks);
  assert(inserted === callbacks.length, 'every callback has a receiver');
}

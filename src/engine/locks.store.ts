import type { Call } from '../db/batch/batch.types.ts';
import { overRows } from '../db/rows/over-rows.ts';
import type { LockKey } from '../ledger/locks.types.ts';

// What changes lock beside accounts: one statement for all commands of a batch, in the order of its keys, so that two batches that
// wait never wait for each other.

const headers = (name: string, waiting: '' | 'skip locked') =>
  overRows<LockKey>({
    name,
    columns: { payee_id: ['uuid', 'payeeId'], id: ['uuid', 'id'] },
    text: ({ rows }) => `
      select v.payee_id as "payeeId", v.id
      from (select * from ${rows} order by payee_id, id) v
      left join lateral (
        select order_id from payment_order where payee_id = v.payee_id and order_id = v.id
        limit 1
        for no key update ${waiting}
      ) o on true
      left join lateral (
        select payment_id from card_payment where payee_id = v.payee_id and payment_id = v.id
        limit 1
        for no key update ${waiting}
      ) p on true
      where o.order_id is not null or p.payment_id is not null`,
  });

const HEADERS = headers('engine-lock-headers', 'skip locked');
const HEADERS_WAITING = headers('engine-lock-headers-waiting', '');

/** Locks orders, and card payments of none: those that are free, or all; answers which. */
export function lockHeaders(keys: readonly LockKey[], wait: boolean): Call {
  return (wait ? HEADERS_WAITING : HEADERS).ask(keys);
}

const KEY_OF_CARD = "hashtextextended('renewal ' || payee_id || id, 0)";

const cards = (name: string, isLocked: string) =>
  overRows<LockKey>({
    name,
    columns: { payee_id: ['uuid', 'payeeId'], id: ['text', 'id'] },
    text: ({ rows }) => `
      select payee_id as "payeeId", id from (select * from ${rows} order by payee_id, id) cards where ${isLocked}`,
  });

const CARDS = cards('engine-lock-cards', `pg_try_advisory_xact_lock(${KEY_OF_CARD})`);
const CARDS_WAITING = cards('engine-lock-cards-waiting', `pg_advisory_xact_lock(${KEY_OF_CARD})::text = ''`);

/** The same of cards, which have no row of their own: their ids are digests in hexadecimal. */
export function lockCards(keys: readonly LockKey[], wait: boolean): Call {
  return (wait ? CARDS_WAITING : CARDS).ask(keys);
}

import type { Call } from '../db/batch/batch.types.ts';
import { overRows } from '../db/rows/over-rows.ts';
import type { LockKey } from '../ledger/locks.types.ts';

// What changes lock beside accounts: one statement for all commands of a batch, in the order of its keys, so that two batches that
// wait never wait for each other.

const headers = (name: string, waiting: '' | 'skip locked') =>
  overRows<LockKey>({
    name,
    columns: { id: ['uuid', 'id'] },
    text: ({ payee, rows }) => `
      select ${payee} as "payeeId", v.id
      from (select * from ${rows} order by ${payee}, id) v
      left join lateral (
        select order_id from payment_order where payee_id = ${payee} and order_id = v.id
        limit 1
        for no key update ${waiting}
      ) o on true
      left join lateral (
        select payment_id from card_payment where payee_id = ${payee} and payment_id = v.id
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

const keyOfCard = (payee: string) => `hashtextextended('renewal ' || ${payee} || id, 0)`;

const cards = (name: string, isLocked: (payee: string) => string) =>
  overRows<LockKey>({
    name,
    columns: { id: ['text', 'id'] },
    text: ({ payee, rows }) => `
      select ${payee} as "payeeId", id from (select * from ${rows} order by ${payee}, id) v where ${isLocked(payee)}`,
  });

const CARDS = cards('engine-lock-cards', (payee) => `pg_try_advisory_xact_lock(${keyOfCard(payee)})`);
const CARDS_WAITING = cards(
  'engine-lock-cards-waiting',
  (payee) => `pg_advisory_xact_lock(${keyOfCard(payee)})::text = ''`,
);

/** The same of cards, which have no row of their own: their ids are digests in hexadecimal. */
export function lockCards(keys: readonly LockKey[], wait: boolean): Call {
  return (wait ? CARDS_WAITING : CARDS).ask(keys);
}

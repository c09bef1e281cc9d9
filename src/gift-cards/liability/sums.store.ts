import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { RowOfWork } from '../../kit/work/background.ts';
import { cardsCounted, changedIn, dayOf } from './figures.types.ts';
import type { Closing, FilledTo } from './sums.types.ts';

/** Minutes after its end at which a day is closed: what is written later has it made anew. */
const DAY_OPEN_MINUTES = 10;
const LATEST = dayOf(`((select kontor_now()) - interval '${DAY_OPEN_MINUTES} minutes')`, 'p.time_zone');

/** Payees whose sums do not reach to where they could, some of them; those that have none yet too. */
export async function selectUnclosed(read: Read, after: PayeeId, limit: number): Promise<readonly RowOfWork[]> {
  const { rows } = await read<RowOfWork>(
    {
      name: 'gift-cards-select-unclosed',
      text: `
        select p.payee_id as "payeeId", 'sums' as "rowId"
        from payee p
        left join gift_card_closing c on c.payee_id = p.payee_id
        where p.payee_id > $1::uuid
          and case when c.payee_id is null
            then coalesce((select true from account a where a.payee_id = p.payee_id and a.kind = 'StoredValue' limit 1), false)
            else c.closed_to is distinct from ${LATEST} or c.time_zone <> p.time_zone end
          and ${isFreeFor('sum-gift-cards', 'p.payee_id', `'sums'`)}
        order by p.payee_id
        limit $2::integer`,
    },
    [after, limit],
  );
  return rows;
}

/** Lets a payee have sums. */
export async function insertClosing(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-insert-closing',
      text: `
        insert into gift_card_closing (payee_id, time_zone)
        select payee_id, time_zone from payee where payee_id = $1::uuid
        on conflict do nothing`,
    },
    [payeeId],
  );
}

/** Locks what is known of a payee's sums; undefined where another instance works at them. */
export async function lockClosing(transaction: Transaction, payeeId: PayeeId): Promise<Closing | undefined> {
  const { rows } = await transaction.run<Closing>(
    {
      name: 'gift-cards-lock-closing',
      text: `
        select c.payee_id as "payeeId", p.time_zone as "timeZone", c.time_zone <> p.time_zone as "hasMoved",
          c.closed_to as "closedTo", c.closing_to as "closingTo",
          -- A copy of the database has other numbers of transactions.
          coalesce(c.mark <= pg_snapshot_xmax(pg_current_snapshot()), false) as "isMarked",
          coalesce(c.mark <= pg_snapshot_xmin(pg_current_snapshot()), false) as "isSettled",
          c.after_account as "afterAccount", c.after_sequence as "afterSequence", ${LATEST} as latest
        from gift_card_closing c join payee p on p.payee_id = c.payee_id
        where c.payee_id = $1::uuid
        for no key update of c skip locked`,
    },
    [payeeId],
  );
  return rows[0];
}

/** Ends the sums of another time zone. */
export async function reopenClosing(transaction: Transaction, { payeeId }: Closing): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-reopen-closing',
      text: 'update gift_card_closing set closed_to = null, closing_to = null, mark = null where payee_id = $1::uuid',
    },
    [payeeId],
  );
}

/** Deletes some sums that are of no use any more, and tells how many. */
export async function deleteSums(transaction: Transaction, { payeeId }: Closing, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-delete-sums',
      text: `
        delete from gift_card_sum
        where ctid = any (array(select ctid from gift_card_sum where payee_id = $1::uuid limit $2::integer))`,
    },
    [payeeId, limit],
  );
  return count;
}

/** Has sums made, from nothing. */
export async function beginClosing(transaction: Transaction, { payeeId, timeZone, latest }: Closing): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-begin-closing',
      text: `
        update gift_card_closing
        set time_zone = $2::text, closing_to = $3::timestamptz, after_account = '00000000-0000-0000-0000-000000000000', after_sequence = 0
        where payee_id = $1::uuid`,
    },
    [payeeId, timeZone, latest],
  );
}

/** Lets the next days be closed. */
export async function advanceClosing(transaction: Transaction, { payeeId, latest }: Closing): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-advance-closing',
      text: 'update gift_card_closing set closing_to = $2::timestamptz, mark = null where payee_id = $1::uuid',
    },
    [payeeId, latest],
  );
}

/** Marks the transactions that are under way: those that begin later know what is being closed. */
export async function markClosing(transaction: Transaction, { payeeId }: Closing): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-mark-closing',
      text: 'update gift_card_closing set mark = pg_snapshot_xmax(pg_current_snapshot()) where payee_id = $1::uuid',
    },
    [payeeId],
  );
}

/** Adds sums to those that are kept. */
const KEEP = `
  insert into gift_card_sum as kept (payee_id, begins_at, figure, currency, product_id, issued, expiring, parts, amount)
  select $1::uuid, slot, figure, currency, product_id, issued, expiring, parts, amount from changed
  on conflict (payee_id, begins_at, figure, currency, product_id, issued, expiring) do update
  set parts = kept.parts + excluded.parts, amount = kept.amount + excluded.amount`;

const ENTRY = 'e.account_id, e.sequence, e.amount, e.balance, m.kind, m.happened_at';
const slot = (at: string) => dayOf(at, '$2::text');

/** Sums the next entries of the payee's accounts, one account after the other, and the cards among these. */
export async function fillSums(transaction: Transaction, closing: Closing, limit: number): Promise<FilledTo> {
  const { rows } = await transaction.run<FilledTo>(
    {
      name: 'gift-cards-fill-sums',
      text: `
        with portion as materialized (
          select e.account_id, e.sequence, e.movement_id, e.amount, e.balance
          from entry e
          where e.payee_id = $1::uuid and (e.account_id, e.sequence) > ($3::uuid, $4::bigint)
          order by e.account_id, e.sequence
          limit $6::integer
        ), filled as materialized (
          select (array_agg(account_id order by account_id desc, sequence desc))[1] as account,
            (array_agg(sequence order by account_id desc, sequence desc))[1] as sequence, count(*) as entries
          from portion
        ), ${changedIn({
          entries: `
          select ${slot('m.happened_at')} as slot, ${ENTRY}
          from portion e join movement m on m.payee_id = $1::uuid and m.movement_id = e.movement_id
          where m.happened_at < $5::timestamptz`,
          before: `m.happened_at < s.slot or (e.sequence < s.first and ${slot('m.happened_at')} = s.slot)`,
          cards: cardsCounted(slot, CARDS_OF_PORTION('issued_at'), CARDS_OF_PORTION('replaced_at')),
        })}, kept as (${KEEP})
        select account, sequence, entries::integer from filled`,
    },
    [closing.payeeId, closing.timeZone, closing.afterAccount, closing.afterSequence, closing.closingTo, limit],
  );
  return rows[0] ?? { account: null, sequence: null, entries: 0 };
}

/** A card is counted with the first entries of its account; those of the last portion, and all behind it, with that one. */
const CARDS_OF_PORTION = (at: string) => `g.${at} < $5::timestamptz and g.account_id > $3::uuid
  and g.account_id <= (select case when entries = $6::integer then account else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end from filled)`;

/** Notes how far entries are summed. */
export async function noteFilled(
  transaction: Transaction,
  { payeeId }: Closing,
  { account, sequence }: FilledTo,
): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-note-filled',
      text: 'update gift_card_closing set after_account = $2::uuid, after_sequence = $3::bigint where payee_id = $1::uuid',
    },
    [payeeId, account, sequence],
  );
}

/** Notes up to which instant the sums are whole. */
export async function noteClosed(transaction: Transaction, { payeeId }: Closing, to: string): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-note-closed',
      text: 'update gift_card_closing set closed_to = $2::timestamptz where payee_id = $1::uuid',
    },
    [payeeId, to],
  );
}

/** How far the next so many movements of a payee go that are to be summed. Movements of one instant go together. */
export async function selectNextEnd(transaction: Transaction, closing: Closing, limit: number): Promise<string> {
  const { rows } = await transaction.run<{ readonly to: string }>(
    {
      name: 'gift-cards-select-next-end',
      text: `
        select greatest(coalesce((
            select happened_at from movement
            where payee_id = $1::uuid and happened_at >= $2::timestamptz and happened_at < $3::timestamptz
            order by happened_at
            offset $4::integer limit 1
          ), $3::timestamptz), $2::timestamptz + interval '1 millisecond') as to`,
    },
    [closing.payeeId, closing.closedTo, closing.closingTo, limit],
  );
  return rows[0]?.to ?? '';
}

/** Sums what has happened since the sums were closed. */
export async function closeSums(transaction: Transaction, closing: Closing, to: string): Promise<void> {
  const within = (at: string) => `${at} >= $3::timestamptz and ${at} < $4::timestamptz`;
  await transaction.run(
    {
      name: 'gift-cards-close-sums',
      text: `
        with ${changedIn({
          entries: `
          select ${slot('m.happened_at')} as slot, ${ENTRY}
          from movement m
          join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.account_id is not null
          where m.payee_id = $1::uuid and ${within('m.happened_at')}`,
          before: 'm.happened_at < greatest(s.slot, $3::timestamptz)',
          cards: cardsCounted(slot, within('g.issued_at'), within('g.replaced_at')),
        })} ${KEEP}`,
    },
    [closing.payeeId, closing.timeZone, closing.closedTo, to],
  );
}

import { closingsOf, dayOf } from '../../db/closings.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { cardsCounted, changedIn } from './figures.types.ts';
import type { GiftCardClosing as Closing, FilledTo } from './sums.types.ts';

/** How far the sums of what payees owe on stored value reach. They are made in the order of accounts, and of the entries of each. */
export const giftCardClosings = closingsOf<Closing>({
  slice: 'gift-cards',
  sums: 'gift_card_sum',
  closings: 'gift_card_closing',
  work: 'sum-gift-cards',
  every: 'day',
  hasSome: `select true from account a where a.payee_id = p.payee_id and a.kind = 'StoredValue'`,
  place: {
    after_account: { as: 'afterAccount', from: `'00000000-0000-0000-0000-000000000000'` },
    after_sequence: { as: 'afterSequence', from: '0' },
  },
});

/** Payees with stored value whose sums do not reach to where they could. */
export const { selectUnclosed } = giftCardClosings;

/** How long the sums of the payee that is furthest behind are overdue. */
export const { selectOverdue } = giftCardClosings;

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

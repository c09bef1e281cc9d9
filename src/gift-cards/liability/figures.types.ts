// Pieces of SQL that questions about liability, and the sums that are kept for them, have in common.

/** The figure that an entry on gift card c counts to; null: to none. */
export function figureOf({ movement: m, entry: e }: { readonly movement: string; readonly entry: string }): string {
  return `
    case
      when ${m}.kind = 'Opening' then 'opening'
      when ${m}.kind = 'Deposit' then
        case
          when ${e}.sequence > 1 or ${m}.happened_at <> c.issued_at then 'loaded'
          when c.is_imported then 'imported'
          else 'issued'
        end
      when ${m}.kind = 'Credit' then 'refunded'
      when ${m}.kind = 'Reversal' then case when ${e}.amount > 0 then 'refunded' else 'takenBack' end
      when ${m}.kind in ('Capture', 'Purchase') then 'spent'
      when ${m}.kind = 'Sweep' then 'expired'
      when ${m}.kind = 'Merge' then 'merged'
      -- Within the card: from what is available to what is held, and back.
      when ${m}.kind in ('Authorize', 'Cancel', 'Expire') then null
    end`;
}

/** Figures that are reckoned above zero where the card has less afterwards. */
export const LESS = `('spent', 'takenBack', 'expired')`;

/** When a card was issued: one that was inactive until its sale, when the first money came to it; null before. */
export const SOLD_AT = `
  case when g.inactive_until_sold then (
    select m.happened_at
    from entry e join movement m on m.payee_id = e.payee_id and m.movement_id = e.movement_id
    where e.payee_id = g.payee_id and e.account_id = g.account_id and e.sequence = 1
    limit 1
  ) else g.issued_at end`;

/** The code of a card from another programme is not known here. */
export const IS_IMPORTED = 'a.cvc_key_id is null';

/** Entries of an account that are asked for their times. */
export const ENTRIES_ASKED = 1000;

/** What is summed, as pieces of SQL. */
export interface SumParts {
  /** Selects `slot`, `account_id`, `sequence`, `amount`, `balance`, `kind` and `happened_at` of entries on accounts. */
  readonly entries: string;
  /** Whether entry e of movement m was before those that are in slot s. Without gaps: what is summed later goes on where this ends. */
  readonly before: string;
  /** Selects `slot` and `account_id` of cards, the `figure` that they count to, and whether up or down as `n`. An issued one counts to `made`. */
  readonly cards: string;
}

/**
 * Sums of stored value of payee $1 in time zone $2, told apart by slots of time, as a list of CTEs that ends with `changed`:
 * `slot`, `figure`, `currency`, `product_id`, `issued`, `expiring`, `parts` and `amount`, as the columns of `gift_card_sum`.
 */
export function changedIn({ entries, before, cards }: SumParts): string {
  return `
    found as materialized (${entries}),
    booked as materialized (
      select found.*, a.currency, g.product_id, g.inactive_until_sold, ${SOLD_AT} as issued_at, ${IS_IMPORTED} as is_imported,
        to_char(coalesce(${SOLD_AT}, a.created_at) at time zone $2::text, 'YYYY-MM') as issued,
        coalesce(to_char(a.expires_on, 'YYYY-MM'), '') as expiring, a.available + a.held as holds, a.entry_count
      from found
      join account a on a.payee_id = $1::uuid and a.account_id = found.account_id and a.kind = 'StoredValue'
      left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
    ),
    -- What an account had in the bucket of its first entry before, and has in that of its last one after.
    span as (
      select slot, account_id, currency, product_id, issued, expiring, holds, entry_count, sum(amount) as amount,
        min(sequence) as first, (array_agg(balance - amount order by sequence))[1] as had,
        (array_agg(balance order by sequence desc))[1] as has
      from booked
      group by slot, account_id, currency, product_id, issued, expiring, holds, entry_count
    ),
    -- All that it had before. A clock that was set back leaves entries that are earlier than those before them, so each is asked for its time;
    -- of an account with very many the order is believed.
    ends as (
      select s.*, case
        when entry_count <= ${ENTRIES_ASKED} then coalesce((
          select sum(e.amount) from entry e
          join movement m on m.payee_id = e.payee_id and m.movement_id = e.movement_id
          where e.payee_id = $1::uuid and e.account_id = s.account_id and (${before})), 0)
        when had > 0 and has > 0 then had
        when first > entry_count / 2 then holds - (
          select sum(e.amount) from entry e
          where e.payee_id = $1::uuid and e.account_id = s.account_id and e.sequence >= first)
        else coalesce((
          select sum(e.amount) from entry e
          where e.payee_id = $1::uuid and e.account_id = s.account_id and e.sequence < first), 0)
      end as all_had
      from span s
    ),
    counted as (
      ${cards}
      union all
      select slot, account_id, 'made', 1 from booked where inactive_until_sold and sequence = 1
    ),
    changed as (
      select slot, 'owed' as figure, currency, coalesce(product_id, '') as product_id, issued, expiring,
        sum(
          (case when entry_count <= ${ENTRIES_ASKED} then all_had + amount > 0 else has > 0 or all_had + amount > 0 end)::integer
          - (all_had > 0)::integer
        ) as parts, sum(amount) as amount
      from ends
      group by slot, currency, product_id, issued, expiring
      union all
      select slot, figure, currency, product_id, '', '', count(*), sum(case when figure in ${LESS} then -amount else amount end)
      from (select c.*, ${figureOf({ movement: 'c', entry: 'c' })} as figure from booked c where product_id is not null) moved
      where figure is not null
      group by slot, figure, currency, product_id
      union all
      select n.slot, case when n.figure <> 'made' then n.figure when ${IS_IMPORTED} then 'cardsImported' else 'cardsIssued' end as named,
        a.currency, g.product_id, '', '', count(*), sum(n.n)
      from counted n
      join gift_card g on g.payee_id = $1::uuid and g.account_id = n.account_id
      join account a on a.payee_id = $1::uuid and a.account_id = n.account_id
      group by n.slot, named, a.currency, g.product_id
    )`;
}

/**
 * Cards of payee $1 that are counted for themselves, and not by the first entry as those that are inactive until their sale. One in the place of a lost one is made at the instant at which that
 * one ends, of the same product.
 *
 * @param made and `replaced` conditions on gift_card g
 */
export function cardsCounted(slot: (at: string) => string, made: string, replaced: string): string {
  return `
    select ${slot('g.issued_at')} as slot, g.account_id, 'made' as figure, 1 as n
    from gift_card g where g.payee_id = $1::uuid and not g.inactive_until_sold and ${made}
    union all
    select ${slot('g.replaced_at')}, g.account_id, f.figure, f.n
    from gift_card g cross join (values ('cardsIssued', -1), ('cardsReplaced', 1)) f (figure, n)
    where g.payee_id = $1::uuid and ${replaced}`;
}

import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { HeldReserve, ListedPayout, PaidDay, PayoutsAsked } from './payouts.types.ts';

const sumOf = (what: string, where: string) => `coalesce(sum(${what}) filter (where ${where}), 0)::bigint`;

/** What lines `l` of a batch come to. */
const SUMS = `
  ${sumOf('l.gross', `l.type in ('Sale', 'Refund')`)} as gross,
  ${sumOf('l.fee', `l.type <> 'Payout'`)} as fees,
  ${sumOf('coalesce(l.interchange, 0)', `l.type <> 'Payout'`)} as interchange,
  ${sumOf('coalesce(l.scheme_fee, 0)', `l.type <> 'Payout'`)} as "schemeFees",
  ${sumOf('l.fee - coalesce(l.interchange, 0) - coalesce(l.scheme_fee, 0)', `l.type <> 'Payout'`)} as "otherFees",
  ${sumOf('l.gross', `l.type in ('Chargeback', 'ChargebackReversal')`)} as chargebacks,
  ${sumOf('l.gross', `l.type not in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal', 'Reserve', 'Payout')`)} as adjustments,
  ${sumOf('l.gross', `l.type = 'Reserve'`)} as reserves,
  count(*) filter (
    where l.type in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal', 'Adjustment') and l.booked_by is null and l.gross <> 0
  )::integer as unmatched,
  max(l.value_date) as value_date`;

/** What lines `l` of a batch pay in another currency than the transaction's: by its currency, its amount and what is paid for it. */
const CONVERTED = `
  coalesce((
    select jsonb_agg(jsonb_build_object('currency', c.currency, 'amount', c.amount, 'paid', c.paid) order by c.currency)
    from (
      select u.currency, sum(u.amount)::bigint as amount, sum(u.paid)::bigint as paid
      from unnest(
        array_agg(l.transaction_currency) filter (where l.transaction_currency is not null),
        array_agg(l.transaction_amount) filter (where l.transaction_currency is not null),
        array_agg(l.gross) filter (where l.transaction_currency is not null)
      ) as u (currency, amount, paid)
      group by u.currency
    ) c
  ), '[]') as converted`;

/** The batches of payee $1 that are paid from day $2 to day $3: those that stand, and those that were withdrawn. */
const PAID = `
  (
    select b.*, s.*, coalesce(s.value_date, (b.imported_at at time zone y.time_zone)::date) as day
    from (
      select payee_id, acquirer, batch_id, name, merchant_id, number, currency, net, imported_at, seen_at, seen_by, null::uuid as withdrawal_id,
        null::timestamptz as withdrawn_at, null::text as withdrawn_by, null::text as reason
      from settlement_batch
      union all
      select payee_id, acquirer, batch_id, name, merchant_id, number, currency, net, imported_at, null, null, withdrawal_id, withdrawn_at,
        withdrawn_by, reason
      from settlement_withdrawal
    ) b
    join payee y on y.payee_id = b.payee_id
    cross join lateral (
      select ${SUMS}, ${CONVERTED}
      from (
        select * from settlement_line s
        where b.withdrawal_id is null and s.payee_id = b.payee_id and s.acquirer = b.acquirer and s.batch_id = b.batch_id
        union all
        select p.* from settlement_withdrawn_line w, jsonb_populate_record(null::settlement_line, w.line) p
        where w.payee_id = b.payee_id and w.withdrawal_id = b.withdrawal_id
      ) l
    ) s
    where b.payee_id = $1::uuid
  ) p`;

const OF_PERIOD = 'p.day between $2::date and $3::date';

/** Payouts of a period, the latest first. */
export async function selectListedPayouts(
  read: Read,
  { payeeId, from, to }: PayoutsAsked,
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<readonly ListedPayout[]> {
  const { rows } = await read<ListedPayout>(
    {
      name: 'settlements-select-listed-payouts',
      text: `
        with paid as materialized (select * from ${PAID} where ${OF_PERIOD})
        select number, acquirer, name as batch, merchant_id as "merchantId", value_date::text as "valueDate", day::text as day, currency, gross,
          fees, interchange, "schemeFees", "otherFees", chargebacks, adjustments, reserves, net, unmatched,
          converted, imported_at as "importedAt", seen_at as "seenAt", seen_by as "seenBy", withdrawn_at as "withdrawnAt",
          withdrawn_by as "withdrawnBy", reason as "withdrawnBecause"
        from paid
        where $4::bigint is null or (day, number) < (select a.day, a.number from paid a where a.number = $4::bigint)
        order by paid.day desc, number desc
        limit $5::integer`,
    },
    [payeeId, from, to, after ?? null, limit],
  );
  return rows;
}

/** What is paid on each day of a period, the latest first. */
export async function selectPaidDays(
  read: Read,
  { payeeId, from, to }: PayoutsAsked,
  most: number,
): Promise<readonly PaidDay[]> {
  const { rows } = await read<PaidDay>(
    {
      name: 'settlements-select-paid-days',
      text: `
        select p.day::text as day, p.currency, count(*)::integer as payouts, count(p.seen_at)::integer as seen,
          sum(p.unmatched)::integer as unmatched, sum(p.gross)::bigint as gross, sum(p.fees)::bigint as fees,
          sum(p.interchange)::bigint as interchange, sum(p."schemeFees")::bigint as "schemeFees",
          sum(p."otherFees")::bigint as "otherFees", sum(p.chargebacks)::bigint as chargebacks,
          sum(p.adjustments)::bigint as adjustments, sum(p.reserves)::bigint as reserves, sum(p.net)::bigint as net
        from ${PAID}
        where ${OF_PERIOD} and p.withdrawal_id is null
        group by p.day, p.currency
        order by p.day desc, p.currency
        limit $4::integer`,
    },
    [payeeId, from, to, most],
  );
  return rows;
}

/**
 * What acquirers hold in reserve at the end of a period, by acquirer, merchant number and currency: all that was kept and not released, above
 * 0. Below 0 more was released than was ever kept here.
 */
export async function selectReserves(
  read: Read,
  { payeeId, to }: Pick<PayoutsAsked, 'payeeId' | 'to'>,
): Promise<readonly HeldReserve[]> {
  const { rows } = await read<HeldReserve>(
    {
      name: 'settlements-select-reserves',
      text: `
        select l.acquirer, l.merchant_id as "merchantId", l.currency, -sum(l.gross)::bigint as held
        from settlement_line l
        join settlement_batch b on b.payee_id = l.payee_id and b.acquirer = l.acquirer and b.batch_id = l.batch_id
        join payee y on y.payee_id = l.payee_id
        cross join lateral (
          select coalesce(max(o.value_date), (b.imported_at at time zone y.time_zone)::date) as day
          from settlement_line o
          where o.payee_id = b.payee_id and o.acquirer = b.acquirer and o.batch_id = b.batch_id
        ) p
        where l.payee_id = $1::uuid and l.type = 'Reserve' and p.day <= $2::date
        group by l.acquirer, l.merchant_id, l.currency
        having sum(l.gross) <> 0
        order by l.acquirer, l.merchant_id, l.currency`,
    },
    [payeeId, to],
  );
  return rows;
}

/** Notes that a person has seen a payout on the bank's statement, or takes that back; its name and whether that is new, or undefined where there is none. */
export async function updateSeen(
  transaction: Transaction,
  { payeeId, number, person }: { readonly payeeId: PayeeId; readonly number: number; readonly person: string | null },
): Promise<{ readonly name: string; readonly isNew: boolean } | undefined> {
  const { rows } = await transaction.run<{ readonly name: string; readonly wasSeen: boolean }>(
    {
      name: 'settlements-update-seen',
      text: `
        with before as (
          select name, seen_at is not null as was_seen from settlement_batch
          where payee_id = $1::uuid and number = $2::bigint
          for update
        ), changed as (
          update settlement_batch
          set seen_at = case when $3::text is null then null else kontor_now() end, seen_by = $3::text
          where payee_id = $1::uuid and number = $2::bigint and (seen_at is not null) <> ($3::text is not null)
        )
        select name, was_seen as "wasSeen" from before`,
    },
    [payeeId, number, person],
  );
  const [before] = rows;
  return before && { name: before.name, isNew: before.wasSeen !== (person !== null) };
}

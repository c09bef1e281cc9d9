import type { Transaction } from '../../db/transaction.types.ts';
import type { BatchKey, BatchOwner, NewBatch } from './files.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './said-of-sale.types.ts';

/** The lines of one batch: the first three values of every statement here. */
const OF_BATCH = 'l.payee_id = $1::uuid and l.acquirer = $2::text and l.batch_id = $3::text';
/** The order of a file. */
const IN_ORDER = 'length(l.line_id), l.line_id';

const valuesOf = ({ payeeId, acquirer, batchId }: BatchKey) => [payeeId, acquirer, batchId];

/**
 * The attempt that a line names, where it is one of ours to move money at this acquirer. Those that became a sale or refund were
 * found before by that name. A line that names its payment's authorization is found by its content, as one that names nothing is.
 */
const NAMED_ATTEMPT = `
  select from acquirer_exchange asked
  join issuer_attempt named on named.payee_id = asked.payee_id and named.attempt_id = asked.attempt_id
  where asked.payee_id = l.payee_id and asked.attempt_id = l.attempt_reference and asked.kind = 'Ask'
    and asked.acquirer = l.acquirer and asked.operation in ('Purchase', 'Capture', 'Reversal', 'Credit')`;

/** Notes what lines are about, by the names that we and the acquirer have given to the message. */
export async function noteByName(transaction: Transaction, batch: BatchKey): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-note-by-name',
      text: `
        update settlement_line
        set attempt_id = f.attempt_id
        from (
          select l.ctid as place, coalesce(a.attempt_id, r.attempt_id) as attempt_id
          from settlement_line l
          left join lateral (
            select i.attempt_id from settlement_item i
            where i.payee_id = l.payee_id and i.attempt_id = l.attempt_reference
              and i.acquirer is not distinct from l.acquirer and i.type in ('Sale', 'Refund')
            limit 1
          ) a on true
          left join lateral (
            select i.attempt_id from settlement_item i
            where a.attempt_id is null and i.payee_id = l.payee_id and i.acquirer = l.acquirer
              and i.acquirer_reference = l.acquirer_reference
              and (i.type = l.type or l.type not in ('Sale', 'Refund') and i.type in ('Sale', 'Refund'))
            order by i.attempt_id
            limit 1
          ) r on true
          where ${OF_BATCH} and l.type in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal', 'Adjustment')
        ) f
        where settlement_line.ctid = f.place and f.attempt_id is not null`,
    },
    valuesOf(batch),
  );
}

/**
 * Notes what the other lines are about, by the payment's reference, merchant number, type, amount and currency. A payment may
 * have captures alike: each line takes another one, first those that no line has settled. A line that names an attempt of ours is
 * about that one, though it failed, and settles no other.
 */
export async function noteByContent(transaction: Transaction, batch: BatchKey): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-note-by-content',
      text: `
        with line as materialized (
          select l.*, l.ctid as at, ${SAID_CURRENCY} as said_currency, ${SAID_AMOUNT} as said_amount, row_number() over (
            partition by l.retrieval_reference, l.merchant_id, l.type, ${SAID_AMOUNT}, ${SAID_CURRENCY} order by ${IN_ORDER}
          ) as place
          from settlement_line l
          where ${OF_BATCH} and l.attempt_id is null and l.retrieval_reference is not null
            and l.type in ('Sale', 'Refund', 'Chargeback', 'ChargebackReversal')
            and not exists (${NAMED_ATTEMPT})
        ), found as (
          select line.at, i.attempt_id
          from line
          cross join lateral (
            select i.attempt_id, count(*) over () as alike,
              row_number() over (order by coalesce(i.batch_id, i.ended_by::text) is not null, i.attempt_id) as place
            from settlement_item i
            where i.payee_id = line.payee_id and i.acquirer = line.acquirer
              and i.retrieval_reference = line.retrieval_reference and i.merchant_id = line.merchant_id
              and i.currency = line.said_currency and case
                when line.type in ('Sale', 'Refund') then i.type = line.type and i.amount = line.said_amount
                else i.type = 'Sale' and i.amount >= abs(line.said_amount)
              end
          ) i
          where i.place = least(line.place, i.alike)
        )
        update settlement_line
        set attempt_id = found.attempt_id
        from found
        where settlement_line.ctid = found.at`,
    },
    valuesOf(batch),
  );
}

/**
 * The sale or refund that a line was found to be about. One at a time: a join would have other plans too, of which PostgreSQL
 * prefers to walk a payee's items while it believes that there are few.
 */
const ITEM = `
  left join lateral (
    select i.*, i.ctid as place from settlement_item i
    where i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type in ('Sale', 'Refund')
    limit 1
  ) i on true`;

/** What opens differences of lines: the lines with their kind, or none. */
const OPEN_DIFFERENCES = `
  insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, day, attempt_id, batch_id,
    line_id, ours, theirs, their_currency, opened_at)
  select $1::uuid, gen_random_uuid(), j.kind, $2::text, coalesce(j.agreement, $4::text), j.currency, j.day, j.attempt_id,
    $3::text, j.line_id, j.ours, j.gross, nullif(j.line_currency, j.currency), kontor_now()
  from judged j
  where j.kind is not null
  returning 1`;

/**
 * Marks lines as booked by their own batch. Rows are found again by their place: what was judged has no index, and no other
 * transaction moves them, for there is one import at a time.
 */
const BOOK = `
  update settlement_line l
  set booked_by = $3::text
  from judged j
  where l.ctid = j.line_place and j.kind is null
  returning 1`;

/** How many lines were matched, and how many differ. */
export interface Judged {
  readonly matched: number;
  readonly differences: number;
}

/** Settles each sale and refund that a line says the same of, and opens a difference for every other line. */
export async function judgeSales(transaction: Transaction, batch: BatchKey & BatchOwner): Promise<Judged> {
  const { rows } = await transaction.run<Judged>(
    {
      name: 'settlements-judge-sales',
      text: `
        with line as materialized (
          select l.ctid as line_place, i.place as item_place, l.line_id, l.type, ${SAID_AMOUNT} as gross, l.attempt_id,
            coalesce(i.currency, ${SAID_CURRENCY}) as currency, ${SAID_CURRENCY} as line_currency, i.agreement, i.day, i.amount as ours,
            case
              when i.attempt_id is null and exists (${NAMED_ATTEMPT} and named.state not in ('CALLING', 'FORWARDING')) then 'takenThoughRefused'
              when i.attempt_id is null then 'unknownToUs'
              when coalesce(i.batch_id, i.ended_by::text) is not null then 'twice'
              when i.currency <> ${SAID_CURRENCY} then 'currencyDiffers'
              when i.merchant_id <> l.merchant_id then 'merchantDiffers'
              when i.type <> l.type or i.amount <> ${SAID_AMOUNT} then 'amountDiffers'
            end as fault
          from settlement_line l
          ${ITEM}
          where ${OF_BATCH} and l.type in ('Sale', 'Refund')
        ), judged as materialized (
          select l.*, case
              when l.fault is not null then l.fault
              when row_number() over (partition by l.attempt_id, l.fault order by ${IN_ORDER}) > 1 then 'twice'
            end as kind
          from line l
        ), matched as (
          update settlement_item i
          set batch_id = $3::text, line_id = j.line_id
          from judged j
          where j.kind is null and i.ctid = j.item_place
          returning 1
        ), booked as (${BOOK}), different as (${OPEN_DIFFERENCES})
        select (select count(*) from matched) as matched, (select count(*) from different) as differences,
          (select count(*) from booked) as booked`,
    },
    [...valuesOf(batch), batch.agreement],
  );
  return rows[0] ?? { matched: 0, differences: 0 };
}

/** A difference that a line has ended. */
export interface Cured {
  readonly differenceId: string;
  readonly kind: string;
  /** Of the line that it was about, where that is of an earlier batch: it is booked with this one. */
  readonly gross: number;
  readonly agreement: string;
  /** The payment whose chargeback was given back, where it was one. */
  readonly paymentId: string | null;
}

/**
 * Ends differences that adjustments make good: an adjustment that names the same message, and with which the line comes to
 * what our books say, or to nothing where they say nothing.
 */
export async function cureByAdjustments(transaction: Transaction, batch: NewBatch): Promise<readonly Cured[]> {
  const { rows } = await transaction.run<Cured>(
    {
      name: 'settlements-cure-by-adjustments',
      text: `
        with fitting as materialized (
          select l.line_id, f.difference_id, f.kind, f.agreement, f.attempt_id, d.batch_id as old_batch, d.line_id as old_line,
            d.gross as old_gross,
            d.type as old_type,
            row_number() over (partition by f.difference_id order by ${IN_ORDER}) as of_difference,
            row_number() over (partition by f.attempt_id order by f.opened_at, f.difference_id, ${IN_ORDER}) as of_item,
            f.kind = 'amountDiffers' and d.type in ('Sale', 'Refund') as settles,
            row_number() over (partition by l.line_id order by f.opened_at, f.difference_id) as of_line
          from settlement_line l
          join settlement_difference f on f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.state = 'Open'
            and f.kind in ('unknownToUs', 'takenThoughRefused', 'amountDiffers', 'twice')
          join settlement_line d on d.payee_id = f.payee_id and d.acquirer = f.acquirer and d.batch_id = f.batch_id
            and d.line_id = f.line_id
          where ${OF_BATCH} and l.type = 'Adjustment' and l.currency = d.currency and d.booked_by is null
            and ${SAID_CURRENCY} = coalesce(d.transaction_currency, d.currency)
            and (l.attempt_id = d.attempt_id or l.acquirer_reference = d.acquirer_reference
              or l.retrieval_reference = d.retrieval_reference)
            and ${SAID_AMOUNT} + coalesce(d.transaction_amount, d.gross) = case when f.kind = 'amountDiffers' and d.type in ('Sale', 'Refund') then f.ours else 0 end
            -- What is settled already is not settled by a line that was wrong.
            and not (f.kind = 'amountDiffers' and d.type in ('Sale', 'Refund') and exists (
              select from settlement_item i
              where i.payee_id = f.payee_id and i.attempt_id = f.attempt_id and i.type in ('Sale', 'Refund')
                and coalesce(i.batch_id, i.ended_by::text) is not null
            ))
        ), pair as materialized (
          select * from fitting where of_difference = 1 and of_line = 1 and (of_item = 1 or not settles)
        ), cured as (
          update settlement_difference f
          set state = 'Cured', closed_at = kontor_now(), reason = 'line ' || p.line_id || ' of batch ' || $4::text,
            cured_by = $3::text
          from pair p
          where f.payee_id = $1::uuid and f.difference_id = p.difference_id
          returning f.difference_id
        ), booked as (
          update settlement_line l
          -- What gives back a chargeback that was never booked leaves nothing of it to its dispute.
          set booked_by = $3::text, dispute_id = null
          from pair p
          where l.payee_id = $1::uuid and l.acquirer = $2::text and (
            (l.batch_id = $3::text and l.line_id = p.line_id) or (l.batch_id = p.old_batch and l.line_id = p.old_line)
          )
          returning 1
        ), matched as (
          update settlement_item i
          set batch_id = p.old_batch, line_id = p.old_line
          from pair p
          where p.settles and i.payee_id = $1::uuid and i.attempt_id = p.attempt_id
            and i.type in ('Sale', 'Refund')
          returning 1
        )
        select p.difference_id as "differenceId", p.kind, p.agreement,
          case when p.old_batch = $3::text then 0 else p.old_gross end as gross, (
            select i.payment_id from settlement_item i
            where p.old_type = 'Chargeback' and i.payee_id = $1::uuid and i.attempt_id = p.attempt_id and i.type = 'Sale'
          ) as "paymentId"
        from pair p`,
    },
    [...valuesOf(batch), batch.name],
  );
  return rows;
}

/** Opens a difference for each adjustment of an amount that no other one explains. */
export async function judgeAdjustments(transaction: Transaction, batch: BatchKey & BatchOwner): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'settlements-judge-adjustments',
      text: `
        with judged as materialized (
          select l.line_id, ${SAID_AMOUNT} as gross, l.attempt_id, coalesce(i.currency, ${SAID_CURRENCY}) as currency,
            ${SAID_CURRENCY} as line_currency, i.agreement, i.day, i.amount as ours, 'unknownToUs' as kind
          from settlement_line l
          ${ITEM}
          where ${OF_BATCH} and l.type = 'Adjustment' and l.gross <> 0 and l.booked_by is null
        )
        ${OPEN_DIFFERENCES}`,
    },
    [...valuesOf(batch), batch.agreement],
  );
  return count;
}

/** Opens a difference for each fee above 0, on a line that does not differ in something else. It is of no day: no sale is owed by it. */
export async function judgeFees(transaction: Transaction, batch: BatchKey & BatchOwner): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'settlements-judge-fees',
      text: `
        with judged as materialized (
          select l.line_id, l.fee as gross, l.attempt_id, l.currency, l.currency as line_currency, i.agreement, null::date as day,
            null::bigint as ours, 'feeAboveZero' as kind
          from settlement_line l
          ${ITEM}
          where ${OF_BATCH} and l.type <> 'Payout' and l.fee > 0 and not exists (
            select from settlement_difference f
            where f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id and f.line_id = l.line_id
              and f.withdrawal_id is null
          )
        )
        ${OPEN_DIFFERENCES}`,
    },
    [...valuesOf(batch), batch.agreement],
  );
  return count;
}

/** Notes the movement of a batch, or none, and those that convert. */
export async function noteMovements(
  transaction: Transaction,
  batch: BatchKey,
  {
    settlementId,
    conversionIds,
  }: { readonly settlementId: string | undefined; readonly conversionIds: readonly string[] },
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-note-movements',
      text: `
        update settlement_batch l set movement_id = $4::uuid, conversion_ids = $5::uuid[]
        where ${OF_BATCH}`,
    },
    [...valuesOf(batch), settlementId ?? null, conversionIds],
  );
}

/** A closed day of which a batch says something else. */
export interface DifferentDay {
  readonly settlementId: string;
  readonly day: string;
  readonly agreement: string;
  readonly currency: string;
  readonly net: number;
  readonly state: string;
  readonly eventSequence: number;
  readonly now: string;
}

/** Raises the number of the latest event of the closed days that lines of a batch differ about. */
export async function raiseDifferentDays(transaction: Transaction, batch: BatchKey): Promise<readonly DifferentDay[]> {
  const { rows } = await transaction.run<DifferentDay>(
    {
      name: 'settlements-raise-different-days',
      text: `
        update settlement_day d
        set event_sequence = event_sequence + 1, updated_at = greatest(kontor_now(), updated_at)
        where d.payee_id = $1::uuid and exists (
          select from settlement_difference f
          where f.payee_id = d.payee_id and f.acquirer = $2::text and f.batch_id = $3::text and f.agreement = d.agreement
            and f.currency = d.currency and f.day = d.day and f.state = 'Open'
        )
        returning settlement_id as "settlementId", day::text as day, agreement, currency, net, state,
          event_sequence as "eventSequence", updated_at as now`,
    },
    valuesOf(batch),
  );
  return rows;
}

import type { Read, Rows, Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Currency } from '../kit/money.ts';
import type { BatchKey } from './files/files.types.ts';
import { openedWithin } from './list-bounds.types.ts';
import type { Difference, DifferenceOutcome, SettlementDay } from './settlements.types.ts';

/** The columns of a difference, as the types name them. */
const COLUMNS = `
  f.payee_id as "payeeId", f.difference_id as "differenceId", f.kind, f.state, f.acquirer, f.agreement, f.currency,
  f.day::text as day, f.attempt_id as "attemptId", coalesce(b.name, w.name) as batch, coalesce(b.merchant_id, w.merchant_id) as "merchantId", f.line_id as "lineId", f.ours, f.theirs,
  f.their_currency as "theirCurrency",
  f.opened_at as "openedAt", f.closed_at as "closedAt", f.reason, f.outcome, a.payment_id as "paymentId"`;

const FROM = `
  from settlement_difference f
  left join issuer_attempt a on a.payee_id = f.payee_id and a.attempt_id = f.attempt_id
  left join settlement_batch b on b.payee_id = f.payee_id and b.acquirer = f.acquirer and b.batch_id = f.batch_id
  left join settlement_withdrawal w on w.payee_id = f.payee_id and w.withdrawal_id = f.withdrawal_id`;

/** Whether difference `f` says that a sale or refund is not settled: neither that there is another line, nor something of a dispute. */
export const OF_ITEM = `
  f.kind in ('missingAtAcquirer', 'amountDiffers', 'currencyDiffers', 'merchantDiffers') and (
    f.batch_id is null or exists (
      select from settlement_line of_line
      where of_line.payee_id = f.payee_id and of_line.acquirer = f.acquirer and of_line.batch_id = f.batch_id
        and of_line.line_id = f.line_id and of_line.type in ('Sale', 'Refund')
    )
  )`;

const OF_DAY = `and exists (
            select from settlement_day d
            where d.payee_id = f.payee_id and d.settlement_id = $5::uuid and d.agreement = f.agreement
              and d.currency = f.currency and d.day = f.day
          )`;

/** Which differences are asked for. */
export interface DifferencesAsked {
  readonly payeeId: PayeeId;
  readonly onlyOpen: boolean;
  /** Opened on these days of the payee's, both with; undefined: from the beginning, or to the end. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Of this closed day alone; undefined: of all. */
  readonly settlementId: string | undefined;
  readonly most: number;
}

/** Differences of a payee, the oldest first. */
export async function selectDifferences(
  read: Read,
  { payeeId, onlyOpen, from, to, settlementId, most }: DifferencesAsked,
): Promise<readonly Difference[]> {
  const isOfAny = settlementId === undefined;
  const { rows } = await read<Difference>(
    {
      name: `settlements-select-${onlyOpen ? 'open-' : ''}differences${isOfAny ? '' : '-of-day'}`,
      text: `
        select ${COLUMNS} ${FROM}
        where f.payee_id = $1::uuid ${onlyOpen ? "and f.state = 'Open'" : ''} and ${openedWithin('$3', '$4')}
          ${isOfAny ? '' : OF_DAY}
        order by f.opened_at, f.difference_id
        limit $2::integer`,
    },
    [payeeId, most, from ?? null, to ?? null, ...(isOfAny ? [] : [settlementId])],
  );
  return rows;
}

/**
 * A difference that a person ends, with the reason, and the payment whose dispute its line is about; no row where it is not open, or not
 * this payee's.
 */
export async function resolveOpen(
  transaction: Transaction,
  ending: Pick<Difference, 'payeeId' | 'differenceId'> & {
    readonly reason: string;
    readonly outcome: DifferenceOutcome;
  },
): Promise<Pick<Difference, 'kind' | 'paymentId'> | undefined> {
  const { rows } = await transaction.run<Pick<Difference, 'kind' | 'paymentId'>>(
    {
      name: 'settlements-resolve-difference',
      text: `
        update settlement_difference
        set state = 'Resolved', closed_at = kontor_now(), reason = $3::text, outcome = $4::text
        where payee_id = $1::uuid and difference_id = $2::uuid and state = 'Open'
        returning kind, (
          select d.payment_id from settlement_line l
          join dispute d on d.payee_id = l.payee_id and d.dispute_id = l.dispute_id
          where l.payee_id = settlement_difference.payee_id and l.acquirer = settlement_difference.acquirer
            and l.batch_id = settlement_difference.batch_id and l.line_id = settlement_difference.line_id
        ) as "paymentId"`,
    },
    [ending.payeeId, ending.differenceId, ending.reason, ending.outcome],
  );
  return rows[0];
}

/** A sale or refund that was still owed. */
export interface EndedItem {
  readonly attemptId: string;
  readonly agreement: string;
  readonly currency: Currency;
  readonly amount: number;
}

/** Ends the sale or refund of a difference: no line is to settle it any more. Undefined where our books owe nothing for it. */
export async function endItem(
  transaction: Transaction,
  { payeeId, differenceId }: Pick<Difference, 'payeeId' | 'differenceId'>,
): Promise<EndedItem | undefined> {
  const { rows } = await transaction.run<EndedItem>(
    {
      name: 'settlements-end-item',
      text: `
        update settlement_item i
        set ended_by = f.difference_id
        from settlement_difference f
        where f.payee_id = $1::uuid and f.difference_id = $2::uuid and ${OF_ITEM}
          and i.payee_id = f.payee_id and i.attempt_id = f.attempt_id and i.type in ('Sale', 'Refund')
          and i.batch_id is null and i.ended_by is null
        returning i.attempt_id as "attemptId", i.agreement, i.currency, i.amount`,
    },
    [payeeId, differenceId],
  );
  return rows[0];
}

/** What our books owe for a difference; undefined where that is nothing. */
export async function selectOwedFor(
  read: Read,
  payeeId: PayeeId,
  differenceId: string,
): Promise<Pick<EndedItem, 'amount' | 'currency'> | undefined> {
  const { rows } = await read<Pick<EndedItem, 'amount' | 'currency'>>(
    {
      name: 'settlements-select-owed-for',
      text: `
        select i.amount, i.currency
        from settlement_difference f
        join settlement_item i on i.payee_id = f.payee_id and i.attempt_id = f.attempt_id and i.type in ('Sale', 'Refund')
          and i.batch_id is null and i.ended_by is null
        where f.payee_id = $1::uuid and f.difference_id = $2::uuid and f.state = 'Open' and ${OF_ITEM}`,
    },
    [payeeId, differenceId],
  );
  return rows[0];
}

/** The sale that a chargeback blocks as a whole, because the line differs; undefined where a difference is none of such a line. */
export async function selectBlockedBy(
  read: Read,
  payeeId: PayeeId,
  differenceId: string,
): Promise<Pick<EndedItem, 'amount' | 'currency'> | undefined> {
  const { rows } = await read<Pick<EndedItem, 'amount' | 'currency'>>(
    {
      name: 'settlements-select-blocked-by',
      text: `
        select i.amount, i.currency
        from settlement_difference f
        join settlement_line l on l.payee_id = f.payee_id and l.acquirer = f.acquirer and l.batch_id = f.batch_id
          and l.line_id = f.line_id and l.type = 'Chargeback' and l.dispute_id is not null
        join settlement_item i on i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type = 'Sale'
        where f.payee_id = $1::uuid and f.difference_id = $2::uuid and f.state = 'Open'`,
    },
    [payeeId, differenceId],
  );
  return rows[0];
}

/** Whether a person has ended the difference with these words before. */
export async function wasResolvedSo(
  transaction: Transaction,
  {
    payeeId,
    differenceId,
    outcome,
    reason,
  }: Pick<Difference, 'payeeId' | 'differenceId'> & { readonly outcome: DifferenceOutcome; readonly reason: string },
): Promise<boolean> {
  const { count } = await transaction.run(
    {
      name: 'settlements-was-resolved-so',
      text: `
        select 1 from settlement_difference
        where payee_id = $1::uuid and difference_id = $2::uuid and state = 'Resolved' and outcome = $3::text
          and reason = $4::text and (movement_id is not null or outcome = 'AcquirersMistake')`,
    },
    [payeeId, differenceId, outcome, reason],
  );
  return count > 0;
}

/** Notes what was booked for an ended difference, and ends the others that its sale or refund has. */
export async function noteEnded(
  transaction: Transaction,
  { payeeId, differenceId }: Pick<Difference, 'payeeId' | 'differenceId'>,
  movementId: string | undefined,
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-note-ended',
      text: `update settlement_difference set movement_id = $3::uuid where payee_id = $1::uuid and difference_id = $2::uuid`,
    },
    [payeeId, differenceId, movementId ?? null],
  );
  await transaction.run(
    {
      name: 'settlements-end-others',
      text: `
        update settlement_difference f
        set state = 'Resolved', closed_at = d.closed_at, reason = d.reason, outcome = d.outcome
        from settlement_difference d
        where d.payee_id = $1::uuid and d.difference_id = $2::uuid and f.payee_id = d.payee_id
          and f.attempt_id = d.attempt_id and f.state = 'Open' and ${OF_ITEM}`,
    },
    [payeeId, differenceId],
  );
}

/** Ends all differences of transactions that this batch has settled, by a line of its own or by an adjustment of an earlier one. */
export async function cureBySettling(
  transaction: Transaction,
  { payeeId, acquirer, batchId }: BatchKey,
): Promise<readonly Pick<Difference, 'differenceId' | 'kind'>[]> {
  const { rows } = await transaction.run<Pick<Difference, 'differenceId' | 'kind'>>(
    {
      name: 'settlements-cure-by-settling',
      text: `
        update settlement_difference f
        set state = 'Cured', closed_at = kontor_now(), reason = 'line ' || i.line_id || ' of batch ' || b.name,
          cured_by = $3::text
        from settlement_item i
        join settlement_line l on l.payee_id = i.payee_id and l.acquirer = i.acquirer and l.batch_id = i.batch_id
          and l.line_id = i.line_id and l.booked_by = $3::text
        join settlement_batch b on b.payee_id = l.payee_id and b.acquirer = l.acquirer and b.batch_id = l.batch_id
        where f.payee_id = $1::uuid and f.acquirer = $2::text and f.state = 'Open' and ${OF_ITEM}
          and i.payee_id = f.payee_id and i.attempt_id = f.attempt_id
        returning f.difference_id as "differenceId", f.kind`,
    },
    [payeeId, acquirer, batchId],
  );
  return rows;
}

/** Opens a difference for totals that the acquirer counts otherwise. */
export function insertTotalsDifference(
  transaction: Transaction,
  day: SettlementDay & { readonly differenceId: string; readonly theirs: number | null },
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-totals-difference',
      text: `
        insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, day, ours, theirs,
          opened_at)
        values ($1::uuid, $2::uuid, 'totalsDiffer', $3::text, $4::text, $5::text, $6::date, $7::bigint, $8::bigint,
          kontor_now())`,
    },
    [day.payeeId, day.differenceId, day.acquirer, day.agreement, day.currency, day.day, day.net, day.theirs],
  );
}

/** Opens a difference for each message to an acquirer that was ended by hand. */
export function insertAbandoned(transaction: Transaction): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-abandoned',
      text: `
        insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, attempt_id, ours,
          opened_at)
        select x.payee_id, gen_random_uuid(), 'abandoned', x.acquirer, x.agreement, x.currency, x.attempt_id, x.amount,
          kontor_now()
        from acquirer_exchange x
        where x.state = 'Abandoned' and not exists (
          select from settlement_difference f
          where f.payee_id = x.payee_id and f.kind = 'abandoned' and f.attempt_id = x.attempt_id
        )
        on conflict do nothing`,
    },
    [],
  );
}

/** What waits for people, of all payees: indexes have what is open alone, but for disputes, of which there are few. */
export function selectMeasures(
  read: Read,
): Promise<Rows<{ readonly openDifferences: number; readonly untoldDays: number; readonly pressingDisputes: number }>> {
  return read(
    {
      name: 'settlements-select-measures',
      text: `
        select (select count(*) from settlement_difference where state = 'Open')::integer as "openDifferences",
          (
            select count(*) from settlement_day
            where due_at is not null and closed_at < (select kontor_now()) - interval '1 hour'
          )::integer as "untoldDays",
          (
            select count(*) from dispute join payee using (payee_id)
            where state = 'Open' and respond_by < (kontor_now() at time zone time_zone)::date + 3
          )::integer as "pressingDisputes"`,
    },
    [],
  );
}

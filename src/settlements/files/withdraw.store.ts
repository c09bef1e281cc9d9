import type { Transaction } from '../../db/transaction.types.ts';
import type { Currency } from '../../kit/money.ts';
import type { BatchKey } from './files.types.ts';

/** The batch: the first three values of every statement here. */
const valuesOf = ({ payeeId, acquirer, batchId }: BatchKey) => [payeeId, acquirer, batchId];
const NAMED = (of: string) => `${of}.payee_id = $1::uuid and ${of}.acquirer = $2::text and ${of}.batch_id = $3::text`;

/** A sale or refund that waits for its line again. */
export interface FreedItem {
  readonly attemptId: string;
  readonly agreement: string;
  readonly currency: Currency;
  readonly day: string;
  readonly amount: number;
}

const FREED = `
  i.attempt_id as "attemptId", i.agreement, i.currency, i.day::text as day, i.amount`;

/** Frees what the lines that this batch has booked had settled. */
export async function freeItems(transaction: Transaction, batch: BatchKey): Promise<readonly FreedItem[]> {
  const { rows } = await transaction.run<FreedItem>(
    {
      name: 'settlements-free-items',
      text: `
        update settlement_item i
        set batch_id = null, line_id = null
        from settlement_line l
        where l.payee_id = $1::uuid and l.acquirer = $2::text and l.booked_by = $3::text and i.payee_id = l.payee_id
          and i.attempt_id = l.attempt_id and i.acquirer = l.acquirer and i.batch_id = l.batch_id and i.line_id = l.line_id
        returning ${FREED}`,
    },
    valuesOf(batch),
  );
  return rows;
}

/** Frees what people have ended by a difference of this batch, and opens again what that had ended too. */
export async function freeEnded(transaction: Transaction, batch: BatchKey): Promise<readonly FreedItem[]> {
  await transaction.run(
    {
      name: 'settlements-reopen-ended-beside',
      text: `
        update settlement_difference f
        set state = 'Open', closed_at = null, reason = null, outcome = null
        from settlement_difference e
        join settlement_item i on i.payee_id = e.payee_id and i.ended_by = e.difference_id and i.attempt_id = e.attempt_id
        where ${NAMED('e')} and e.withdrawal_id is null and f.payee_id = e.payee_id and f.attempt_id = e.attempt_id
          and f.difference_id <> e.difference_id and f.state = 'Resolved' and f.outcome = e.outcome
          and f.closed_at = e.closed_at and f.batch_id is distinct from e.batch_id`,
    },
    valuesOf(batch),
  );
  const { rows } = await transaction.run<FreedItem>(
    {
      name: 'settlements-free-ended',
      text: `
        update settlement_item i
        set ended_by = null
        from settlement_difference e
        where ${NAMED('e')} and e.withdrawal_id is null and i.payee_id = e.payee_id and i.attempt_id = e.attempt_id
          and i.ended_by = e.difference_id
        returning ${FREED}`,
    },
    valuesOf(batch),
  );
  return rows;
}

/** Takes back what this batch has booked of lines of earlier ones: they differ again. */
export async function unbookEarlier(transaction: Transaction, batch: BatchKey): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-unbook-earlier',
      text: `
        update settlement_line l
        set booked_by = null, dispute_id = coalesce((l.dispute_before ->> 'disputeId')::uuid, l.dispute_id)
        where l.payee_id = $1::uuid and l.acquirer = $2::text and l.booked_by = $3::text and l.batch_id <> $3::text`,
    },
    valuesOf(batch),
  );
}

/** Opens again the differences of other lines that this batch has ended. */
export async function reopenCured(
  transaction: Transaction,
  batch: BatchKey,
): Promise<readonly { readonly differenceId: string; readonly paymentId: string | null }[]> {
  const { rows } = await transaction.run<{ readonly differenceId: string; readonly paymentId: string | null }>(
    {
      name: 'settlements-reopen-cured',
      text: `
        update settlement_difference f
        set state = 'Open', closed_at = null, reason = null, cured_by = null
        where f.payee_id = $1::uuid and f.acquirer = $2::text and f.cured_by = $3::text and f.state = 'Cured'
          and f.batch_id is distinct from $3::text
        returning f.difference_id as "differenceId", (
          select i.payment_id from settlement_item i
          where i.payee_id = f.payee_id and i.attempt_id = f.attempt_id and i.type = 'Sale'
        ) as "paymentId"`,
    },
    valuesOf(batch),
  );
  return rows;
}

/** Ends the differences of the batch's own lines. What people have said of them stays, where nothing was booked by it. */
export async function endOwn(
  transaction: Transaction,
  batch: BatchKey,
  { withdrawalId, reason }: { readonly withdrawalId: string; readonly reason: string },
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-end-own-differences',
      text: `
        update settlement_difference f
        set withdrawal_id = $4::uuid, cured_by = null, movement_id = null,
          state = case when f.outcome = 'AcquirersMistake' then f.state else 'Withdrawn' end,
          closed_at = coalesce(f.closed_at, kontor_now()),
          reason = case when f.outcome = 'AcquirersMistake' then f.reason else $5::text end,
          outcome = case when f.outcome = 'AcquirersMistake' then f.outcome end
        where ${NAMED('f')} and f.withdrawal_id is null`,
    },
    [...valuesOf(batch), withdrawalId, reason],
  );
}

/** What is kept of a withdrawn batch beside its rows. */
export interface NewWithdrawal {
  readonly withdrawalId: string;
  readonly oppositeId: string | null;
  readonly withdrawnBy: string;
  readonly reason: string;
}

/** Moves the batch and its lines to the withdrawn ones: its name is free. */
export async function moveBatch(
  transaction: Transaction,
  batch: BatchKey,
  { withdrawalId, oppositeId, withdrawnBy, reason }: NewWithdrawal,
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-insert-withdrawal',
      text: `
        insert into settlement_withdrawal (payee_id, withdrawal_id, acquirer, batch_id, name, merchant_id, number, currency, digest, lines,
          gross, fee, net, imported_at, movement_id, opposite_id, withdrawn_at, withdrawn_by, reason)
        select b.payee_id, $4::uuid, b.acquirer, b.batch_id, b.name, b.merchant_id, b.number, b.currency, b.digest, b.lines, b.gross, b.fee, b.net,
          b.imported_at, b.movement_id, $5::uuid, kontor_now(), $6::text, $7::text
        from settlement_batch b
        where ${NAMED('b')}`,
    },
    [...valuesOf(batch), withdrawalId, oppositeId, withdrawnBy, reason],
  );
  await transaction.run(
    {
      name: 'settlements-insert-withdrawn-lines',
      text: `
        insert into settlement_withdrawn_line (payee_id, withdrawal_id, line_id, line)
        select l.payee_id, $4::uuid, l.line_id, to_jsonb(l) from settlement_line l
        where ${NAMED('l')}`,
    },
    [...valuesOf(batch), withdrawalId],
  );
  await transaction.run(
    { name: 'settlements-delete-lines', text: `delete from settlement_line l where ${NAMED('l')}` },
    valuesOf(batch),
  );
  await transaction.run(
    { name: 'settlements-delete-batch', text: `delete from settlement_batch b where ${NAMED('b')}` },
    valuesOf(batch),
  );
}

/** Days that are no longer paid go back to what they were before. Those of freed sales and refunds are searched again for what is missing. */
export async function unsettleDays(
  transaction: Transaction,
  payeeId: string,
  freed: readonly FreedItem[],
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-unsettle-days',
      text: `
        update settlement_day d
        set updated_at = greatest(kontor_now(), updated_at), state = case
            when d.answered_at is null then 'Closed'
            when exists (
              select from settlement_difference t
              where t.payee_id = d.payee_id and t.kind = 'totalsDiffer' and t.agreement = d.agreement
                and t.currency = d.currency and t.day = d.day
            ) then 'Different'
            else 'Reconciled'
          end
        where d.payee_id = $1::uuid and d.state = 'Settled' and (
          exists (
            select from settlement_item i
            where i.acquirer = d.acquirer and i.day = d.day and i.payee_id = d.payee_id and i.agreement = d.agreement
              and i.currency = d.currency and i.type in ('Sale', 'Refund') and i.batch_id is null
              and i.ended_by is null
          )
          or exists (
            select from settlement_difference f
            where f.payee_id = d.payee_id and f.state = 'Open' and f.agreement = d.agreement
              and f.currency = d.currency and f.day = d.day
          )
        )`,
    },
    [payeeId],
  );
  await transaction.run(
    {
      name: 'settlements-search-again',
      text: `
        update settlement_day d
        set searched_at = null
        from unnest($2::text[], $3::text[], $4::date[]) as f (agreement, currency, day)
        where d.payee_id = $1::uuid and d.agreement = f.agreement and d.currency = f.currency and d.day = f.day`,
    },
    [
      payeeId,
      freed.map(({ agreement }) => agreement),
      freed.map(({ currency }) => currency),
      freed.map(({ day }) => day),
    ],
  );
}

import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { DisputeBefore } from '../disputes/disputes.types.ts';
import type { Share } from '../shares.types.ts';
import type { BatchKey } from './files.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './said-of-sale.types.ts';

/** The batch: the first three values of every statement here. */
const valuesOf = ({ payeeId, acquirer, batchId }: BatchKey) => [payeeId, acquirer, batchId];
const NAMED = (of: string) => `${of}.payee_id = $1::uuid and ${of}.acquirer = $2::text and ${of}.batch_id = $3::text`;

/** A stored batch. */
export interface StandingBatch extends BatchKey {
  readonly number: number;
  /** As its file has it, with the merchant number that it is for. */
  readonly name: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly net: number;
  readonly movementId: string | null;
  /** The movements that have converted other currencies. */
  readonly conversionIds: readonly string[];
  /** What its movement has booked. */
  readonly booked: number;
}

/** Names a batch by its place in the order of imports. */
interface Numbered {
  readonly payeeId: PayeeId;
  readonly number: number;
}

/** A batch that stands, locked. */
export async function lockBatch(
  transaction: Transaction,
  { payeeId, number }: Numbered,
): Promise<StandingBatch | undefined> {
  const { rows } = await transaction.run<StandingBatch>(
    {
      name: 'settlements-lock-batch',
      text: `
        select b.payee_id as "payeeId", b.acquirer, b.batch_id as "batchId", b.number, b.name, b.merchant_id as "merchantId", b.currency, b.net, b.movement_id as "movementId",
          b.conversion_ids as "conversionIds", coalesce((
            select sum(e.amount) from entry e
            where e.payee_id = b.payee_id and e.movement_id = b.movement_id and e.side = 'Issuer'
          ), 0)::bigint as booked
        from settlement_batch b
        where b.payee_id = $1::uuid and b.number = $2::bigint
        for update`,
    },
    [payeeId, number],
  );
  return rows[0];
}

/** Whether that very batch was withdrawn before. */
export async function wasWithdrawn(transaction: Transaction, { payeeId, number }: Numbered): Promise<boolean> {
  const { count } = await transaction.run(
    {
      name: 'settlements-was-withdrawn',
      text: 'select 1 from settlement_withdrawal where payee_id = $1::uuid and number = $2::bigint limit 1',
    },
    [payeeId, number],
  );
  return count > 0;
}

/** A later batch that rests on this one, and by what. */
export interface Resting {
  readonly name: string;
  readonly by: 'cure' | 'twice' | 'dispute';
}

/** The last batch that rests on this one: it has cured a line of it, was judged beside it, or goes on with its disputes. */
export async function selectResting(
  transaction: Transaction,
  batch: BatchKey,
  number: number,
): Promise<Resting | undefined> {
  const { rows } = await transaction.run<Resting>(
    {
      name: 'settlements-select-resting',
      text: `
        with own as materialized (
          select * from settlement_line l where ${NAMED('l')}
        ), settled as (
          select i.attempt_id from settlement_line l
          join settlement_item i on i.payee_id = l.payee_id and i.acquirer = l.acquirer and i.batch_id = l.batch_id
            and i.line_id = l.line_id
          where l.payee_id = $1::uuid and l.acquirer = $2::text and l.booked_by = $3::text
        ), resting as (
          select booked_by as batch_id, 'cure' as by from own where booked_by <> batch_id
          union all
          select f.batch_id, 'twice' from settlement_difference f
          where f.payee_id = $1::uuid and f.acquirer = $2::text and f.kind = 'twice' and f.state = 'Open'
            and f.attempt_id in (select attempt_id from settled)
          union all
          select l.batch_id, 'dispute' from settlement_line l
          where l.payee_id = $1::uuid and l.acquirer = $2::text and l.type in ('Chargeback', 'ChargebackReversal')
            and (
              l.attempt_id in (select attempt_id from own where type in ('Chargeback', 'ChargebackReversal'))
              or l.dispute_id in (select dispute_id from own)
            )
        )
        select b.name, r.by
        from resting r
        join settlement_batch b on b.payee_id = $1::uuid and b.acquirer = $2::text and b.batch_id = r.batch_id
        where b.number > $4::bigint
        order by b.number desc, r.by
        limit 1`,
    },
    [...valuesOf(batch), number],
  );
  return rows[0];
}

/** What a batch has booked for disputes, line by line. */
export async function selectDisputed(
  transaction: Transaction,
  batch: BatchKey,
): Promise<readonly (Share & { readonly currency: Currency })[]> {
  const { rows } = await transaction.run<Share & { readonly currency: Currency }>(
    {
      name: 'settlements-select-booked-disputes',
      text: `
        select ${SAID_AMOUNT} as amount, ${SAID_CURRENCY} as currency, d.agreement
        from settlement_line l join dispute d on d.payee_id = l.payee_id and d.dispute_id = l.dispute_id
        where ${NAMED('l')} and l.booked_by = $3::text and l.dispute_id is not null and ${SAID_AMOUNT} <> 0
        order by l.line_id`,
    },
    valuesOf(batch),
  );
  return rows;
}

/** A dispute as it stood before the lines of a batch. */
export interface TouchedDispute extends Pick<DisputeBefore, 'disputeId'> {
  readonly paymentId: string;
  /** Null where the batch has opened it; undefined where that was not kept. */
  readonly before: DisputeBefore['standing'] | undefined;
}

/** The disputes that the lines of a batch are about. Lines that were imported before this was kept are alone, or cannot be taken back. */
export async function selectTouched(transaction: Transaction, batch: BatchKey): Promise<readonly TouchedDispute[]> {
  const { rows } = await transaction.run<TouchedDispute & { readonly isKept: boolean; readonly isAlone: boolean }>(
    {
      name: 'settlements-select-touched-disputes',
      text: `
        with line as (
          select coalesce(l.dispute_id, (l.dispute_before ->> 'disputeId')::uuid) as dispute_id, l.dispute_before as before
          from settlement_line l
          where ${NAMED('l')} and l.type in ('Chargeback', 'ChargebackReversal')
        ), first as (
          select distinct on (dispute_id) dispute_id, before
          from line
          where dispute_id is not null
          order by dispute_id, (before ->> 'eventSequence')::bigint nulls first
        )
        select d.dispute_id as "disputeId", d.payment_id as "paymentId", nullif(f.before -> 'standing', 'null') as before,
          f.before is not null as "isKept", not exists (
            select from settlement_line o
            where o.payee_id = d.payee_id and o.dispute_id = d.dispute_id and o.batch_id <> $3::text
          ) as "isAlone"
        from first f
        join dispute d on d.payee_id = $1::uuid and d.dispute_id = f.dispute_id
        order by d.dispute_id`,
    },
    valuesOf(batch),
  );
  return rows.map(({ isKept, isAlone, before, ...one }) => ({
    ...one,
    before: isKept || isAlone ? before : undefined,
  }));
}

/** What of payments is asked back, and whether that is more than what can still be given back. */
export async function selectAskedBack(
  transaction: Transaction,
  payeeId: string,
  paymentIds: readonly string[],
): Promise<readonly { readonly paymentId: string; readonly disputed: number; readonly isRefunded: boolean }[]> {
  const { rows } = await transaction.run<{ paymentId: string; disputed: number; isRefunded: boolean }>(
    {
      name: 'settlements-select-asked-back',
      text: `
        select payment_id as "paymentId", disputed, disputed > captured - reversed as "isRefunded" from card_payment
        where payee_id = $1::uuid and payment_id = any($2::uuid[])
        union all
        select payment_id, disputed, disputed > captured - reversed from payment
        where payee_id = $1::uuid and payment_id = any($2::uuid[])`,
    },
    [payeeId, paymentIds],
  );
  return rows;
}

/** A batch by what a person calls it. */
export interface NamedBatch extends BatchKey {
  readonly merchantId: string;
  readonly number: number;
  /** Whether it stands; else it was withdrawn. */
  readonly stands: boolean;
}

/** Batches of a name, one for each acquirer and merchant number that has one: the one that stands, or the last one that was withdrawn. */
export async function selectNamed(
  read: Read,
  { payeeId, name }: { readonly payeeId: PayeeId; readonly name: string },
): Promise<readonly NamedBatch[]> {
  const { rows } = await read<NamedBatch>(
    {
      name: 'settlements-select-named-batches',
      text: `
        select distinct on (b.acquirer, b.merchant_id) $1::uuid as "payeeId", b.acquirer, b.merchant_id as "merchantId", b.batch_id as "batchId",
          b.number, b.stands
        from (
          select acquirer, merchant_id, batch_id, number, true as stands from settlement_batch
          where payee_id = $1::uuid and name = $2::text
          union all
          select acquirer, merchant_id, batch_id, number, false from settlement_withdrawal
          where payee_id = $1::uuid and name = $2::text
        ) b
        order by b.acquirer, b.merchant_id, b.stands desc, b.number desc`,
    },
    [payeeId, name],
  );
  return rows;
}

/** What went through a batch that stands: all that it paid and kept, whatever its sum. */
export async function selectTurnover(
  read: Read,
  payeeId: PayeeId,
  number: number,
): Promise<{ readonly amount: number; readonly currency: Currency } | undefined> {
  const { rows } = await read<{ readonly amount: number; readonly currency: Currency }>(
    {
      name: 'settlements-select-turnover',
      text: `
        select b.currency, coalesce(sum(abs(l.gross) + abs(l.fee)) filter (where l.type <> 'Payout'), 0)::bigint as amount
        from settlement_batch b
        join settlement_line l on l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.batch_id = b.batch_id
        where b.payee_id = $1::uuid and b.number = $2::bigint
        group by b.currency`,
    },
    [payeeId, number],
  );
  return rows[0];
}

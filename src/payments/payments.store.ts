import { overRows, type PayeeTexts } from '../db/rows/over-rows.ts';
import { columnsFrom, insertRows, prefixed, rowAmong, updateRows } from '../db/rows/tables.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read } from '../db/transaction.types.ts';
import {
  accountPaymentsUnderWay,
  cardPaymentsUnderWay,
  HISTORY_COLUMNS,
} from '../engine/card-history/card-history-columns.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { ChangeCommand } from './payment-commands.types.ts';
import { CARD_PAYMENT, CARD_TRANSACTION, EXCHANGE } from './payments.tables.ts';
import type {
  AskedTransaction,
  CardPayment,
  CardPaymentJob,
  CardPaymentKey,
  ChangedTransaction,
  LoadedPayment,
  LoadedRow,
} from './payments.types.ts';

const LOADED_BY = {
  ...CARD_PAYMENT.key,
  transaction_id: ['uuid', ({ transactionId }: ChangeCommand) => transactionId ?? null],
  card_digest: ['bytea', ({ cardDigest }: ChangeCommand) => cardDigest ?? null],
} as const;

/** @param underWay counts what waits for its issuer with the card */
const loading = ({ payee, places }: PayeeTexts, underWay: string) => `
    select v.position::integer - 1 as position, p.*, t.*, d.declines, u.*, c.*, ${HISTORY_COLUMNS}
    from ${places}
    cross join lateral (
      select ${CARD_PAYMENT.columns} from card_payment
      where payee_id = ${payee} and payment_id = v.payment_id
      limit 1
    ) p
    left join lateral (
      select ${prefixed('named', CARD_TRANSACTION)} from card_transaction
      where payee_id = ${payee} and payment_id = v.payment_id
        and (transaction_id = v.transaction_id or state = 'AwaitingActivity')
      order by transaction_id = v.transaction_id desc nulls last
      limit 1
    ) t on true
    cross join lateral (
      select count(*)::integer as declines
      from (
        select from card_transaction
        where payee_id = ${payee} and card_digest = v.card_digest and state = 'Failed'
          and updated_at > kontor_now() - interval '1 hour'
        limit 20
      ) declined
    ) d
    cross join lateral (
      select ${underWay} as "triesUnderWay"
    ) u
    cross join lateral (
      select coalesce(sum(vat_amount) filter (where type = 'Capture' and state <> 'Failed'), 0)::bigint as "vatCaptured",
        count(*) filter (where type = 'Capture')::integer as captures,
        count(*) filter (where type = 'Reversal')::integer as reversals
      from card_transaction
      where p."paidBy" is not null
        and payee_id = ${payee} and payment_id = v.payment_id and type in ('Capture', 'Reversal')
    ) c
    left join lateral (
      select * from blocked_card
      where payee_id = ${payee} and card_digest = coalesce(v.card_digest, t."namedCardDigest")
      limit 1
    ) b on true`;

/** What rules see of locked payments: see `LoadedRow`. */
export const loadPayments = overRows<ChangeCommand>({
  name: 'payments-load',
  columns: LOADED_BY,
  text: (texts) => loading(texts, cardPaymentsUnderWay(texts.payee)),
}).ask;

const accountOfCard = (payee: string) =>
  `(select account_id from account where payee_id = ${payee} and number_digest = v.number_digest)`;

const underWayWithRenewals = (payee: string) =>
  `${cardPaymentsUnderWay(payee)} + ${accountPaymentsUnderWay(payee, accountOfCard(payee))}`;

/** The same of renewals, whose card is an account too where account payments have charged it. */
export const loadRenewals = overRows<ChangeCommand>({
  name: 'payments-load-renewals',
  columns: { ...LOADED_BY, number_digest: ['bytea', ({ numberDigest }) => numberDigest ?? null] },
  text: (texts) => loading(texts, underWayWithRenewals(texts.payee)),
}).ask;

/** A locked payment with its named transaction as one. */
export function loadedPayment(row: LoadedRow): LoadedPayment {
  const named = row.namedTransactionId === null ? null : rowAmong('named', CARD_TRANSACTION, row);
  return { ...row, named };
}

/** Adds payments that are not paid yet. */
export const insertPayments = insertRows('payments-insert', CARD_PAYMENT);

/** Writes payments that were changed, each from the version that was seen. */
export const updatePayments = updateRows({
  name: 'payments-update',
  table: CARD_PAYMENT,
  seen: 'version',
  from: ({ version }) => version - 1,
});

/** Adds transactions. */
export const insertTransactions = insertRows('payments-insert-transactions', CARD_TRANSACTION);

/** Writes transactions that were changed, each from the state that was seen. */
export const updateTransactions = updateRows({
  name: 'payments-update-transactions',
  table: CARD_TRANSACTION,
  seen: 'state',
  from: ({ from }: ChangedTransaction) => from,
});

/** One payment with the present instant; none where it is unknown or another payee's. */
export async function selectPayment(
  read: Read,
  { payeeId, paymentId }: CardPaymentKey,
): Promise<(CardPayment & { readonly now: string }) | undefined> {
  const { rows } = await read<CardPayment & { readonly now: string }>(
    {
      name: 'payments-select',
      text: `select ${CARD_PAYMENT.columns}, kontor_now() as now from card_payment where payee_id = $1 and payment_id = $2`,
    },
    [payeeId, paymentId],
  );
  return rows[0];
}

/** The transactions of a payment, oldest first: a number is taken before the payment is locked, so it does not tell. */
export async function selectTransactions(
  read: Read,
  { payeeId, paymentId }: CardPaymentKey,
): Promise<readonly AskedTransaction[]> {
  const { rows } = await read<AskedTransaction>(
    {
      name: 'payments-select-transactions',
      text: `
        select ${columnsFrom('t', CARD_TRANSACTION)}, ${EXCHANGE}
        from card_transaction t
        left join acquirer_exchange e on e.payee_id = t.payee_id and e.attempt_id = t.attempt_id and e.kind = 'Ask'
        where t.payee_id = $1 and t.payment_id = $2
        order by t.created_at, t.number`,
    },
    [payeeId, paymentId],
  );
  return rows;
}

/** What card payments wait for, by the job that looks after it: those that wait longest are the first of an index. One of an order ends with that. */
const DUE = {
  'end-card-payments': { since: 'expires_at', which: "state = 'Ready' and paid_by is null and order_id is null" },
  // What an acquirer has declined is asked for again an hour later. A refund after the end puts nothing off.
  'end-card-authorizations': {
    since: 'authorized_until',
    which: `captured + cancelled < amount
          and (updated_at < authorized_until or not exists (
            select from card_transaction t
            where t.payee_id = card_payment.payee_id and t.payment_id = card_payment.payment_id
              and t.type = 'Cancellation' and t.state = 'Failed' and t.created_at >= card_payment.authorized_until
              and t.updated_at > (select kontor_now()) - interval '1 hour'))`,
  },
} as const satisfies Readonly<Record<CardPaymentJob, unknown>>;

/** All of them. */
export const CARD_PAYMENT_JOBS = Object.keys(DUE) as readonly CardPaymentJob[];

/** A payment whose time has come. */
export interface DuePayment extends CardPaymentKey {
  readonly overdueSeconds: number;
}

/** Payments of all payees that were not paid in time, or whose authorization is over; those that wait longest first. */
export async function selectDuePayments(
  read: Read,
  job: CardPaymentJob,
  limit: number,
): Promise<readonly DuePayment[]> {
  const { since, which } = DUE[job];
  const { rows } = await read<DuePayment>(
    {
      name: `payments-select-due-${job}`,
      text: `
        select payee_id as "payeeId", payment_id as "paymentId",
          extract(epoch from kontor_now() - ${since})::float8 as "overdueSeconds"
        from card_payment
        where ${which} and ${since} <= (select kontor_now()) and unsettled = 0
          and ${isFreeFor(job, 'card_payment.payee_id', 'card_payment.payment_id::text')}
        order by ${since}
        limit $1::integer`,
    },
    [limit],
  );
  return rows;
}

/** Of these sealed cards, those that a transaction still needs. */
export async function selectHeld(
  read: Read,
  payeeId: string,
  instrumentIds: readonly InstrumentId[],
): Promise<readonly InstrumentId[]> {
  const { rows } = await read<{ readonly instrumentId: InstrumentId }>(
    {
      name: 'payments-select-held',
      text: `
        select v.instrument_id as "instrumentId"
        from unnest($2::uuid[]) as v (instrument_id)
        where exists (
          select from card_transaction
          where payee_id = $1 and instrument_id = v.instrument_id and state in ('Initialized', 'AwaitingActivity')
        )`,
    },
    [payeeId, instrumentIds],
  );
  return rows.map(({ instrumentId }) => instrumentId);
}

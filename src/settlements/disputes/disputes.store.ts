import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LockKey } from '../../ledger/locks.types.ts';
import { SAID_AMOUNT } from '../files/said-of-sale.types.ts';
import { behind, openedWithin } from '../list-bounds.types.ts';
import type { Dispute, DisputedPayment, DisputesAsked, OfPayment } from './disputes.types.ts';

/** What of the payment was refunded: the holder of the card has that already. */
const REFUNDED = `coalesce(
    (select c.reversed from card_payment c where c.payee_id = dispute.payee_id and c.payment_id = dispute.payment_id),
    (select p.reversed from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id),
    0
  )`;

/** The order of the payment that it is about. */
const ORDER_ID = `coalesce(
    (select c.order_id from card_payment c where c.payee_id = dispute.payee_id and c.payment_id = dispute.payment_id),
    (select p.order_id from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id)
  )`;

/** Of an order its own reference, else the payment's. */
const ORDER_REFERENCE = `coalesce(
    (
      select coalesce(o.terms #>> '{payeeInfo,orderReference}', o.terms #>> '{payeeInfo,payeeReference}')
      from payment_order o
      where o.payee_id = dispute.payee_id and o.order_id = ${ORDER_ID}
    ),
    (
      select coalesce(c.terms #>> '{payeeInfo,orderReference}', c.terms #>> '{payeeInfo,payeeReference}')
      from card_payment c
      where c.payee_id = dispute.payee_id and c.payment_id = dispute.payment_id
    ),
    (select p.payment_order_ref from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id)
  )`;

const COLUMNS = `
  payee_id as "payeeId", dispute_id as "disputeId", acquirer, agreement, case_id as "caseId", attempt_id as "attemptId",
  payment_id as "paymentId", transaction_id as "transactionId", (
    select p.account_id from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id
  ) as "accountId", ${ORDER_ID} as "orderId", ${ORDER_REFERENCE} as "orderReference", ${REFUNDED} as refunded, coalesce(
    (select c.currency from card_payment c where c.payee_id = dispute.payee_id and c.payment_id = dispute.payment_id),
    (select p.currency from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id),
    currency
  ) as "paymentCurrency", taken, stage, state, reason_code as "reasonCode", category, amount,
  currency, respond_by::text as "respondBy", opened_at as "openedAt", updated_at as "updatedAt",
  event_sequence as "eventSequence"`;

/** Disputes of a payee, the latest first. */
export async function selectDisputes(
  read: Read,
  { payeeId, state, from, to, after, limit }: DisputesAsked,
): Promise<readonly Dispute[]> {
  const isAny = state === undefined;
  const { rows } = await read<Dispute>(
    {
      name: `settlements-select-disputes-${isAny ? 'of-any-state' : 'by-state'}`,
      text: `
        select ${COLUMNS} from dispute
        where payee_id = $1::uuid and ${openedWithin('$4', '$5')}
          and ${behind({ table: 'dispute', at: 'opened_at', id: 'dispute_id' })} ${isAny ? '' : 'and state = $6::text'}
        order by opened_at desc, dispute_id desc
        limit $2::integer`,
    },
    [payeeId, limit, after ?? null, from ?? null, to ?? null, ...(isAny ? [] : [state])],
  );
  return rows;
}

/** One dispute. */
export async function selectDispute(
  { run }: Transaction,
  payeeId: PayeeId,
  disputeId: string,
): Promise<Dispute | undefined> {
  const { rows } = await run<Dispute>(
    {
      name: 'settlements-select-dispute',
      text: `select ${COLUMNS} from dispute where payee_id = $1::uuid and dispute_id = $2::uuid`,
    },
    [payeeId, disputeId],
  );
  return rows[0];
}

/** One dispute, locked. */
export async function lockDispute(
  transaction: Transaction,
  payeeId: PayeeId,
  disputeId: string,
): Promise<Dispute | undefined> {
  const { rows } = await transaction.run<Dispute>(
    {
      name: 'settlements-lock-dispute',
      text: `select ${COLUMNS} from dispute where payee_id = $1::uuid and dispute_id = $2::uuid for update`,
    },
    [payeeId, disputeId],
  );
  return rows[0];
}

/** The dispute of a case, locked; undefined where it is a new one. */
export async function lockCase(
  transaction: Transaction,
  { payeeId, acquirer, caseId }: Pick<Dispute, 'payeeId' | 'acquirer' | 'caseId'>,
): Promise<Dispute | undefined> {
  const { rows } = await transaction.run<Dispute>(
    {
      name: 'settlements-lock-case',
      text: `
        select ${COLUMNS} from dispute
        where payee_id = $1::uuid and acquirer = $2::text and case_id = $3::text and state <> 'Withdrawn'
        for update`,
    },
    [payeeId, acquirer, caseId],
  );
  return rows[0];
}

/** Adds a dispute, or changes what may change of it; when that was, and what of its payment was refunded. */
export async function upsertDispute(
  transaction: Transaction,
  dispute: Omit<Dispute, 'openedAt' | 'updatedAt' | keyof OfPayment>,
): Promise<Pick<Dispute, 'updatedAt' | 'refunded'> | undefined> {
  const { rows } = await transaction.run<Pick<Dispute, 'updatedAt' | 'refunded'>>(
    {
      name: 'settlements-upsert-dispute',
      text: `
        insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, transaction_id,
          stage, state, reason_code, category, amount, currency, taken, respond_by, opened_at, updated_at,
          event_sequence)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::uuid, $9::text, $10::text,
          $11::text, $12::text, $13::bigint, $14::text, $15::bigint, $16::date, kontor_now(), kontor_now(), $17::bigint)
        on conflict (payee_id, dispute_id) do update
        set stage = excluded.stage, state = excluded.state, reason_code = excluded.reason_code,
          category = excluded.category, amount = excluded.amount, currency = excluded.currency, taken = excluded.taken,
          respond_by = excluded.respond_by,
          updated_at = greatest(dispute.updated_at, kontor_now()), event_sequence = excluded.event_sequence
        where dispute.event_sequence = excluded.event_sequence - 1
        returning updated_at as "updatedAt", ${REFUNDED} as refunded`,
    },
    [
      dispute.payeeId,
      dispute.disputeId,
      dispute.acquirer,
      dispute.agreement,
      dispute.caseId,
      dispute.attemptId,
      dispute.paymentId,
      dispute.transactionId,
      dispute.stage,
      dispute.state,
      dispute.reasonCode,
      dispute.category,
      dispute.amount,
      dispute.currency,
      dispute.taken,
      dispute.respondBy,
      dispute.eventSequence,
    ],
  );
  return rows[0];
}

/** What of a payment its disputes block: what lines have taken, and the whole of a sale while a chargeback of it differs. */
const BLOCKED = `
  select coalesce(sum(case when o.differs then i.amount else o.taken end), 0)::bigint
  from (
    select l.attempt_id, -coalesce(sum(${SAID_AMOUNT}) filter (where l.booked_by is not null), 0) as taken,
      bool_or(l.type = 'Chargeback' and exists (
        select from settlement_difference f
        where f.payee_id = l.payee_id and f.acquirer = l.acquirer and f.batch_id = l.batch_id and f.line_id = l.line_id
          and f.state = 'Open'
      )) as differs
    from dispute d
    join settlement_line l on l.payee_id = d.payee_id and l.dispute_id = d.dispute_id
    where d.payee_id = $1::uuid and d.payment_id = $2::uuid
    group by l.attempt_id
  ) o
  join settlement_item i on i.payee_id = $1::uuid and i.attempt_id = o.attempt_id and i.type = 'Sale'`;

const LOCK_ACCOUNTS = overRows<DisputedPayment>({
  name: 'settlements-lock-accounts-of-disputed',
  columns: { payment_id: ['uuid', 'paymentId'] },
  text: ({ payee, rows, matches }) => `
    select from (
      select distinct ${payee} as payee_id, p.account_id
      from ${rows}
      cross join lateral (select account_id from payment where ${matches} limit 1) p
      order by 1, 2
    ) named
    cross join lateral (
      select from account where payee_id = named.payee_id and account_id = named.account_id
      limit 1
      for no key update
    ) locked`,
});

/** Locks the accounts of account payments, in the order in which batches do. */
export async function lockAccountsOf(transaction: Transaction, payments: readonly DisputedPayment[]): Promise<void> {
  await transaction.run(LOCK_ACCOUNTS, LOCK_ACCOUNTS.values(payments));
}

const SELECT_HEADERS = overRows<DisputedPayment>({
  name: 'settlements-select-headers-of-disputed',
  columns: { payment_id: ['uuid', 'paymentId'] },
  text: ({ payee, rows, matches }) => `
    select distinct ${payee} as "payeeId", p.id
    from ${rows}
    cross join lateral (
      select coalesce(order_id, payment_id) as id from card_payment where ${matches}
      limit 1
    ) p`,
});

/** The locks of card payments: each its own, or that of its order. */
export async function selectHeaders(
  transaction: Transaction,
  payments: readonly DisputedPayment[],
): Promise<readonly LockKey[]> {
  return (await transaction.run<LockKey>(SELECT_HEADERS, SELECT_HEADERS.values(payments))).rows;
}

/** Notes what of a payment that is locked cannot be given back. */
export async function updateDisputed(transaction: Transaction, { payeeId, paymentId }: DisputedPayment): Promise<void> {
  const key = [payeeId, paymentId];
  await transaction.run(
    {
      name: 'settlements-update-disputed',
      text: `
        update card_payment p set disputed = b.blocked, version = version + 1
        from (select (${BLOCKED}) as blocked) b
        where p.payee_id = $1::uuid and p.payment_id = $2::uuid and p.disputed <> b.blocked`,
    },
    key,
  );
  await transaction.run(
    {
      name: 'settlements-update-disputed-of-account',
      text: `
        update payment p set disputed = b.blocked
        from (select (${BLOCKED}) as blocked) b
        where p.payee_id = $1::uuid and p.payment_id = $2::uuid and p.disputed <> b.blocked`,
    },
    key,
  );
}

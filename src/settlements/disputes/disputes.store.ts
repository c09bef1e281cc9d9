import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Dispute, DisputedChange, DisputesAsked } from './disputes.types.ts';

const COLUMNS = `
  payee_id as "payeeId", dispute_id as "disputeId", acquirer, agreement, case_id as "caseId", attempt_id as "attemptId",
  payment_id as "paymentId", transaction_id as "transactionId", (
    select p.account_id from payment p where p.payee_id = dispute.payee_id and p.payment_id = dispute.payment_id
  ) as "accountId", stage, state, reason_code as "reasonCode", category, amount,
  currency, respond_by::text as "respondBy", opened_at as "openedAt", updated_at as "updatedAt",
  event_sequence as "eventSequence"`;

/** Disputes of a payee, the latest first. */
export async function selectDisputes(
  read: Read,
  { payeeId, state, after, limit }: DisputesAsked,
): Promise<readonly Dispute[]> {
  const { rows } = await read<Dispute>(
    {
      name: 'settlements-select-disputes',
      text: `
        select ${COLUMNS} from dispute
        where payee_id = $1::uuid and ($2::text is null or state = $2::text) and (
          $3::uuid is null or (opened_at, dispute_id) < (
            select opened_at, dispute_id from dispute where payee_id = $1::uuid and dispute_id = $3::uuid
          )
        )
        order by opened_at desc, dispute_id desc
        limit $4::integer`,
    },
    [payeeId, state ?? null, after ?? null, limit],
  );
  return rows;
}

/** One dispute. */
export async function selectDispute(
  { run }: Pick<Transaction, 'run'>,
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
        where payee_id = $1::uuid and acquirer = $2::text and case_id = $3::text
        for update`,
    },
    [payeeId, acquirer, caseId],
  );
  return rows[0];
}

/** Adds a dispute, or changes what may change of it; when that was. */
export async function upsertDispute(
  transaction: Transaction,
  dispute: Omit<Dispute, 'openedAt' | 'updatedAt' | 'accountId'>,
): Promise<string> {
  const { rows } = await transaction.run<{ readonly updatedAt: string }>(
    {
      name: 'settlements-upsert-dispute',
      text: `
        insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, transaction_id,
          stage, state, reason_code, category, amount, currency, respond_by, opened_at, updated_at, event_sequence)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::uuid, $9::text, $10::text,
          $11::text, $12::text, $13::bigint, $14::text, $15::date, kontor_now(), kontor_now(), $16::bigint)
        on conflict (payee_id, dispute_id) do update
        set stage = excluded.stage, state = excluded.state, reason_code = excluded.reason_code,
          category = excluded.category, amount = excluded.amount, respond_by = excluded.respond_by,
          updated_at = greatest(dispute.updated_at, kontor_now()), event_sequence = excluded.event_sequence
        where dispute.event_sequence = excluded.event_sequence - 1
        returning updated_at as "updatedAt"`,
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
      dispute.respondBy,
      dispute.eventSequence,
    ],
  );
  return rows[0]?.updatedAt ?? '';
}

/**
 * Notes how much more of a payment cannot be given back. An account payment changes under its account's lock alone, so that a
 * batch that has read it does not give back meanwhile what is asked back.
 */
export async function addDisputed(
  transaction: Transaction,
  { payeeId, paymentId, more }: DisputedChange,
): Promise<void> {
  const { count } = await transaction.run(
    {
      name: 'settlements-add-disputed',
      text: `
        update card_payment set disputed = disputed + $3::bigint, version = version + 1
        where payee_id = $1::uuid and payment_id = $2::uuid`,
    },
    [payeeId, paymentId, more],
  );
  if (count > 0) return;
  await transaction.run(
    {
      name: 'settlements-lock-disputed-account',
      text: `
        select account_id from account
        where payee_id = $1::uuid
          and account_id = (select account_id from payment where payee_id = $1::uuid and payment_id = $2::uuid)
        for no key update`,
    },
    [payeeId, paymentId],
  );
  await transaction.run(
    {
      name: 'settlements-add-disputed-of-account',
      text: `
        update payment set disputed = disputed + $3::bigint
        where payee_id = $1::uuid and payment_id = $2::uuid`,
    },
    [payeeId, paymentId, more],
  );
}

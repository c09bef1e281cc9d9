import { overRows } from '../../db/rows/over-rows.ts';
import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyChange, KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import type { Authentication, AuthenticationState, OverdueAuthentication } from './three-ds.types.ts';

/** Names an authentication. */
export type AuthenticationKey = Pick<Authentication, 'payeeId' | 'serverTransactionId'>;

const COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", transaction_id as "transactionId",
  three_ds_server_trans_id as "serverTransactionId", scheme, version, state, method_url as "methodUrl",
  ds_trans_id as "dsTransactionId", acs_trans_id as "acsTransactionId", acs_url as "acsUrl",
  trans_status as "transStatus", reason, eci, cardholder_info as "cardholderInfo", value_sealed as "valueSealed",
  challenge_wanted as "isChallengeWanted", challenge_shown as "isChallengeShown", result_digest as "resultDigest",
  agreement as "agreementId",
  created_at as "createdAt", expires_at as "expiresAt"`;

/** A new one, in the state `Created` or, where the issuer has a method URL, `Method`. */
export type NewAuthentication = Pick<
  Authentication,
  | 'payeeId'
  | 'paymentId'
  | 'transactionId'
  | 'serverTransactionId'
  | 'scheme'
  | 'version'
  | 'methodUrl'
  | 'isChallengeWanted'
  | 'agreementId'
>;

/** Adds one that ends by itself after so many seconds. */
export async function insertAuthentication(
  transaction: Transaction,
  row: NewAuthentication,
  seconds: number,
): Promise<Authentication | undefined> {
  const { rows } = await transaction.run<Authentication>(
    {
      name: 'authentication-insert',
      text: `
        insert into authentication (payee_id, three_ds_server_trans_id, payment_id, transaction_id, scheme, version,
          method_url, challenge_wanted, agreement, state, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $7::text is null then 'Created' else 'Method' end,
          kontor_now(), kontor_now() + $10::integer * interval '1 second')
        returning ${COLUMNS}`,
    },
    [
      row.payeeId,
      row.serverTransactionId,
      row.paymentId,
      row.transactionId,
      row.scheme,
      row.version,
      row.methodUrl,
      row.isChallengeWanted,
      row.agreementId,
      seconds,
    ],
  );
  return rows[0];
}

/** The last one of a transaction. */
export function selectAuthenticationOf(
  read: Read,
  { payeeId, transactionId }: { readonly payeeId: PayeeId; readonly transactionId: TransactionId },
): Promise<Rows<Authentication>> {
  return read<Authentication>(
    {
      name: 'authentication-select-of-transaction',
      text: `
        select ${COLUMNS}
        from authentication
        where payee_id = $1 and transaction_id = $2
        order by created_at desc
        limit 1`,
    },
    [payeeId, transactionId],
  );
}

/** The one that a message names. */
export function selectAuthenticationNamed(read: Read, serverTransactionId: string): Promise<Rows<Authentication>> {
  return read<Authentication>(
    {
      name: 'authentication-select-named',
      text: `
        select ${COLUMNS}
        from authentication
        where three_ds_server_trans_id = $1`,
    },
    [serverTransactionId],
  );
}

/** Locks the one that a result names. Its id is ours, and no two have the same. */
export async function lockAuthenticationNamed(
  transaction: Transaction,
  serverTransactionId: string,
): Promise<Authentication | undefined> {
  const { rows } = await transaction.run<Authentication>(
    {
      name: 'authentication-lock-named',
      text: `
        select ${COLUMNS}
        from authentication
        where three_ds_server_trans_id = $1
        for no key update`,
    },
    [serverTransactionId],
  );
  return rows[0];
}

/** What changes with a step, each from the states that it must be in. */
export interface AuthenticationStep extends AuthenticationKey {
  readonly from: readonly AuthenticationState[];
  readonly to: AuthenticationState;
  readonly dsTransactionId?: string;
  readonly acsTransactionId?: string;
  readonly acsUrl?: string;
  readonly transStatus?: string | null;
  readonly reason?: string | null;
  readonly eci?: string | null;
  readonly cardholderInfo?: string;
  readonly value?: { readonly sealed: Buffer; readonly sealedWith: KeyId };
  readonly resultDigest?: Buffer;
  /** Seconds until a job looks after it; null where it has ended, and nothing of it is to be looked after. */
  readonly expiresIn: number | null;
}

/** Moves one on. What a step does not name stays. @returns how many: 0 where it was in none of the states */
export async function moveAuthentication(transaction: Transaction, step: AuthenticationStep): Promise<number> {
  const { value } = step;
  const { count } = await transaction.run(
    {
      name: 'authentication-move',
      text: `
        update authentication
        set state = $4::text,
          ds_trans_id = coalesce($5::uuid, ds_trans_id),
          acs_trans_id = coalesce($6::uuid, acs_trans_id),
          acs_url = coalesce($7::text, acs_url),
          trans_status = coalesce($8::text, trans_status),
          reason = coalesce($9::text, reason),
          eci = coalesce($10::text, eci),
          cardholder_info = coalesce($11::text, cardholder_info),
          value_sealed = $12::bytea,
          sealed_with = $13::text,
          result_digest = coalesce($14::bytea, result_digest),
          expires_at = kontor_now() + $15::integer * interval '1 second'
        where payee_id = $1 and three_ds_server_trans_id = $2 and state = any ($3::text[])`,
    },
    [
      step.payeeId,
      step.serverTransactionId,
      step.from,
      step.to,
      step.dsTransactionId ?? null,
      step.acsTransactionId ?? null,
      step.acsUrl ?? null,
      step.transStatus ?? null,
      step.reason ?? null,
      step.eci ?? null,
      step.cardholderInfo ?? null,
      value?.sealed ?? null,
      value?.sealedWith ?? null,
      step.resultDigest ?? null,
      step.expiresIn,
    ],
  );
  return count;
}

/** Notes that a browser was led to the challenge. */
export async function noteShown(transaction: Transaction, key: AuthenticationKey): Promise<void> {
  await transaction.run(
    {
      name: 'authentication-note-shown',
      text: `
        update authentication set challenge_shown = true
        where payee_id = $1 and three_ds_server_trans_id = $2 and state = 'Challenge' and not challenge_shown`,
    },
    [key.payeeId, key.serverTransactionId],
  );
}

/** Notes which result has come after the end. */
export async function noteLateResult(
  transaction: Transaction,
  { payeeId, serverTransactionId, resultDigest }: AuthenticationKey & { readonly resultDigest: Buffer },
): Promise<void> {
  await transaction.run(
    {
      name: 'authentication-note-late-result',
      text: `
        update authentication set result_digest = $3::bytea
        where payee_id = $1 and three_ds_server_trans_id = $2`,
    },
    [payeeId, serverTransactionId, resultDigest],
  );
}

/** Erases what proves it: the acquirer has answered, or will not be asked any more. */
export async function eraseValue(transaction: Transaction, key: AuthenticationKey): Promise<void> {
  await transaction.run(
    {
      name: 'authentication-erase-value',
      text: `
        update authentication set value_sealed = null, sealed_with = null, expires_at = null
        where payee_id = $1 and three_ds_server_trans_id = $2`,
    },
    [key.payeeId, key.serverTransactionId],
  );
}

/** Some whose time is over, and of ends those whose value was not erased. */
export async function selectOverdueAuthentications(
  read: Read,
  limit: number,
): Promise<readonly OverdueAuthentication[]> {
  const { rows } = await read<OverdueAuthentication>(
    {
      name: 'authentication-select-overdue',
      text: `
        select payee_id as "payeeId", payment_id as "paymentId", transaction_id as "transactionId",
          three_ds_server_trans_id as "serverTransactionId", three_ds_server_trans_id::text as "rowId"
        from authentication
        where expires_at <= (select kontor_now())
          and ${isFreeFor('end-authentications', 'authentication.payee_id', 'authentication.three_ds_server_trans_id::text')}
        order by expires_at
        limit $1::integer`,
    },
    [limit],
  );
  return rows;
}

/** A value that is sealed, with what it is bound to. */
export interface SealedAuthenticationValue extends AuthenticationKey {
  readonly sealed: Buffer;
}

/** How many values are sealed with a key of the ring. */
export async function countValuesSealedWith(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ values: number }>(
    {
      name: 'authentication-count-sealed-with',
      text: 'select count(*) as values from authentication where sealed_with = $1::text',
    },
    [keyId],
  );
  return rows[0]?.values ?? 0;
}

/** Locks some that are sealed with a key of the ring, without those that others have locked. */
export function lockValuesSealedWith(
  transaction: Transaction,
  keyId: KeyId,
  limit: number,
): Promise<Rows<SealedAuthenticationValue>> {
  return transaction.run<SealedAuthenticationValue>(
    {
      name: 'authentication-lock-sealed-with',
      text: `
        select payee_id as "payeeId", three_ds_server_trans_id as "serverTransactionId", value_sealed as sealed
        from authentication
        where sealed_with = $1::text
        order by payee_id, three_ds_server_trans_id
        limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SEALED_VALUES = overRows<SealedAuthenticationValue, [from: KeyId, to: KeyId]>({
  name: 'authentication-update-sealed-values',
  beside: 2,
  columns: {
    three_ds_server_trans_id: ['uuid', 'serverTransactionId'],
    value_sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update authentication
    set value_sealed = v.value_sealed, sealed_with = $2::text
    from ${rows}
    where authentication.payee_id = ${payee}
      and authentication.three_ds_server_trans_id = v.three_ds_server_trans_id
      and authentication.sealed_with = $1::text`,
});

/** Stores values that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSealedValues(
  transaction: Transaction,
  values: readonly SealedAuthenticationValue[],
  change: KeyChange,
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SEALED_VALUES,
    UPDATE_SEALED_VALUES.values(values, change.from, change.to),
  );
  return count;
}

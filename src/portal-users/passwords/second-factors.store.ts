import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PortalUserKey } from '../portal-users.types.ts';

/** A second factor that is in use, and the time by the database's clock. */
export interface SecondFactorRow {
  readonly seedSealed: Buffer;
  readonly lastStep: number;
  readonly nowSeconds: number;
}

/** Locks and reads a user's second factor in a state; no row where there is none. */
export function lockSecondFactor(
  transaction: Transaction,
  key: PortalUserKey,
  state: 'Pending' | 'Confirmed',
): Promise<Rows<SecondFactorRow>> {
  return transaction.run<SecondFactorRow>(
    {
      name: 'portal-users-lock-second-factor',
      text: `
        select seed_sealed as "seedSealed", last_step as "lastStep", floor(extract(epoch from kontor_now()))::bigint as "nowSeconds"
        from portal_second_factor
        where payee_id = $1::uuid and user_id = $2::uuid and state = $3::text
        for no key update`,
    },
    [key.payeeId, key.userId, state],
  );
}

/** Notes the step of a code that was used; the number of rows is 0 where it, or a later one, was used before. */
export async function updateLastStep(transaction: Transaction, key: PortalUserKey, step: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-last-step',
      text: `
        update portal_second_factor
        set last_step = $3::bigint
        where payee_id = $1::uuid and user_id = $2::uuid and state = 'Confirmed' and last_step < $3::bigint`,
    },
    [key.payeeId, key.userId, step],
  );
  return count;
}

/** Takes a recovery code away; the number of rows is 0 where there is none of this digest. */
export async function takeRecoveryDigest(
  transaction: Transaction,
  key: PortalUserKey,
  digest: Buffer,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-take-recovery-digest',
      text: `
        update portal_second_factor
        set recovery_digests = array_remove(recovery_digests, $3::bytea)
        where payee_id = $1::uuid and user_id = $2::uuid and state = 'Confirmed' and $3::bytea = any (recovery_digests)`,
    },
    [key.payeeId, key.userId, digest],
  );
  return count;
}

/** Adds a second factor that has not been used yet, in place of one before it. */
export async function upsertPending(
  transaction: Transaction,
  key: PortalUserKey,
  seed: { sealed: Buffer; sealedWith: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-upsert-pending-factor',
      text: `
        insert into portal_second_factor (payee_id, user_id, state, seed_sealed, sealed_with)
        values ($1::uuid, $2::uuid, 'Pending', $3::bytea, $4::text)
        on conflict (payee_id, user_id, state) do update
        set seed_sealed = excluded.seed_sealed, sealed_with = excluded.sealed_with, created_at = kontor_now()`,
    },
    [key.payeeId, key.userId, seed.sealed, seed.sealedWith],
  );
  return count;
}

/** Confirms the pending second factor, with the step of its first code and the digests of its recovery codes. */
export async function confirmPending(
  transaction: Transaction,
  key: PortalUserKey,
  { step, digests }: { step: number; digests: readonly Buffer[] },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-confirm-pending-factor',
      text: `
        update portal_second_factor
        set state = 'Confirmed', last_step = $3::bigint, recovery_digests = $4::bytea[]
        where payee_id = $1::uuid and user_id = $2::uuid and state = 'Pending'`,
    },
    [key.payeeId, key.userId, step, digests],
  );
  return count;
}

/** Gives a second factor other recovery codes, in place of those before. */
export async function updateRecoveryDigests(
  transaction: Transaction,
  key: PortalUserKey,
  digests: readonly Buffer[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-recovery-digests',
      text: `
        update portal_second_factor
        set recovery_digests = $3::bytea[]
        where payee_id = $1::uuid and user_id = $2::uuid and state = 'Confirmed'`,
    },
    [key.payeeId, key.userId, digests],
  );
  return count;
}

/** Deletes the second factors of a user: those of one state, or with null all. */
export async function deleteSecondFactors(
  transaction: Transaction,
  key: PortalUserKey,
  state: 'Confirmed' | null,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-delete-second-factors',
      text: `
        delete from portal_second_factor
        where payee_id = $1::uuid and user_id = $2::uuid and ($3::text is null or state = $3::text)`,
    },
    [key.payeeId, key.userId, state],
  );
  return count;
}

/** The seed of one second factor, sealed for its row. */
export interface SealedSeed extends PortalUserKey {
  readonly state: 'Pending' | 'Confirmed';
  readonly sealed: Buffer;
}

/** How many seeds are sealed with a key of the ring. */
export async function countSeedsSealedWith(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ seeds: number }>(
    {
      name: 'portal-users-count-seeds-sealed-with',
      text: 'select count(*) as seeds from portal_second_factor where sealed_with = $1::text',
    },
    [keyId],
  );
  return rows[0]?.seeds ?? 0;
}

/** Locks some seeds that are sealed with a key of the ring; those that another transaction has locked are left out. */
export function lockSeedsSealedWith(transaction: Transaction, keyId: KeyId, limit: number): Promise<Rows<SealedSeed>> {
  return transaction.run<SealedSeed>(
    {
      name: 'portal-users-lock-seeds-sealed-with',
      text: `
        select payee_id as "payeeId", user_id as "userId", state, seed_sealed as sealed
        from portal_second_factor
        where sealed_with = $1::text
        order by payee_id, user_id, state
        limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SEALED_SEEDS = overRows<SealedSeed, [from: KeyId, to: KeyId]>({
  name: 'portal-users-update-sealed-seeds',
  beside: 2,
  columns: {
    user_id: ['uuid', 'userId'],
    state: ['text', 'state'],
    seed_sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update portal_second_factor factor
    set seed_sealed = v.seed_sealed, sealed_with = $2::text
    from ${rows}
    where factor.payee_id = ${payee}
      and factor.user_id = v.user_id
      and factor.state = v.state
      and factor.sealed_with = $1::text`,
});

/** Stores seeds that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSealedSeeds(
  transaction: Transaction,
  seeds: readonly SealedSeed[],
  change: { from: KeyId; to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SEALED_SEEDS,
    UPDATE_SEALED_SEEDS.values(seeds, change.from, change.to),
  );
  return count;
}

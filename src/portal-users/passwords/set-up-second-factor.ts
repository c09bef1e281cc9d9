import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditAction } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, inputError } from '../../kit/errors.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import { Secret } from '../../kit/secret.ts';
import type { PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { endSessionsOf, renewSession, startSession } from '../sessions/sessions.ts';
import { raiseEventSequence } from '../sessions/wrong-codes.store.ts';
import { lockNamedUser, showUser } from '../show-user.ts';
import { associatedDataOfSeed } from '../users.rules.ts';
import {
  base32,
  digestOfRecoveryCode,
  isShownCode,
  recoveryCodeOf,
  setUpAddress,
  stepOfCode,
} from './second-factor.rules.ts';
import {
  confirmPending,
  deleteSecondFactors,
  lockSecondFactor,
  takeRecoveryDigest,
  updateLastStep,
  updateRecoveryDigests,
  upsertPending,
} from './second-factors.store.ts';

/** Recovery codes that a user gets with a second factor, and random bytes that each is made of. */
const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 7;
/** Bytes of a second factor's seed: as many as its digest has (RFC 4226, section 4). */
const SEED_BYTES = 20;

/** What an app needs to show codes: to type, or as an address to be shown as a QR code. */
export interface NewSecondFactor {
  readonly secret: Secret;
  readonly uri: Secret;
}

/** Begins with a second factor. It counts for nothing until a code of it has been seen. */
export async function beginSecondFactor(
  transaction: Transaction,
  context: PortalUsersContext,
  user: SignedInUser,
): Promise<NewSecondFactor> {
  const seed = context.newRandom(SEED_BYTES);
  const { email } = await showUser(context, await lockNamedUser(transaction, user));
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const text = new Secret(seed.reveal().toString('base64'));
  const sealed = context.keyRing.seal(sealedWith, associatedDataOfSeed(user), text);
  assert((await upsertPending(transaction, user, { sealed, sealedWith })) === 1, 'a pending factor is one row');
  return { secret: new Secret(base32(seed.reveal())), uri: new Secret(setUpAddress(seed, email)) };
}

/** Codes that stand in for the second factor, shown this once, and the cookie of the session that may do more now. */
export interface ConfirmedSecondFactor {
  readonly recoveryCodes: readonly Secret[];
  readonly cookie: Secret;
}

/**
 * Confirms the second factor that was begun, with a first code of it. From now on signing in asks for one; a factor from
 * before is gone. Where there was one, the user's other sessions end and say why, and an event tells of it: if it was not
 * the user, they learn of it.
 *
 * @throws Refusal `inputerror` where the code is wrong; `forbidden` where none was begun
 */
export async function confirmSecondFactor(
  transaction: Transaction,
  context: PortalUsersContext,
  { user, code, actor }: { user: SignedInUser; code: string; actor: Actor },
): Promise<ConfirmedSecondFactor> {
  await lockNamedUser(transaction, user);
  const pending = (await lockSecondFactor(transaction, user, 'Pending')).rows[0];
  if (pending === undefined) throw forbidden('confirm-second-factor', 'No second factor was begun.');
  const seed = await openSeed(context, user, pending.seedSealed);
  const step = stepOfCode(seed, code, pending);
  if (step === undefined) throw inputError('code', 'must be the six digits that the app shows now');
  const { recoveryCodes, digests } = makeRecoveryCodes(context, seed);
  const isReplaced = (await deleteSecondFactors(transaction, user, 'Confirmed')) > 0;
  assert((await confirmPending(transaction, user, { step, digests })) === 1, 'the pending factor is there');
  await audit(transaction, user, { actor, action: 'set-up-second-factor' });
  if (!isReplaced) return { recoveryCodes, cookie: await renewSession(transaction, context, user) };
  await tellReplaced(transaction, user);
  await endSessionsOf(transaction, user, 'second-factor');
  return { recoveryCodes, cookie: await startSession(transaction, context, user) };
}

async function tellReplaced(transaction: Transaction, { payeeId, userId }: PortalUserKey): Promise<void> {
  const { rows } = await raiseEventSequence(transaction, { payeeId, userId });
  const [event] = rows;
  assert(event, 'a locked user is there');
  await writeEvents(transaction, [
    {
      payeeId,
      type: 'portal-user.second-factor-replaced',
      resourceId: userId,
      resourceSequence: event.eventSequence,
      happenedAt: event.at,
      payload: {},
    },
  ]);
}

/**
 * Makes other recovery codes, in place of all before.
 *
 * @throws Refusal `forbidden` where the user has no second factor
 */
export async function renewRecoveryCodes(
  transaction: Transaction,
  context: PortalUsersContext,
  { user, actor }: { user: SignedInUser; actor: Actor },
): Promise<readonly Secret[]> {
  await lockNamedUser(transaction, user);
  const factor = (await lockSecondFactor(transaction, user, 'Confirmed')).rows[0];
  if (factor === undefined)
    throw forbidden('renew-recovery-codes', 'There is no second factor that they could stand in for.');
  const { recoveryCodes, digests } = makeRecoveryCodes(context, await openSeed(context, user, factor.seedSealed));
  await updateRecoveryDigests(transaction, user, digests);
  await audit(transaction, user, { actor, action: 'renew-recovery-codes' });
  return recoveryCodes;
}

function makeRecoveryCodes({ newRandom }: PortalUsersContext, seed: Secret<Buffer>) {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(newRandom(RECOVERY_CODE_BYTES)));
  return {
    recoveryCodes: codes.map((code) => new Secret(code)),
    digests: codes.map((code) => digestOfRecoveryCode(seed, code)),
  };
}

function audit(
  transaction: Transaction,
  { payeeId, userId }: SignedInUser,
  { actor, action }: { actor: Actor; action: AuditAction },
): Promise<void> {
  return writeAudit(transaction, [{ payeeId, actor, action, objectId: userId }]);
}

/**
 * Takes a code of a user's second factor: six digits that their app shows, or one of the recovery codes. Each works once.
 *
 * @returns whether it was right
 */
export async function takeCode(
  transaction: Transaction,
  context: PortalUsersContext,
  { user, code }: { user: PortalUserKey; code: string },
): Promise<boolean> {
  const { rows } = await lockSecondFactor(transaction, user, 'Confirmed');
  const [factor] = rows;
  if (factor === undefined) return false;
  const seed = await openSeed(context, user, factor.seedSealed);
  if (!isShownCode(code)) {
    return (await takeRecoveryDigest(transaction, user, digestOfRecoveryCode(seed, code))) === 1;
  }
  const step = stepOfCode(seed, code, factor);
  return step !== undefined && (await updateLastStep(transaction, user, step)) === 1;
}

/** The seed of a user's second factor. It is sealed as text, like all secrets. */
async function openSeed({ keyRing }: PortalUsersContext, user: PortalUserKey, sealed: Buffer): Promise<Secret<Buffer>> {
  await holdKeys(keyRing, [sealed]);
  return new Secret(Buffer.from(keyRing.open(associatedDataOfSeed(user), sealed).reveal(), 'base64'));
}

import type { Transaction } from '../../db/transaction.types.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { Secret } from '../../kit/secret.ts';
import { digestOfRecoveryCode, isShownCode, stepOfCode } from '../passwords/second-factor.rules.ts';
import { lockSecondFactor, takeRecoveryDigest, updateLastStep } from '../passwords/second-factors.store.ts';
import type { PortalUserKey, PortalUsersContext } from '../portal-users.types.ts';
import { associatedDataOfSeed } from '../users.rules.ts';

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
export async function openSeed(
  { keyRing }: PortalUsersContext,
  user: PortalUserKey,
  sealed: Buffer,
): Promise<Secret<Buffer>> {
  await holdKeys(keyRing, [sealed]);
  return new Secret(Buffer.from(keyRing.open(associatedDataOfSeed(user), sealed).reveal(), 'base64'));
}

import type { AssociatedData } from '../keys/keys.types.ts';
import { inputError } from '../kit/errors.ts';
import { OPERATOR, type PayeeId } from '../kit/ids.ts';
import { EMAIL_CHARACTERS } from '../kit/limits.ts';
import type { Role } from '../kit/portal-user.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/** Where a user's e-mail address is stored: sealed for this place, it opens nowhere else. */
export function associatedDataOfEmail({ payeeId, userId }: PortalUserKey): AssociatedData {
  return { purpose: 'secrets', payeeId, rowId: userId, field: 'portal_user.email_sealed' };
}

/** Where the seed of a second factor is stored. It keeps its place when it is confirmed. */
export function associatedDataOfSeed({ payeeId, userId }: PortalUserKey): AssociatedData {
  return { purpose: 'secrets', payeeId, rowId: userId, field: 'portal_second_factor.seed_sealed' };
}

/** An e-mail address as it is compared: two that differ in case or blanks around them are the same. */
export function comparableEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Refuses a role that users of this payee cannot have: operators are those of the installation, and they are nothing else.
 *
 * @throws Refusal `inputerror`
 */
export function checkRole(role: Role, payeeId: PayeeId): void {
  if ((role === 'operator') === (payeeId === OPERATOR)) return;
  throw inputError('role', payeeId === OPERATOR ? 'must be operator' : 'must not be operator');
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/**
 * An e-mail address without blanks around it. Who has it is seen by who can sign in: nothing is sent to it.
 *
 * @throws Refusal `inputerror` where it has not the form of one
 */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (email.length > EMAIL_CHARACTERS || !EMAIL.test(email)) throw inputError('email', 'must be an e-mail address');
  return email;
}

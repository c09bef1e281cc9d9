import type { Place } from '../keys/keys.types.ts';
import { inputError } from '../kit/errors.ts';
import { OPERATOR, type PayeeId } from '../kit/ids.ts';
import type { Role } from '../kit/portal-user.ts';
import type { PortalUserKey } from './portal-users.types.ts';

/** Where a user's e-mail address is stored: sealed for this place, it opens nowhere else. */
export function placeOfEmail({ payeeId, userId }: PortalUserKey): Place {
  return { purpose: 'secrets', payeeId, rowId: userId, field: 'portal_user.email_sealed' };
}

/** Where the seed of a second factor is stored. It keeps its place when it is confirmed. */
export function placeOfSeed({ payeeId, userId }: PortalUserKey): Place {
  return { purpose: 'secrets', payeeId, rowId: userId, field: 'portal_second_factor.seed_sealed' };
}

/** An e-mail address as it is compared: nobody has two that differ in case or blanks around them. */
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

import type { AssociatedData } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { nameOfActor } from '../../kit/caller.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import type { GivingLimits } from '../../kit/giving-limits.ts';
import { decimalsOf, parseCurrency } from '../../kit/money.ts';
import type { Role } from '../../kit/portal-user.ts';
import { mayUse } from '../../portal-users/access.rules.ts';
import { mayCall } from '../../portal-users/api-access.rules.ts';
import type { ChangeKey, Decider, HeldChange, KeptRequest } from './approvals.types.ts';

/** What a user wants to give away, and what they gave within the last day in the same currency. */
export interface Weighed {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly givenBefore: number;
  readonly currency: string;
  readonly limits: GivingLimits;
  /** Whether the password was given a moment ago. */
  readonly isReauthenticated: boolean;
  /** Whether another person must agree whatever the amount is. */
  readonly needsSecondPerson?: true | undefined;
}

/** What is asked of a user before they give money away. Small amounts are added up, so that none are a way around. */
export function weigh({ amount, givenBefore, currency, limits, isReauthenticated, needsSecondPerson }: Weighed) {
  const known = parseCurrency(currency);
  assert(known !== undefined, 'money is in a currency of the table');
  const isAbove = (limit: number | null) => limit !== null && givenBefore + amount > limit * 10 ** decimalsOf(known);
  if (isAbove(limits.confirmAbove) && !isReauthenticated) return 'password' as const;
  const isAlways = needsSecondPerson === true && limits.secondPersonAbove !== null;
  return isAlways || isAbove(limits.secondPersonAbove) ? ('second-person' as const) : ('nothing' as const);
}

/**
 * Refuses a yes of the person who asked, of a user without the same right, and to what is over.
 *
 * @throws Refusal `forbidden`, `conflict`
 */
export function refuseApproval({ state, askedBy, operationId, sealed }: HeldChange, { role, actor }: Decider): void {
  if (!mayDecide(operationId, role)) throw forbidden('role', 'Your role does not allow this.');
  if (nameOfActor(askedBy) === nameOfActor(actor))
    throw forbidden('second-person', 'Another person than the one who asked must agree.');
  if (state === 'Expired') throw new Refusal('conflict', 'This was not agreed to in time: ask again.');
  if (state === 'Refused') throw new Refusal('conflict', 'This has been refused.');
  if (state === 'Approved' && sealed === null) {
    throw new Refusal(
      'conflict',
      'What was asked for is kept no longer: look whether it was done before you ask again.',
    );
  }
}

/**
 * Refuses a no to what is not waiting any more. The person who asked can withdraw it.
 *
 * @throws Refusal `forbidden`, `conflict`
 */
export function refuseRefusal({ state, operationId }: HeldChange, { role }: Decider): void {
  if (!mayDecide(operationId, role)) throw forbidden('role', 'Your role does not allow this.');
  if (state !== 'Pending' && state !== 'Expired') throw new Refusal('conflict', 'This is decided already.');
}

/** Who may do something by a page may agree to it: an operation of the API, or one of the portal. */
const mayDecide = (operationId: string, role: Role): boolean =>
  mayCall(operationId, { role }) || mayUse(operationId, role);

/** How many of the changes that wait a user with a role may agree to. */
export function decidable(
  waiting: readonly { readonly operationId: string; readonly count: number }[],
  role: Role,
): number {
  return waiting.filter(({ operationId }) => mayDecide(operationId, role)).reduce((sum, { count }) => sum + count, 0);
}

/** Where the request of a change belongs. */
export function associatedDataOfRequest({ payeeId, changeId }: ChangeKey): AssociatedData {
  return { purpose: 'secrets', payeeId, rowId: changeId, field: 'pending_change.request_sealed' };
}

/** The name that a request has by itself: sending it again is asking once. */
export function referenceOf({ body, idempotencyKey }: KeptRequest): string | undefined {
  const members = body as Readonly<Record<string, unknown>> & { transaction?: { payeeReference?: string } };
  const named = members['paymentTransactionRef'] ?? members['transactionRef'] ?? members['orderRef'];
  return idempotencyKey ?? members.transaction?.payeeReference ?? (named as string | undefined);
}

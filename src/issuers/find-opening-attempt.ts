import type { Find } from '../db/transaction.types.ts';
import type { MakeFind } from '../ledger/accounts/look-ups.ts';
import type { PaymentKey } from '../ledger/ledger.types.ts';
import { FIND_OPENING_ATTEMPTS } from './attempts.store.ts';
import type { Attempt } from './issuers.types.ts';

/** Makes the look-up of the attempt that made a payment: by it the issuer knows the payment. */
export function openingAttemptFinder(makeFind: MakeFind): Find<PaymentKey, Pick<Attempt, 'attemptId'>> {
  return makeFind(FIND_OPENING_ATTEMPTS);
}

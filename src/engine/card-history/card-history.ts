import type { GuardedCall } from '../../db/batch/batch.types.ts';
import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { noteVerdicts, selectBlocked } from './card-history.store.ts';
import type { CardVerdict } from './card-history.types.ts';

/** The statements that write what issuers have said of cards, for a command kind's `save`. */
export function recordVerdicts(verdicts: readonly CardVerdict[]): readonly GuardedCall[] {
  return verdicts.length === 0 ? [] : [noteVerdicts(verdicts)];
}

/** Which of these cards of a payee an issuer has said lately never to try again. */
export function findBlocked(
  read: Read,
  cards: { readonly payeeId: PayeeId; readonly digests: readonly Buffer[] },
): Promise<readonly Buffer[]> {
  return selectBlocked(read, cards);
}

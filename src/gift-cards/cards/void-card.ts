import type { TransactionId } from '../../ledger/ledger.types.ts';
import type { AskStep, CardShown, LifeContext } from './life.types.ts';
import { takeStep } from './take-step.ts';

/** Ends a card that nobody has used, and gives its deposit back to where it came from. Throws as `takeStep`. */
export function voidCard(context: LifeContext, ask: AskStep): Promise<CardShown> {
  return takeStep(context, ask, ({ firstKind, firstPaymentId }) => ({
    step: 'Void',
    depositId: firstKind === 'Deposit' ? firstPaymentId : null,
    reversalId: context.newId() as TransactionId,
  }));
}

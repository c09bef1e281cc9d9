import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import type { AccountsContext, LookedUp } from './accounts.types.ts';
import { LOOK_UP } from './command-kinds.ts';
import { asOfNow } from './steps.rules.ts';

/** What became of the request with a reference, also one that is being carried out at this moment: that one is waited for. */
export async function lookUpReference(
  context: AccountsContext,
  { payeeId, actor, reference }: { readonly payeeId: PayeeId; readonly actor: Actor; readonly reference: string },
): Promise<LookedUp> {
  const { lookUps, newId } = context;
  const found = await context.submit(LOOK_UP, {
    payeeId,
    actor,
    commandId: newId(),
    reference,
    unusedId: newId() as PaymentId,
  });
  if (found === undefined) return { status: 'notSeen' };
  const stored = await lookUps.payment({ payeeId, paymentId: found.paymentId });
  assert(stored !== undefined, 'a reference stands for a payment');
  if (stored.state === 'CALLING') return { status: 'inProgress' };
  const payment = asOfNow(stored, context.now());
  if (found.transactionId === null) return { status: 'done', payment };
  const transaction = await lookUps.transaction({ payeeId, transactionId: found.transactionId });
  assert(transaction !== undefined, 'a reference stands for a transaction');
  if (transaction.state === 'CALLING') return { status: 'inProgress' };
  return { status: 'done', payment, transaction };
}

import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden } from '../../kit/errors.ts';
import type { OrderInstrument, OrderKey } from '../orders.types.ts';
import { countChosen, updateExpanded, updateInstrument } from './instruments.store.ts';

/** A means of payment that a payee wants an order to have: the only one, or the one that its menu opens first. */
export interface ChosenInstrument extends OrderKey {
  readonly operation: 'SetInstrument' | 'ExpandInstrument';
  readonly instrument: OrderInstrument;
  readonly actor: Actor;
}

/**
 * Gives an order what its payee has chosen. The same choice again changes nothing.
 *
 * @throws Refusal `forbidden` where the order is not so, or cannot be paid any more
 */
export async function chooseInstrument(transaction: Transaction, chosen: ChosenInstrument): Promise<void> {
  const { operation, payeeId, orderId, actor } = chosen;
  const change = operation === 'SetInstrument' ? updateInstrument : updateExpanded;
  if ((await change(transaction, chosen)) === 0) {
    if ((await countChosen(transaction, chosen)) > 0) return;
    throw forbidden(operation, 'The order cannot be changed so now.');
  }
  await writeAudit(transaction, [{ payeeId, actor, action: 'set-order-instrument', objectId: orderId }]);
}

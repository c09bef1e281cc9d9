import type { GuardedCall } from '../db/batch/batch.types.ts';
import type { CommandKind } from '../ledger/ledger.types.ts';
import { saveCardChanges } from '../payments/command-kinds.ts';
import type { CardChange } from '../payments/payments.types.ts';
import { decideOrder } from './create-order.rules.ts';
import type { CreateOrderCommand, OrderOutcome } from './order-commands.types.ts';
import { referencesOfOrder } from './order-effects.rules.ts';
import type { OrderChange } from './orders.types.ts';
import { insertPayers } from './payers/payers.store.ts';
import {
  insertHistory,
  insertLegs,
  insertOrders,
  insertOrderTransactions,
  insertParts,
  updateLegs,
  updateOrders,
  updateOrderTransactions,
  updateTerms,
} from './save-orders.store.ts';

/** A new order, with the card payment that a card pays its part by. */
export const CREATE_ORDER: CommandKind<CreateOrderCommand, OrderOutcome, never, OrderChange> = {
  name: 'create-payment-order',
  keys: (command) => ({ references: referencesOfOrder(command, command), isNumbered: true }),
  decide: decideOrder,
  save: saveOrderChanges,
};

/** The statements for all changes that commands of one kind make. */
export function saveOrderChanges(changes: readonly OrderChange[], now: string): readonly GuardedCall[] {
  const of = <Kind extends OrderChange['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<OrderChange, { kind: Kind }> => change.kind === kind);
  const made = of('NewOrderTransaction');
  return [
    insertOrders(of('NewOrder').map(({ order }) => order)),
    updateOrders(of('Order').map(({ order }) => order)),
    updateTerms(of('Terms').map(({ order }) => order)),
    insertLegs(of('NewLeg').map(({ leg }) => leg)),
    updateLegs(of('Leg').map(({ leg }) => leg)),
    insertOrderTransactions(made.map(({ transaction }) => transaction)),
    insertParts(
      made.flatMap(({ transaction: { payeeId, transactionId }, parts }) =>
        parts.map((part) => ({ payeeId, transactionId, ...part })),
      ),
    ),
    updateOrderTransactions(of('OrderTransaction').map(({ transaction }) => transaction)),
    insertHistory(of('History').map(({ entry }) => entry)),
    insertPayers(
      of('Payer').map(({ payer }) => payer),
      now,
    ),
    ...saveCardChanges(changes as readonly CardChange[], now),
  ].filter(({ expected }) => expected > 0);
}

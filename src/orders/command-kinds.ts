import type { CommandKind } from '../ledger/ledger.types.ts';
import { decideOrder } from './create-order.rules.ts';
import type { CreateOrderCommand, OrderOutcome } from './order-commands.types.ts';
import { referencesOfOrder } from './order-effects.rules.ts';

/** A new order, with the card payment that a card pays its part by. */
export const CREATE_ORDER: CommandKind<CreateOrderCommand, OrderOutcome> = {
  name: 'create-payment-order',
  keys: (command) => ({ references: referencesOfOrder(command, command), isNumbered: true }),
  decide: decideOrder,
};

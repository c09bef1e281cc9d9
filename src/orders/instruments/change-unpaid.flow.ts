import { forbidden } from '../../kit/errors.ts';
import { takesGiftCards } from '../answers/order-state.rules.ts';
import { abortOrder, updateOrder } from '../changes/change-order.flow.ts';
import { findMenu } from '../find-menu.ts';
import { findOrder } from '../find-order.ts';
import type { OrderAsked } from '../order-requests.types.ts';
import type { OrderView } from '../orders.types.ts';
import type { OrderFlows } from '../orders-context.types.ts';
import type { WantedChange } from '../requests/change-order.rules.ts';
import { abortAttempt } from './abort-attempt.flow.ts';
import { chooseInstrument } from './choose-instrument.ts';

/**
 * Makes a change of an unpaid order.
 *
 * @throws Refusal `notfound`, and `forbidden` where it is not possible now
 */
export async function changeUnpaidOrder(
  flows: OrderFlows,
  asked: OrderAsked,
  change: WantedChange,
): Promise<OrderView> {
  switch (change.operation) {
    case 'UpdateOrder': {
      const { description, orderItems, orderReference, ...money } = change.update;
      return updateOrder(flows, { ...asked, ...money, description, orderItems, orderReference });
    }
    case 'Abort':
      return abortOrder(flows, { ...asked, reason: change.reason });
    case 'PaymentAttemptAborted':
      return abortAttempt(flows, asked);
    default: {
      const { order } = await findOrder(flows.context, asked);
      const { operation, instrument } = change;
      // Out of instrument mode the menu says what can be opened.
      const isPossible =
        operation === 'ExpandInstrument'
          ? (await findMenu(flows.context, order)).includes(instrument)
          : instrument !== 'GiftCard' || takesGiftCards(order);
      if (!isPossible) throw forbidden(operation, 'The order cannot be paid so.');
      const { payeeId, orderId } = order;
      await flows.transact((transaction) =>
        chooseInstrument(transaction, { payeeId, orderId, operation, instrument, actor: asked.actor }),
      );
      return findOrder(flows.context, asked);
    }
  }
}

import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import type { MenuAnswer, OrderPages, PayerAtMenu } from '../../payments/page/page.types.ts';
import { abortOrder } from '../changes/change-order.flow.ts';
import { findOrder } from '../find-order.ts';
import type { OrderId } from '../orders.types.ts';
import type { OnPage, OrderFlows } from '../orders-context.types.ts';
import { addGiftCard, payOrder, removeGiftCard } from '../paying/pay-order.flow.ts';
import { ABORTED_BY_PAYER } from './menu-of-order.rules.ts';
import { noteOpened, noteSelected } from './note-visit.ts';
import { openMenu } from './open-menu.ts';

/** What the payment page asks of orders: the port that card payments are given. */
export function orderPages(flows: OrderFlows): OrderPages {
  const { context } = flows;
  return {
    open: ({ payment, address, isFree }) => {
      const { payeeId, orderId } = keyOf(payment);
      return openMenu(context, {
        payeeId,
        orderId,
        guesser: { address, isFree, proof: undefined },
      });
    },
    noteOpened: (payment, { isFramed }) =>
      flows.transact((transaction) => noteOpened(transaction, { ...keyOf(payment), isFramed })),
    noteSelected: (payment, instrument) =>
      flows.transact((transaction) => noteSelected(transaction, { ...keyOf(payment), instrument })),
    add: ({ number, code, proof, ...payer }) =>
      answered(() => {
        const guesser = { address: payer.address, isFree: payer.isFree, proof };
        return addGiftCard(flows, { ...asked(payer), entry: { number, code }, guesser });
      }),
    remove: ({ legId, ...payer }) => answered(() => removeGiftCard(flows, { ...asked(payer), legId })),
    pay: ({ seen, key, ...payer }) => answered(() => payOrder(flows, { ...asked(payer), idempotencyKey: key, seen })),
    cancel: async (payer) => {
      const { payeeId, orderId } = keyOf(payer.payment);
      const { order } = await findOrder(context, { payeeId, orderId });
      // Clients of that time keep an order that its payer has left.
      if (order.madeIn === '2.0' || order.status !== 'Initialized') return;
      await abortOrder(flows, { ...asked(payer), reason: ABORTED_BY_PAYER });
    },
  };
}

function keyOf({ payeeId, orderId }: PayerAtMenu['payment']) {
  assert(orderId !== null, 'only a payment of an order has a menu');
  return { payeeId, orderId: orderId as OrderId };
}

function asked({ payment, actor }: PayerAtMenu) {
  return { ...keyOf(payment), actor, initiatedBy: 'Payer', idempotencyKey: undefined } as const;
}

/** Refusals that a payer meets who was overtaken: the page shows what there is now. */
const OVERTAKEN: readonly Refusal['code'][] = ['forbidden', 'conflict', 'notfound', 'referencereused'];

async function answered(work: () => Promise<OnPage>): Promise<MenuAnswer> {
  try {
    const { outcome, closed } = await work();
    return { outcome, retryAfterSeconds: closed?.retryAfterSeconds };
  } catch (error) {
    if (error instanceof Refusal && OVERTAKEN.includes(error.code)) return { outcome: 'busy' };
    throw error;
  }
}

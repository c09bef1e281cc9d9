import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import type { OrderId } from '../../ledger/ledger.types.ts';
import type { MenuAnswer, OrderAtPage, OrderPages, PayerAtMenu } from '../../payments/page/page.types.ts';
import { abortOrder } from '../changes/change-order.flow.ts';
import { findOrder, findPage } from '../find-order.ts';
import type { OrderView } from '../orders.types.ts';
import type { OnPage, OrderFlows } from '../orders-context.types.ts';
import { addGiftCard, payOrder, removeGiftCard } from '../paying/pay-order.flow.ts';
import { ABORTED_BY_PAYER } from './menu-of-order.rules.ts';
import { noteOpened, noteSelected } from './note-visit.ts';
import { openMenu } from './open-menu.ts';

/** What the payment page asks of orders: the port that card payments are given. */
export function orderPages(flows: OrderFlows): OrderPages {
  const { context } = flows;
  return {
    find: async (key) => {
      const found = await findPage(context, key);
      if (found === undefined) return undefined;
      const { card, view, isOpen } = found;
      return { view: card, order: view && orderAtPage(flows, view), isOpen };
    },
    noteOpened: (payment, { isFramed }) =>
      flows.transact((transaction) => noteOpened(transaction, { ...keyOf(payment), isFramed })),
    noteSelected: (payment, instrument) =>
      flows.transact((transaction) => noteSelected(transaction, { ...keyOf(payment), instrument })),
    remove: ({ legId, ...payer }) =>
      answered(async () => ({ outcome: (await removeGiftCard(flows, { ...asked(payer), legId })).outcome })),
    cancel: async (payer) => {
      const { payeeId, orderId } = keyOf(payer.payment);
      const { order } = await findOrder(context, { payeeId, orderId });
      // Clients of that time keep an order that its payer has left.
      if (order.madeIn === '2.0' || order.status !== 'Initialized') return;
      await abortOrder(flows, { ...asked(payer), reason: ABORTED_BY_PAYER });
    },
  };
}

/** An order as its page has found it. */
function orderAtPage(flows: OrderFlows, view: OrderView): OrderAtPage {
  const { context } = flows;
  const { payeeId, orderId } = view.order;
  const byPayer = ({ actor }: Pick<PayerAtMenu, 'actor'>) =>
    ({ payeeId, orderId, actor, initiatedBy: 'Payer' }) as const;
  return {
    legIds: view.legs.map(({ legId }) => legId),
    menu: ({ address, isFree }) => openMenu(context, { view, guesser: { address, isFree } }),
    add: ({ number, code, address, isFree, ...payer }) =>
      answered(async () => {
        const asking = { ...byPayer(payer), idempotencyKey: undefined, entry: { number, code } };
        const added = await addGiftCard(flows, { ...asking, guesser: { address, isFree } }, view);
        const { after } = added;
        return { ...added, after: after && { view: after.card, order: orderAtPage(flows, after), isOpen: true } };
      }),
    pay: ({ seen, key, ...payer }) =>
      answered(async () => {
        const { outcome, isDone } = await payOrder(flows, { ...byPayer(payer), idempotencyKey: key, seen }, view);
        return { outcome, isPaid: isDone && outcome === 'ok' };
      }),
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

async function answered(work: () => Promise<Omit<OnPage, 'after'> & MenuAnswer>): Promise<MenuAnswer> {
  try {
    const { closed, ...answer } = await work();
    return { ...answer, retryAfterSeconds: closed?.retryAfterSeconds };
  } catch (error) {
    if (error instanceof Refusal && OVERTAKEN.includes(error.code)) return { outcome: 'busy' };
    throw error;
  }
}

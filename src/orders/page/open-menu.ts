import type { PayeeId } from '../../kit/ids.ts';
import type { Menu } from '../../payments/page/page.types.ts';
import type { CardPaymentView } from '../../payments/payments.types.ts';
import { findOrder } from '../find-order.ts';
import type { Guesser } from '../guessing/guessing.types.ts';
import type { OrdersContext } from '../orders-context.types.ts';
import { payeeOffer } from '../settings/order-settings.ts';
import { menuOfOrder } from './menu-of-order.rules.ts';

/** An order whose page is opened, and from where. */
export interface OpenMenu {
  readonly payeeId: PayeeId;
  readonly orderId: string;
  readonly guesser: Guesser;
}

/** What surrounds the card payment of an order on its page, and that payment, as they are now. */
export async function openMenu(
  context: OrdersContext,
  { payeeId, orderId, guesser }: OpenMenu,
): Promise<{ readonly menu: Menu; readonly view: CardPaymentView }> {
  const { accounts } = context;
  const view = await findOrder(context, { payeeId, orderId });
  const { order, legs } = view;
  const canBePaid = order.status === 'Initialized';
  const [offer, closed, found] = await Promise.all([
    payeeOffer(context, order),
    canBePaid ? context.closed({ order, guesser }) : undefined,
    Promise.all(
      legs.map(({ accountId }) => (accountId === null ? undefined : accounts.lookUps.account({ payeeId, accountId }))),
    ),
  ]);
  const byId = new Map(
    found.flatMap((account) => (account === undefined ? [] : [[account.accountId, account] as const])),
  );
  return { menu: menuOfOrder({ view, offer, accounts: byId, closed }), view: view.card };
}

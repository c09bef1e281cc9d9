import type { Menu } from '../../payments/page/page.types.ts';
import type { Guesser } from '../guessing/guessing.types.ts';
import type { OrderView } from '../orders.types.ts';
import type { OrdersContext } from '../orders-context.types.ts';
import { payeeOffer } from '../settings/order-settings.ts';
import { menuOfOrder } from './menu-of-order.rules.ts';

/** An order whose page is opened, and from where. */
export interface OpenMenu {
  readonly view: OrderView;
  readonly guesser: Guesser;
}

/** What surrounds the card payment of an order on its page, of an order that was found just now. */
export async function openMenu(context: OrdersContext, { view, guesser }: OpenMenu): Promise<Menu> {
  const { accounts } = context;
  const { order, legs } = view;
  const { payeeId } = order;
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
  const limits = canBePaid && offer.limitsGiftCards ? await limitsOf(context, view) : new Map<string, number>();
  return menuOfOrder({ view, offer, accounts: byId, limits, closed });
}

/** What limits leave of the gift cards of an order, with what they hold for it, by account. */
async function limitsOf(
  { accounts }: OrdersContext,
  { order: { payeeId }, legs }: OrderView,
): Promise<ReadonlyMap<string, number>> {
  const lefts = legs.map(async ({ accountId, state, amount }) => {
    const left = accountId === null ? 0 : await accounts.leftToSpend({ payeeId, accountId });
    return [accountId ?? '', left + (state === 'Held' ? amount : 0)] as const;
  });
  return new Map(await Promise.all(lefts));
}

import type { Rest } from '../../accounts/turnover/turnover.types.ts';
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
  const rests = canBePaid && offer.limitsGiftCards ? await restsOf(context, view) : new Map<string, readonly Rest[]>();
  return menuOfOrder({ view, offer, accounts: byId, rests, closed });
}

/** What limits leave of the gift cards of an order, by account. */
async function restsOf(
  { accounts }: OrdersContext,
  { order: { payeeId }, legs }: OrderView,
): Promise<ReadonlyMap<string, readonly Rest[]>> {
  const ofAccounts = legs.flatMap(({ accountId }) => accountId ?? []);
  const rests = ofAccounts.map(
    async (accountId) => [accountId, await accounts.restsToSpend({ payeeId, accountId })] as const,
  );
  return new Map(await Promise.all(rests));
}

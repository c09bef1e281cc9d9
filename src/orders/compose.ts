import type { Database } from '../db/open-database.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import { judgeGiftCard } from './guessing/judge-gift-card.flow.ts';
import type { OrderService } from './orders.types.ts';
import type { OrderFlows, OrdersContext } from './orders-context.types.ts';

/** What payment orders are composed of. */
export interface OrdersParts extends Omit<OrdersContext, 'read' | 'judge'> {
  readonly database: Pick<Database, 'read' | 'transact' | 'background'>;
}

/** Composes payment orders: their routes, and what commands ask of them. */
export function composeOrders({ database, ...parts }: OrdersParts) {
  const { keyRing, pause } = parts.cardPayments;
  const { read, transact } = database;
  const guessing = { read, transact, keyRing, pause, newId: parts.newId };
  const context: OrdersContext = { ...parts, read, judge: (asked) => judgeGiftCard(guessing, asked) };
  const flows: OrderFlows = { transact, context };
  return {
    context,
    flows,
    routes: async () => {
      const { orderSettingsRoutes } = await import('./settings/order-settings.http.ts');
      return { portalRoutes: [...orderSettingsRoutes(database)] };
    },
    commands: {
      orders: (): OrderService => ({
        ...database.background,
        whichPayee: (payee) => database.background.transact((transaction) => whichPayee(transaction, payee)),
      }),
    },
  };
}

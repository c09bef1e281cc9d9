import type { Database } from '../db/open-database.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { OrderService } from './orders.types.ts';

/** What payment orders are composed of. */
export interface OrdersParts {
  readonly database: Pick<Database, 'read' | 'transact' | 'background'>;
}

/** Composes payment orders: their routes, and what commands ask of them. */
export function composeOrders({ database }: OrdersParts) {
  return {
    routes: async () => {
      const { orderSettingsRoutes } = await import('./settings/order-settings.http.ts');
      return { portalRoutes: [...orderSettingsRoutes(database)] };
    },
    commands: {
      orders: (): OrderService => {
        const { read, transact } = database.background;
        return {
          read,
          transact,
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}

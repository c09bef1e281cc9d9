import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { ISSUER_HOURS, ISSUER_ROWS } from '../../kit/portal-limits.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import type { PortalContext } from '../portal.types.ts';
import { IssuersAnswer, ProductsAnswer, ProductsQuery } from './installation.wire.ts';
import { listIssuers } from './list-issuers.ts';
import { searchProducts } from './search-products.ts';

/** What operators see across all payees, and of what answers them. */
export function installationRoutes({ database, issuers }: PortalContext): AnyPortalRoute[] {
  const { read, background } = database;
  const { transact } = background;
  const common = { method: 'GET', tag: 'Installation' } as const;
  return [
    portalRoute({
      ...common,
      path: '/portal/api/products',
      operationId: 'searchProducts',
      summary: 'List the gift-card products of all payees, or of one',
      description: 'By payee, the oldest first. They are made and retired by the API, with a session of the payee.',
      shape: { params: NoParams, query: ProductsQuery, body: undefined, answer: ProductsAnswer },
      handle: async ({ query }) => {
        const { products, next } = await searchProducts(read, query);
        return {
          products,
          next,
        };
      },
    }),
    portalRoute({
      ...common,
      path: '/portal/api/issuers',
      operationId: 'listIssuers',
      summary: 'List who decides on which numbers, and how they have answered lately',
      shape: { params: NoParams, query: NoQuery, body: undefined, answer: IssuersAnswer },
      handle: async () => {
        const listed = await transact((transaction) => listIssuers(transaction, issuers));
        return {
          issuers: listed,
          hours: ISSUER_HOURS,
          rows: ISSUER_ROWS,
        };
      },
    }),
  ];
}

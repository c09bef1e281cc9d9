import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoParams } from '../kit/portal.wire.ts';
import { CardRangeList, CardRangesQuery } from './card-ranges.wire.ts';
import { pageCardRanges } from './page-card-ranges.ts';
import type { VaultService } from './vault.types.ts';

/** The card ranges of the installation, for operators. They are loaded by `kontor card-ranges load`. */
export function cardRangeRoute({ transact }: VaultService): AnyPortalRoute {
  return portalRoute({
    method: 'GET',
    path: '/portal/api/card-ranges',
    operationId: 'listCardRanges',
    tag: 'Installation',
    summary: 'List card ranges in the order of their prefixes',
    shape: { params: NoParams, query: CardRangesQuery, body: undefined, answer: CardRangeList },
    handle: async ({ query }) => {
      const { cardRanges, next } = await transact((transaction) =>
        pageCardRanges(transaction, query.cursor ?? query.prefix ?? ''),
      );
      return { cardRanges: [...cardRanges], next };
    },
  });
}

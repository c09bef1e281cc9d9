import type { WeighedRoutes } from '../kit/given.ts';
import { cardLifeRoutes } from './cards/life.http.ts';
import { portalSweepRoutes } from './cards/many/portal-sweep.http.ts';
import type { composeGiftCards } from './compose.ts';
import { giftCardRoutes } from './gift-cards.http.ts';
import type { GiftCardRoutesOptions } from './gift-cards.types.ts';
import { type SumsContext, startKeepingSums } from './liability/keep-sums.job.ts';
import { liabilityRoute } from './liability/liability.http.ts';
import { giftCardProductRoutes } from './products/products.http.ts';

type GiftCards = ReturnType<typeof composeGiftCards>;

/** Gift cards: products, their sale, their life, and what is owed on them. */
export function routes(
  { database, life, context, many }: GiftCards,
  { baseUrl, isExempt, ...weighing }: Pick<GiftCardRoutesOptions, 'baseUrl' | 'isExempt'> & WeighedRoutes,
) {
  const options = { transact: database.transact, context, baseUrl, isExempt };
  return {
    apiRoutes: [
      ...cardLifeRoutes({ context: life, baseUrl }),
      liabilityRoute({ ...database.reportReads, baseUrl }),
      ...giftCardProductRoutes(options),
      ...giftCardRoutes(options),
    ],
    portalRoutes: portalSweepRoutes(many, weighing),
  };
}

/** Keeps sums of what is owed. */
export function startJobs({ database }: GiftCards, given: Pick<SumsContext, 'background' | 'workOn'>) {
  return { stop: startKeepingSums({ ...database.background, ...given }) };
}

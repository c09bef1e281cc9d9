import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import type { WeighedRoutes } from '../kit/given.ts';
import { cardLifeRoutes } from './cards/life.http.ts';
import { portalSweepRoutes } from './cards/many/portal-sweep.http.ts';
import type { composeGiftCards } from './compose.ts';
import { giftCardRoutes } from './gift-cards.http.ts';
import { startKeepingSums } from './liability/keep-sums.job.ts';
import { liabilityRoute } from './liability/liability.http.ts';
import { giftCardProductRoutes } from './products/products.http.ts';

type GiftCards = ReturnType<typeof composeGiftCards>;

/** Gift cards: products, their sale, their life, and what is owed on them. */
export function routes({ context }: GiftCards, given: RouteGiven & WeighedRoutes) {
  return {
    apiRoutes: [
      ...cardLifeRoutes(context, given),
      liabilityRoute(context, given),
      ...giftCardProductRoutes(context, given),
      ...giftCardRoutes(context, given),
    ],
    portalRoutes: portalSweepRoutes(context, given),
  };
}

/** Keeps sums of what is owed. */
export function startJobs(_: GiftCards, jobs: JobContext) {
  return { stop: startKeepingSums(jobs) };
}

import { cardRangeRoute } from './card-ranges.http.ts';
import type { composeVault } from './compose.ts';

/** What operators see of the vault. */
export function routes({ context }: ReturnType<typeof composeVault>) {
  return { portalRoutes: [cardRangeRoute(context)] };
}

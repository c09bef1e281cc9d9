import type { RouteGiven } from '../http/edge/edge.types.ts';
import type { composeTokens } from './compose.ts';
import { payerOwnedTokenRoutes } from './stored/payer-owned-tokens.http.ts';
import { storedTokenRoutes } from './stored/stored-tokens.http.ts';
import { tokenCollectionRoutes } from './token-collections.http.ts';
import { tokenRoutes } from './tokens.http.ts';

/** Payer tokens. */
export function routes({ context }: ReturnType<typeof composeTokens>, given: RouteGiven) {
  return {
    apiRoutes: [
      ...tokenRoutes(context, given),
      ...tokenCollectionRoutes(context, given),
      ...storedTokenRoutes(context, given),
      ...payerOwnedTokenRoutes(context, given),
    ],
  };
}

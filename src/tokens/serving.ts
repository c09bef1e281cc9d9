import type { composeTokens } from './compose.ts';
import { payerOwnedTokenRoutes } from './stored/payer-owned-tokens.http.ts';
import { storedTokenRoutes } from './stored/stored-tokens.http.ts';
import { tokenCollectionRoutes } from './token-collections.http.ts';
import { tokenRoutes } from './tokens.http.ts';
import type { TokenRoutesOptions } from './tokens.types.ts';

/** Payer tokens. */
export function routes(
  { context }: ReturnType<typeof composeTokens>,
  { baseUrl }: Pick<TokenRoutesOptions, 'baseUrl'>,
) {
  const options = { context, baseUrl };
  return {
    apiRoutes: [
      ...tokenRoutes(options),
      ...tokenCollectionRoutes(options),
      ...storedTokenRoutes(options),
      ...payerOwnedTokenRoutes(options),
    ],
  };
}

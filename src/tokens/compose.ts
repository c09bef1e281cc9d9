import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Database } from '../db/server/open-database.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { uuidV4 } from '../kit/ids.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { VaultContext } from '../vault/vault.types.ts';
import type { ImportContext, TokensService, UpdateCard } from './import/import.types.ts';
import { TOKEN_LINE_USE } from './key-uses.ts';
import { READ_TOKENS } from './tokens.store.ts';
import type { StoredToken, TokenGuid, TokenKey, TokenReads, TokenRoutesOptions } from './tokens.types.ts';

/** What payer tokens are composed of. */
export interface TokensParts extends VaultContext {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'read' | 'transact'>;
  readonly cardPrefixes: () => CardPrefixes;
}

/** Composes payer tokens: their routes, and the import. */
export function composeTokens({ config, database, keyRing, newId, cardPrefixes }: TokensParts) {
  const { transact, read } = database;
  const context: TokenReads = { keyRing, newId, read, findToken: database.find<TokenKey, StoredToken>(READ_TOKENS) };
  const newToken = () => uuidV4() as TokenGuid;
  const onlyTestNumbers = config.mode === 'sandbox';
  const importContext: ImportContext = { keyRing, newId, newToken, onlyTestNumbers, breathe: () => nextTurn() };
  const updateCard: UpdateCard = async (transaction, card) =>
    (await import('./import/update-card.ts')).updateCard(transaction, importContext, card);
  return {
    context,
    newToken,
    updateCard,
    keyUses: [TOKEN_LINE_USE],
    routes: async ({ baseUrl }: Pick<TokenRoutesOptions, 'baseUrl'>) => {
      const [tokens, collections, stored, owned] = await Promise.all([
        import('./tokens.http.ts'),
        import('./token-collections.http.ts'),
        import('./stored/stored-tokens.http.ts'),
        import('./stored/payer-owned-tokens.http.ts'),
      ]);
      const options = { transact, context, baseUrl };
      return {
        apiRoutes: [
          ...tokens.tokenRoutes(options),
          ...collections.tokenCollectionRoutes(options),
          ...stored.storedTokenRoutes(options),
          ...owned.payerOwnedTokenRoutes(options),
        ],
      };
    },
    commands: {
      tokens: async (): Promise<TokensService> => {
        const [{ ImportLineBody, UpdateLineBody }, { lineReader }] = await Promise.all([
          import('./import/import.wire.ts'),
          import('../http/body/line-reader.ts'),
        ]);
        return {
          // The planner must not be free here: a plan made while the table was empty would scan it for ever after.
          transact,
          importContext,
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
          reader: lineReader(cardPrefixes, ImportLineBody),
          updateReader: lineReader(cardPrefixes, UpdateLineBody),
        };
      },
    },
  };
}

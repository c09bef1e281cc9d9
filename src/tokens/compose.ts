import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Database } from '../db/server/open-database.ts';
import { uuidV4 } from '../kit/ids.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { VaultContext } from '../vault/vault.types.ts';
import type { ImportContext, TokensService, UpdateCard } from './import/import.types.ts';
import { updateCard } from './import/update-card.ts';
import { TOKEN_LINE_USE } from './key-uses.ts';
import { READ_TOKENS } from './tokens.store.ts';
import type { StoredToken, TokenGuid, TokenKey, TokenReads } from './tokens.types.ts';

/** What payer tokens are composed of. */
export interface TokensParts extends VaultContext {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'read' | 'transact'>;
}

/** Composes payer tokens, and their import. */
export function composeTokens({ config, database, keyRing, newId }: TokensParts) {
  const { transact, read } = database;
  const context: TokenReads = { keyRing, newId, read, findToken: database.find<TokenKey, StoredToken>(READ_TOKENS) };
  const newToken = () => uuidV4() as TokenGuid;
  const onlyTestNumbers = config.mode === 'sandbox';
  const importContext: ImportContext = { keyRing, newId, newToken, onlyTestNumbers, breathe: () => nextTurn() };
  const updateOwn: UpdateCard = (transaction, card) => updateCard(transaction, importContext, card);
  return {
    context,
    transact,
    newToken,
    updateCard: updateOwn,
    keyUses: [TOKEN_LINE_USE],
    commands: {
      tokens: (readers: Pick<TokensService, 'reader' | 'updateReader'>): TokensService => ({
        // The planner must not be free here: a plan made while the table was empty would scan it for ever after.
        transact,
        importContext,
        whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        ...readers,
      }),
    },
  };
}

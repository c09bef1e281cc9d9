import { setImmediate as nextTurn } from 'node:timers/promises';
import { uuidV4 } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { TokensService, UpdateCard } from './import/import.types.ts';
import { updateCard } from './import/update-card.ts';
import { TOKEN_LINE_USE } from './key-uses.ts';
import { READ_TOKENS } from './tokens.store.ts';
import type { StoredToken, TokenContext, TokenGuid, TokenKey } from './tokens.types.ts';

/** Composes payer tokens, and their import. */
export function composeTokens(kontor: Kontor) {
  const context: TokenContext = {
    ...kontor,
    findToken: kontor.database.find<TokenKey, StoredToken>(READ_TOKENS),
    newToken: () => uuidV4() as TokenGuid,
    breathe: () => nextTurn(),
  };
  return {
    context,
    updateCard: ((transaction, card) => updateCard(transaction, context, card)) satisfies UpdateCard,
    keyUses: [TOKEN_LINE_USE],
    commands: {
      tokens: (readers: Pick<TokensService, 'reader' | 'updateReader'>): TokensService => ({
        context,
        whichPayee: (payee) => kontor.database.transact((transaction) => whichPayee(transaction, payee)),
        ...readers,
      }),
    },
  };
}

import type { Transaction } from '../../db/transaction.types.ts';
import { SERVICE } from '../../kit/caller.ts';
import { isRejection } from '../../kit/imports/import-lines.ts';
import { findCard } from '../../vault/find-instrument.ts';
import { archiveClosedCard } from '../archive-token.ts';
import type { TokenContext, TokenRecord } from '../tokens.types.ts';
import { lockImports } from './import.store.ts';
import type { CardToUpdate, UpdateCard } from './import.types.ts';
import { isLater } from './update.rules.ts';
import { selectByInstrument } from './update.store.ts';
import { updateTokens } from './update-tokens.ts';

/** Why a token is archived whose card is no more; its payee reads it. */
const CLOSED = 'The acquirer says that the card was closed.';

/**
 * Gives the tokens of a card what its acquirer says of it: as `updateTokens` does with the lines of a file, one for each token of the payee
 * that has the card. Those of a card that was closed are archived. Said again it changes nothing, because no token has the old number then.
 */
export async function updateCard(
  transaction: Transaction,
  context: TokenContext,
  { payeeId, number, update }: CardToUpdate,
): ReturnType<UpdateCard> {
  // Before the tokens are looked for: another update, of a file or an answer, may be changing them.
  await lockImports(transaction, payeeId);
  const instrumentId = await findCard(transaction, context.keyRing, payeeId, number);
  if (instrumentId === undefined) return 'Unchanged';
  const tokens = await selectByInstrument(transaction, payeeId, instrumentId);
  if (update.kind === 'Closed') {
    const archiving = { updatedBy: 'TOKEN_ISSUER', reason: CLOSED } as const;
    const card = { payeeId, instrumentId, archiving, actor: SERVICE };
    const archived = await archiveClosedCard(transaction, card, tokens);
    return archived === 0 ? 'Unchanged' : 'Updated';
  }
  const lines = tokens
    .filter((token) => isNews(token, update))
    .map(({ token }) => ({
      token,
      ...(update.number !== undefined && { pan: update.number.reveal() }),
      ...(update.expiryDate !== undefined && { expiryDate: update.expiryDate }),
    }));
  if (lines.length === 0) return 'Unchanged';
  const outcomes = await updateTokens(transaction, context, { payeeId, lines, actor: SERVICE, before: undefined });
  if (outcomes.some((outcome) => typeof outcome !== 'string' && isRejection(outcome))) return 'Refused';
  return outcomes.includes('updated') ? 'Updated' : 'Unchanged';
}

/** An expiry alone never goes back: the payer may have stored the renewed card before the acquirer told of it. */
function isNews(
  token: TokenRecord,
  { number, expiryDate }: Extract<CardToUpdate['update'], { kind: 'Replaced' }>,
): boolean {
  return number !== undefined || isLater(expiryDate, token.expiryDate);
}

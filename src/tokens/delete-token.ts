import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { destroyInstruments } from '../vault/destroy-instruments.ts';
import { nameOf } from './get-token.ts';
import { showToken } from './show-token.ts';
import { writeTokenEvents } from './token-events.ts';
import { isNamed, tokenId } from './tokens.rules.ts';
import { findUnused, lockToken, saveDeleted } from './tokens.store.ts';
import type { StoredToken, Token, TokenContext, TokenType } from './tokens.types.ts';

export interface DeleteToken {
  readonly payeeId: PayeeId;
  readonly tokenId: string;
  /** The type that the address is for. */
  readonly tokenType: TokenType;
  /** Why, as it was written; undefined where nobody says. */
  readonly comment: string | undefined;
  readonly actor: Actor;
}

/**
 * Deletes a token, active or archived: its card data goes with the last token that uses it, a tombstone stays. The answer
 * shows the token as it was; a repetition shows the tombstone, which has no personal data.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's or of another type
 */
export async function deleteToken(
  transaction: Transaction,
  context: TokenContext,
  command: DeleteToken,
): Promise<Token> {
  const { payeeId, tokenType, comment, actor } = command;
  const name = nameOf(command.tokenId);
  const token = await lockToken(transaction, { payeeId, token: name.token });
  if (token === undefined) throw notFound();
  if (!isNamed(name, token) || token.tokenType !== tokenType) throw notFound();
  const shown = await showToken(context, token);
  if (token.state !== 'Deleted') await destroyTokens(transaction, { payeeId, tokens: [token], comment, actor });
  return shown;
}

/** Makes tombstones of locked tokens, and destroys the instruments that no other token uses (crypto-shredding). */
export async function destroyTokens(
  transaction: Transaction,
  change: {
    readonly payeeId: PayeeId;
    readonly tokens: readonly StoredToken[];
    readonly comment: string | undefined;
    readonly actor: Actor;
  },
): Promise<void> {
  const { payeeId, tokens, comment, actor } = change;
  const guids = tokens.map(({ token }) => token);
  const { rows: deleted } = await saveDeleted(transaction, payeeId, guids, comment?.trim());
  assert(deleted.length === tokens.length, 'locked tokens that are there can be deleted');
  await destroyInstruments(transaction, payeeId, {
    candidates: [...new Set(deleted.map(({ correlationId }) => correlationId))],
    findUnused: (locked) => findUnused(transaction, payeeId, locked),
  });
  await writeAudit(
    transaction,
    tokens.map((token) => ({ payeeId, actor, action: 'delete-token', objectId: tokenId(token) })),
  );
  await writeTokenEvents(transaction, payeeId, 'token.deleted', deleted);
}

import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { destroyInstruments } from '../vault/destroy-instruments.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { nameOf } from './get-token.ts';
import { tombstoneText } from './import/import.rules.ts';
import { showToken, showTokens } from './show-token.ts';
import { writeTokenEvents } from './token-events.ts';
import { isNamed, portionsOf, tokenId } from './tokens.rules.ts';
import { findUnused, lockPayers, lockPayerTokens, lockToken, saveDeleted } from './tokens.store.ts';
import type { StoredToken, Token, TokenContext, TokenType } from './tokens.types.ts';

export interface DeleteToken {
  readonly payeeId: PayeeId;
  readonly tokenId: string;
  /** The type that the address is for. */
  readonly tokenType: TokenType;
  /** Why, as it was written; undefined where the caller gives no reason. */
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
  if (token.state !== 'Deleted')
    await destroyTokens(transaction, context, { payeeId, tokens: [token], comment, actor });
  return shown;
}

/** Makes tombstones of locked tokens, and destroys the instruments that no other token uses (crypto-shredding). */
async function destroyTokens(
  transaction: Transaction,
  { keyRing }: TokenContext,
  change: {
    readonly payeeId: PayeeId;
    readonly tokens: readonly StoredToken[];
    readonly comment: string | undefined;
    readonly actor: Actor;
  },
): Promise<void> {
  const { payeeId, tokens, comment, actor } = change;
  const keyId = keyRing.current('token-lines');
  const tombstones = {
    tokens: tokens.map(({ token }) => token),
    digests: tokens.map((token) =>
      token.lastFour === null ? null : keyRing.digest(keyId, payeeId, tombstoneText(token)),
    ),
    keyId,
  };
  const { rows: deleted } = await saveDeleted(transaction, payeeId, tombstones, comment?.trim());
  assert(deleted.length === tokens.length, 'locked tokens that are there can be deleted');
  await destroyInstruments(transaction, payeeId, {
    candidates: [...new Set(tokens.flatMap(({ instrumentId }) => instrumentId ?? []))],
    findUnused: (locked) => findUnused(transaction, payeeId, locked),
  });
  await writeAudit(
    transaction,
    tokens.map((token) => ({ payeeId, actor, action: 'delete-token', objectId: tokenId(token) })),
  );
  await writeTokenEvents(transaction, payeeId, 'token.deleted', deleted);
}

interface DeletePayerTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  /** Of what is deleted; undefined: every type. */
  readonly tokenType: TokenType | undefined;
  readonly comment: string | undefined;
  readonly actor: Actor;
}

/** Deletes all tokens of a payer, of one type or of every type, and answers those that this call deleted. */
export async function deletePayerTokens(
  transaction: Transaction,
  context: TokenContext,
  command: DeletePayerTokens,
): Promise<readonly Token[]> {
  const { payeeId, payerReference, tokenType, comment, actor } = command;
  await lockPayers(transaction, payeeId, [payerReference]);
  const all = await lockPayerTokens(transaction, payeeId, payerReference);
  const tokens = all.filter((token) => tokenType === undefined || token.tokenType === tokenType);
  const shown: Token[] = [];
  for (const some of portionsOf(tokens)) {
    shown.push(...(await showTokens(context, some)));
    await destroyTokens(transaction, context, { payeeId, tokens: some, comment, actor });
  }
  return shown;
}

/**
 * Destroys cards that were sealed for a while and that no token uses.
 *
 * @param which the cards, and who knows which of them are needed for something else
 */
export async function destroyUnusedCards(
  transaction: Transaction,
  payeeId: PayeeId,
  which: {
    readonly candidates: readonly InstrumentId[];
    readonly findHeld: (locked: readonly InstrumentId[]) => Promise<readonly InstrumentId[]>;
  },
): Promise<void> {
  await destroyInstruments(transaction, payeeId, {
    candidates: which.candidates,
    findUnused: async (locked) => {
      const held = await which.findHeld(locked);
      return (await findUnused(transaction, payeeId, locked)).filter((instrumentId) => !held.includes(instrumentId));
    },
  });
}

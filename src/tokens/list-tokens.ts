import type { Read } from '../db/transaction.types.ts';
import { inputError } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { showTokens } from './show-token.ts';
import { readCursor, writeCursor } from './tokens.rules.ts';
import { type PayerCards, readPage, selectPayerCards } from './tokens.store.ts';
import type { TokenContext, TokenCursor, TokenFilter, TokenPage, TokenRecord } from './tokens.types.ts';

export interface ListTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  /** The collection of archived tokens instead of all. */
  readonly archivedOnly: boolean;
  readonly filter: TokenFilter;
  /** From the page before; undefined for the first one. */
  readonly cursor: string | undefined;
  /** Tokens in the page, at least 1. */
  readonly limit: number;
}

/**
 * A page of a payer's tokens, newest first, active and archived ones; an unknown payer has none.
 *
 * @throws Refusal `inputerror` where the cursor is none
 */
export async function listTokens(context: TokenContext, query: ListTokens): Promise<TokenPage> {
  return pageOfTokens(context, context.database.read, query);
}

/** The same, read by whichever means: also inside a transaction, after it changed the tokens. */
export async function pageOfTokens(context: TokenContext, read: Read, query: ListTokens): Promise<TokenPage> {
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const { tokens, imported } = await readPage(read, { ...query, after, limit: query.limit + 1 });
  const shown = tokens.slice(0, query.limit);
  const last = tokens.length > shown.length ? shown.at(-1) : undefined;
  return { tokens: await showTokens(context, shown), imported, next: last && writeCursor(last) };
}

/** Of each card that a payer may pay with now the newest token, newest first. */
export async function listPayerCards(
  { database: { read } }: TokenContext,
  cards: PayerCards,
): Promise<readonly TokenRecord[]> {
  return selectPayerCards(read, cards);
}

function placeOf(text: string): TokenCursor {
  const cursor = readCursor(text);
  if (cursor === undefined) throw inputError('cursor', 'must come from the address of a next operation');
  return cursor;
}

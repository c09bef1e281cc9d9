import { notFound, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { findNamed } from './find-named.ts';
import type { StoredToken, TokenReads, TokenType } from './tokens.types.ts';

/**
 * A token that somebody wants to pay with.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type, or no card
 * @throws Refusal `paymenttokeninactive` where it is archived or deleted
 */
export async function findTokenToUse(
  context: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenTypes: readonly TokenType[] },
): Promise<StoredToken> {
  const found = await findNamed(context, payeeId, wanted.tokenId);
  if (found === undefined || !wanted.tokenTypes.includes(found.tokenType)) throw notFound();
  if (found.instrument !== 'CreditCard') throw notFound();
  if (found.state === 'Active') return found;
  throw new Refusal('paymenttokeninactive', 'The token was archived or deleted.');
}

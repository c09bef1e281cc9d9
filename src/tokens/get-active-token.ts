import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { findNamed } from './find-named.ts';
import { showToken } from './show-token.ts';
import { isActive } from './tokens.rules.ts';
import type { Token, TokenReads, TokenType } from './tokens.types.ts';

/**
 * One token of a certain type that can be used.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type, archived or deleted
 */
export async function getActiveToken(
  context: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<Token> {
  const found = await findNamed(context, payeeId, wanted.tokenId);
  if (!isActive(found, wanted.tokenType)) throw notFound();
  return showToken(context, found);
}

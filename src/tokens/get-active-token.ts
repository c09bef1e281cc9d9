import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { nameOf } from './get-token.ts';
import { showToken } from './show-token.ts';
import { isThere } from './tokens.rules.ts';
import type { Token, TokenReads, TokenType } from './tokens.types.ts';

/**
 * One token of a certain type that can be used.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type, archived or deleted
 */
export async function getActiveToken(
  world: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<Token> {
  const name = nameOf(wanted.tokenId);
  const found = await world.findToken({ payeeId, token: name.token });
  if (!isThere(name, found)) throw notFound();
  if (found.tokenType !== wanted.tokenType || found.state !== 'Active') throw notFound();
  return showToken(world, found);
}

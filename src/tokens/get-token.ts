import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { showToken } from './show-token.ts';
import { isThere, parseTokenName, type TokenName } from './tokens.rules.ts';
import type { StoredToken, Token, TokenReads } from './tokens.types.ts';

/**
 * One token of a payee, active or archived.
 *
 * @param tokenId as addresses write it: `<token>-<tokenType>`, or the bare GUID
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type than named, or deleted
 */
export async function getToken(context: TokenReads, payeeId: PayeeId, tokenId: string): Promise<Token> {
  const name = nameOf(tokenId);
  return showToken(context, present(name, await context.findToken({ payeeId, token: name.token })));
}

/**
 * What an address calls a token.
 *
 * @throws Refusal `notfound` where the text names none
 */
export function nameOf(tokenId: string): TokenName {
  const name = parseTokenName(tokenId);
  if (name === undefined) throw notFound();
  return name;
}

/**
 * The token that was found under a name.
 *
 * @throws Refusal `notfound` where it cannot be seen
 */
export function present(name: TokenName, found: StoredToken | undefined): StoredToken {
  if (!isThere(name, found)) throw notFound();
  return found;
}

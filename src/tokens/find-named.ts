import type { PayeeId } from '../kit/ids.ts';
import { isNamed, parseTokenName } from './tokens.rules.ts';
import type { StoredToken, TokenReads } from './tokens.types.ts';

/** The token that an address names, in whatever state; undefined where there is none, or it is of another type than named. */
export async function findNamed(
  context: TokenReads,
  payeeId: PayeeId,
  tokenId: string,
): Promise<StoredToken | undefined> {
  const name = parseTokenName(tokenId);
  if (name === undefined) return undefined;
  const found = await context.findToken({ payeeId, token: name.token });
  return found !== undefined && isNamed(name, found) ? found : undefined;
}

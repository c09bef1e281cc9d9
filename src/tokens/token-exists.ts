import type { PayeeId } from '../kit/ids.ts';
import { isNamed, isThere, parseTokenName } from './tokens.rules.ts';
import type { TokenReads, TokenType } from './tokens.types.ts';

/** Whether `getToken` would find the token. */
export async function tokenExists(world: TokenReads, payeeId: PayeeId, tokenId: string): Promise<boolean> {
  const name = parseTokenName(tokenId);
  return name !== undefined && isThere(name, await world.findToken({ payeeId, token: name.token }));
}

/** Whether `deleteToken` would find the token: a deleted one can be deleted again. */
export async function tokenOfTypeExists(
  world: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  const name = parseTokenName(wanted.tokenId);
  const found = name && (await world.findToken({ payeeId, token: name.token }));
  return found !== undefined && isNamed(name ?? found, found) && found.tokenType === wanted.tokenType;
}

/** Whether `getActiveToken` would find the token. */
export async function activeTokenExists(
  world: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  const name = parseTokenName(wanted.tokenId);
  const found = name && (await world.findToken({ payeeId, token: name.token }));
  if (name === undefined || !isThere(name, found)) return false;
  return found.tokenType === wanted.tokenType && found.state === 'Active';
}

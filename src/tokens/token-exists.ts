import type { PayeeId } from '../kit/ids.ts';
import { findNamed } from './find-named.ts';
import { isActive } from './tokens.rules.ts';
import type { TokenReads, TokenType } from './tokens.types.ts';

/** Whether `getToken` would find the token. */
export async function tokenExists(context: TokenReads, payeeId: PayeeId, tokenId: string): Promise<boolean> {
  const found = await findNamed(context, payeeId, tokenId);
  return found !== undefined && found.state !== 'Deleted';
}

/** Whether `deleteToken` would find the token: a deleted one can be deleted again. */
export async function tokenOfTypeExists(
  context: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  const found = await findNamed(context, payeeId, wanted.tokenId);
  return found?.tokenType === wanted.tokenType;
}

/** Whether `getActiveToken` would find the token. */
export async function activeTokenExists(
  context: TokenReads,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  return isActive(await findNamed(context, payeeId, wanted.tokenId), wanted.tokenType);
}

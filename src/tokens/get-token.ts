import type { Transaction } from '../db/transaction.types.ts';
import { notFound, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { showToken } from './show-token.ts';
import { selectSchemeTransactionId } from './stored/made-tokens.store.ts';
import { isActive, isNamed, isThere, parseTokenName, type TokenName } from './tokens.rules.ts';
import type { StoredToken, Token, TokenContext, TokenType } from './tokens.types.ts';

/**
 * One token of a payee, active or archived.
 *
 * @param tokenId as addresses write it: `<token>-<tokenType>`, or the bare GUID
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type than named, or deleted
 */
export async function getToken(context: TokenContext, payeeId: PayeeId, tokenId: string): Promise<Token> {
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

/** The token that an address names, in whatever state; undefined where there is none, or it is of another type than named. */
async function findNamed(context: TokenContext, payeeId: PayeeId, tokenId: string): Promise<StoredToken | undefined> {
  const name = parseTokenName(tokenId);
  if (name === undefined) return undefined;
  const found = await context.findToken({ payeeId, token: name.token });
  return found !== undefined && isNamed(name, found) ? found : undefined;
}

/** Whether `getToken` would find the token. */
export async function tokenExists(context: TokenContext, payeeId: PayeeId, tokenId: string): Promise<boolean> {
  const found = await findNamed(context, payeeId, tokenId);
  return found !== undefined && found.state !== 'Deleted';
}

/** Whether `deleteToken` would find the token: a deleted one can be deleted again. */
export async function tokenOfTypeExists(
  context: TokenContext,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  const found = await findNamed(context, payeeId, wanted.tokenId);
  return found?.tokenType === wanted.tokenType;
}

/** Whether `getActiveToken` would find the token. */
export async function activeTokenExists(
  context: TokenContext,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<boolean> {
  return isActive(await findNamed(context, payeeId, wanted.tokenId), wanted.tokenType);
}

/**
 * One token of a certain type that can be used.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's, of another type, archived or deleted
 */
export async function getActiveToken(
  context: TokenContext,
  payeeId: PayeeId,
  wanted: { readonly tokenId: string; readonly tokenType: TokenType },
): Promise<Token> {
  const found = await findNamed(context, payeeId, wanted.tokenId);
  if (!isActive(found, wanted.tokenType)) throw notFound();
  return showToken(context, found);
}

/** A token that a payment names. */
export interface TokenToUse {
  readonly tokenId: string;
  readonly tokenTypes: readonly TokenType[];
  /** Whose it must be; undefined where the payment names no payer. */
  readonly payerReference: string | undefined;
}

/**
 * A token that a payment is to be made with.
 *
 * @throws Refusal `notfound` where it is unknown, another payee's or payer's, of another type, or no card
 * @throws Refusal `paymenttokeninactive` where it is archived or deleted
 */
export async function findTokenToUse(
  context: TokenContext,
  payeeId: PayeeId,
  { tokenId, tokenTypes, payerReference }: TokenToUse,
): Promise<StoredToken> {
  const found = await findNamed(context, payeeId, tokenId);
  if (found === undefined || !tokenTypes.includes(found.tokenType)) throw notFound();
  if (payerReference !== undefined && found.payerReference !== payerReference) throw notFound();
  if (found.instrument !== 'CreditCard') throw notFound();
  if (found.state === 'Active') return found;
  throw new Refusal('paymenttokeninactive', 'The token was archived or deleted.');
}

/** What the card of a token is charged by when its payer is not there; undefined where that is not known. */
export function findSchemeTransactionId(
  transaction: Transaction,
  token: Pick<StoredToken, 'payeeId' | 'token'>,
): Promise<string | undefined> {
  return selectSchemeTransactionId(transaction, token);
}

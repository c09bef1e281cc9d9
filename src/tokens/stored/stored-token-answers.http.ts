import { operation } from '../../http/operations.ts';
import { deletePayerOwned, type Owned, ownedPath, tokenOperations } from '../token-answers.http.ts';
import type { Token, TokenPage } from '../tokens.types.ts';

/** What the API's document files the endpoints below `/psp/paymentorders` under. */
export const STORED_TOKENS = 'Stored tokens';

/** Where a payer's stored tokens are found, and how they were asked for. */
export interface OwnedAddress {
  readonly owned: Owned;
  readonly payerReference: string;
  readonly baseUrl: string;
  /** The limit of the request; the next page is asked for with the same. */
  readonly limit: string | undefined;
}

/** A page of a payer's active tokens, with what can be done with each and with all. */
export function payerOwnedPage({ tokens, next }: TokenPage, { owned, payerReference, baseUrl, limit }: OwnedAddress) {
  const id = ownedPath(payerReference, owned);
  const operations = [deletePayerOwned(payerReference, baseUrl, owned)];
  if (next !== undefined) {
    const query = new URLSearchParams({ cursor: next, ...(limit !== undefined && { limit }) });
    operations.push(operation('GET', 'next', `${baseUrl}${id}?${query}`));
  }
  const shown = tokens.map((token) => ({ ...ownedToken(token), operations: tokenOperations(token, baseUrl) }));
  return { [owned.root]: { id, payerReference, tokens: shown }, operations };
}

/** Tokens of a payer that were deleted: nothing can be done with them any more. */
export function deletedTokens(
  { owned, payerReference }: Pick<OwnedAddress, 'owned' | 'payerReference'>,
  tokens: readonly Token[],
) {
  return { [owned.root]: { id: ownedPath(payerReference, owned), payerReference, tokens: tokens.map(ownedToken) } };
}

function ownedToken(token: Token) {
  const { tokenType, token: guid } = token.record;
  return { tokenType, token: guid, ...describeInstrument(token) };
}

/** A card shows its brand and expiry here, which its tombstone keeps, and nothing else; others show what they have. */
export function describeInstrument({ record, parameters }: Token) {
  const { instrument, displayName, correlationId } = record;
  const { cardBrand, expiryDate } = parameters;
  const ofCard = { ...(cardBrand !== undefined && { cardBrand }), ...(expiryDate !== undefined && { expiryDate }) };
  return {
    instrument,
    instrumentDisplayName: displayName,
    correlationId,
    instrumentParameters: instrument === 'CreditCard' ? ofCard : parameters,
  };
}

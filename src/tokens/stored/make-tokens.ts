import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { timedWriter } from '../../kit/row-writes.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Instrument } from '../../vault/vault.types.ts';
import { identityText } from '../import/import.rules.ts';
import type { TokenType } from '../tokens.types.ts';
import { insertCredentials, insertMadeTokens, touchPayers } from './made-tokens.store.ts';
import { type MadeToken, NEW_CREDENTIAL, NEW_TOKEN, type TokenMaker } from './make-tokens.types.ts';

/** A card of a payer's that tokens are to be made of. */
export interface CardToKeep {
  readonly payerReference: string;
  readonly number: Secret;
  readonly expiryDate: string;
  readonly instrument: Instrument;
  readonly tokenTypes: readonly TokenType[];
}

/**
 * Makes tokens of a card that the vault has, one of each type. They belong to no payer until they are stored.
 */
export function makeTokens({ keyRing, newToken }: TokenMaker, card: CardToKeep): readonly MadeToken[] {
  const { payerReference, number, expiryDate, instrument, tokenTypes } = card;
  const { payeeId } = instrument;
  const keyId = keyRing.current('token-lines');
  const content = { kind: 'Card', number } as const;
  return tokenTypes.map((tokenType) => ({
    payeeId,
    token: newToken(),
    tokenType,
    payerReference,
    instrument,
    expiryDate,
    identityKeyId: keyId,
    identityDigest: keyRing.digest(
      keyId,
      payeeId,
      identityText({ payerReference, tokenType, instrument: 'CreditCard', content }),
    ),
  }));
}

/**
 * What stores tokens in a batch, and what some of them are charged by later. The payers are locked first, as everywhere where
 * tokens are made: so after "archive all" no older token is active.
 */
export const TOKEN_WRITERS = [timedWriter(NEW_TOKEN, insertTokens), timedWriter(NEW_CREDENTIAL, insertCredentials)];

function insertTokens(tokens: readonly MadeToken[], now: string): readonly GuardedCall[] {
  const payers = new Map(
    tokens.map(({ payeeId, payerReference }) => [`${payeeId} ${payerReference}`, { payeeId, payerReference }]),
  );
  return [touchPayers([...payers.values()], now), insertMadeTokens(tokens, now)];
}

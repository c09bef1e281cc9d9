import type { KeyId, KeyRing } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { WriteName } from '../../kit/row-writes.ts';
import type { Instrument } from '../../vault/vault.types.ts';
import type { TokenGuid, TokenType } from '../tokens.types.ts';

/** A token that a payment makes, ready to be stored: without the card, whose instrument the vault has. */
export interface MadeToken {
  readonly payeeId: PayeeId;
  readonly token: TokenGuid;
  readonly tokenType: TokenType;
  readonly payerReference: string;
  readonly instrument: Instrument;
  /** `MM/YYYY`. */
  readonly expiryDate: string;
  readonly identityDigest: Buffer;
  readonly identityKeyId: KeyId;
}

/** What a stored card is charged by later, when its payer is not there. */
export interface StoredCredential extends Pick<MadeToken, 'payeeId' | 'token'> {
  /** The scheme's name of the payment that stored the card first: 1 to 40 visible characters. */
  readonly schemeTransactionId: string;
  /** Who made that payment; null where the token was imported. */
  readonly acquirerId: string | null;
}

/** Tokens that are made. */
export const NEW_TOKEN: WriteName<MadeToken> = 'new-token';
/** What they are charged by later. */
export const NEW_CREDENTIAL: WriteName<StoredCredential> = 'new-credential';

/** What making tokens needs. */
export interface TokenMaker {
  readonly keyRing: KeyRing;
  /** A new random GUID. */
  readonly newToken: () => TokenGuid;
}

import type { Find } from '../db/transaction.types.ts';
import type { Scope } from '../kit/caller.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';

/** The GUID of a token, in lower case. Callers handle it as an opaque string. */
export type TokenGuid = Branded<string, 'TokenGuid'>;

/** What a token may be used for; a GUID has one type. */
export const TOKEN_TYPES = ['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** In whose name a token may be archived. */
export type Archiver = 'PAYEE' | 'SERVICE_OPERATOR' | 'TOKEN_ISSUER';

/** A token only goes forward: Active, Archived, Deleted. */
export type TokenState = 'Active' | 'Archived' | 'Deleted';

/** Names one token of a payee. */
export interface TokenKey {
  readonly payeeId: PayeeId;
  readonly token: TokenGuid;
}

/** A token's own columns, as the database keeps them; those of a deleted one are its tombstone. */
export interface TokenRecord extends TokenKey {
  readonly tokenType: TokenType;
  readonly payerReference: string;
  /** `CreditCard`, `BankAccount`, `Invoice-<variant>`. */
  readonly instrument: string;
  /** The id of its first instrument in the vault; it stays when that is destroyed, or another takes its place. */
  readonly correlationId: InstrumentId;
  /** The vault's row: another one than at first where the card was replaced; null once it is deleted. */
  readonly instrumentId: InstrumentId | null;
  readonly displayName: string;
  /** MM/YYYY; cards only. */
  readonly expiryDate: string | null;
  readonly networkTokenLastFour: string | null;
  readonly networkTokenExpiryDate: string | null;
  readonly cardBrand: string | null;
  readonly lastFour: string | null;
  readonly state: TokenState;
  readonly archivedBy: Archiver | null;
  readonly archiveReason: string | null;
  /** As PostgreSQL writes it, with microseconds: the place in a payer's list. */
  readonly createdAt: string;
}

/** A change of a token, as its event needs it. */
export interface ChangedToken extends Pick<TokenRecord, 'token' | 'tokenType' | 'correlationId'> {
  /** Of the token's latest event, which tells of this change. */
  readonly eventSequence: number;
  /** By the database's clock, ISO 8601 in UTC. */
  readonly changedAt: string;
}

/** A token with what the vault knows of its instrument; null throughout once it is deleted. */
export interface StoredToken extends TokenRecord {
  readonly bin: string | null;
  readonly cardType: string | null;
  readonly holderType: string | null;
  readonly issuerName: string | null;
  readonly countryCode: string | null;
  /** The account or the invoice's data, encrypted; null for a card. */
  readonly sealed: Buffer | null;
}

/** What is shown of an instrument, under the names of the API. Which members there are depends on the instrument. */
export interface InstrumentParameters {
  readonly cardBrand?: string;
  readonly expiryDate?: string;
  readonly expiryPan?: string;
  readonly issuerName?: string;
  readonly lastFourPan?: string;
  readonly bin?: string;
  readonly cardHolderType?: string;
  readonly cardType?: string;
  readonly countryCode?: string;
  readonly lastFourDPan?: string;
  readonly expiryDPan?: string;
  readonly AccountId?: string;
  readonly email?: string;
  readonly msisdn?: string;
  readonly zipCode?: string;
}

/** A token as its payee sees it. */
export interface Token {
  /** The token and its type, as addresses name it. */
  readonly id: string;
  readonly record: TokenRecord;
  /** Those of an instrument that has no kind of its own have names of the sender's. */
  readonly parameters: InstrumentParameters | Readonly<Record<string, string>>;
}

/** Which tokens of a payer: all filters must fit. */
export interface TokenFilter {
  readonly state?: 'Active' | 'Archived';
  readonly tokenType?: TokenType;
  readonly instrument?: string;
}

/** A place in a payer's list: the last token of the page before. */
export interface TokenCursor {
  readonly createdAt: string;
  readonly token: TokenGuid;
}

export interface TokenPage {
  readonly tokens: readonly Token[];
  /** Whether at least one token of the whole collection came by import. */
  readonly imported: boolean;
  /** Where the next page begins, an opaque text; undefined on the last one. */
  readonly next: string | undefined;
}

/** What archiving needs to know beside which tokens. */
export interface Archiving {
  readonly updatedBy: Archiver;
  readonly reason: string;
}

/** The scope that lets a caller archive in the name of each. */
export const ARCHIVER_SCOPES: Readonly<Record<Archiver, Scope>> = {
  PAYEE: 'tokens:write',
  SERVICE_OPERATOR: 'tokens:act-as-operator',
  TOKEN_ISSUER: 'tokens:act-as-issuer',
};

/** What this slice works with. */
export interface TokenContext extends Kontor {
  /** Finds one token; calls of the same tick share a statement. */
  readonly findToken: Find<TokenKey, StoredToken>;
  /** A new GUID, random. */
  readonly newToken: () => TokenGuid;
  /** Lets in what the database has answered meanwhile. */
  readonly breathe: () => Promise<unknown>;
}

/** Tokens of a payer, and tombstones of them, as a person is told of them. */
export interface KnownToken {
  readonly token: string;
  readonly tokenType: string;
  readonly instrument: string;
  readonly state: string;
  readonly created: string;
  readonly displayName: string;
  readonly cardBrand: string | null;
  readonly lastFour: string | null;
  readonly expiryDate: string | null;
  readonly archiveReason: string | null;
  readonly deleteComment: string | null;
}

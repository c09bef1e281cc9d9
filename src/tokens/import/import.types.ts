import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { ImportFiles } from '../../kit/imports/import.types.ts';
import type { ImportReader } from '../../kit/imports/import-lines.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Instrument, InstrumentContent } from '../../vault/vault.types.ts';
import type { Archiver, TokenContext, TokenGuid, TokenType } from '../tokens.types.ts';
import type { ImportLineInput, UpdateLineInput } from './import.wire.ts';

/** What names a token that has no GUID. */
export type NamedMembers = 'payerReference' | 'tokenType' | 'instrument';

/** One token of a migration file, read and checked by itself. */
export interface ImportLine {
  readonly payerReference: string;
  readonly tokenType: TokenType;
  /** As on the wire. */
  readonly instrument: string;
  readonly content: InstrumentContent;
  /** Undefined: the instrument's masked number. */
  readonly displayName: string | undefined;
  readonly expiryDate: string | undefined;
  readonly networkTokenLastFour: string | undefined;
  readonly networkTokenExpiryDate: string | undefined;
  /** The scheme's name of the payment that stored the card first. */
  readonly schemeTransactionId: string | undefined;
  /** Kept from the other provider; undefined: a new one is made. */
  readonly token: TokenGuid | undefined;
  /** Who archived it and why; undefined for an active token. */
  readonly archived: { readonly by: Archiver; readonly reason: string } | undefined;
}

/** A line with what identifies it, under each live key, the current one first. */
export interface DigestedLine {
  readonly token: TokenGuid | undefined;
  /** Of payer, type and instrument. */
  readonly identity: readonly string[];
  /** Of the whole line. */
  readonly content: readonly string[];
  /** Of what the tombstone of an equal token shows. */
  readonly tombstone: readonly string[];
  /** What a token had before an update, of this payer, type and instrument; undefined of what is no card. */
  readonly former: FormerCard | undefined;
}

/** A card as a token had it before an update, by what is still known of it. */
export interface FormerCard {
  readonly payerReference: string;
  readonly tokenType: TokenType;
  readonly instrument: string;
  /** As in `0004 01/2027`. */
  readonly card: string;
}

/** What the payee already has of the lines of a batch. Digests are hexadecimal. */
export interface KnownTokens {
  /** The content under each GUID, or its identity where no more is kept: of a deleted one what its tombstone shows. */
  readonly contentByToken: ReadonlyMap<TokenGuid, string>;
  readonly identities: ReadonlySet<string>;
  /** Cards that tokens had before an update. */
  readonly formers: readonly FormerCard[];
}

/** A line that becomes a token. */
export interface NewToken {
  readonly line: ImportLine;
  readonly token: TokenGuid;
  readonly identityDigest: Buffer;
  readonly identityKeyId: KeyId;
  readonly contentDigest: Buffer;
  readonly instrument: Instrument;
}

export interface ImportTokens {
  readonly payeeId: PayeeId;
  readonly lines: readonly ImportLineInput[];
  readonly actor: Actor;
  /** Lines of the same file that come first; awaited before anything is locked. Undefined: there are none. */
  readonly before?: Promise<unknown> | undefined;
}

/** Lines that may also renew what is there. */
export interface UpdateTokens extends Omit<ImportTokens, 'lines'> {
  readonly lines: readonly UpdateLineInput[];
}

/** A card whose tokens are to be given what its acquirer says of it. */
export interface CardToUpdate {
  readonly payeeId: PayeeId;
  /** The number that the tokens have. */
  readonly number: Secret;
  readonly update:
    | { readonly kind: 'Replaced'; readonly number: Secret | undefined; readonly expiryDate: string | undefined }
    | { readonly kind: 'Closed' };
}

/** `Refused`: the new number cannot be stored. `Unchanged`: no token of the payee has the card, or all say so already. */
export type UpdateCard = (transaction: Transaction, card: CardToUpdate) => Promise<'Updated' | 'Unchanged' | 'Refused'>;

/** What the commands of this slice need of the running installation. */
export interface TokensService {
  readonly context: TokenContext;
  /** The payee that the command is about. */
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
  readonly reader: ImportReader<ImportLineInput>;
  /** Of lines that may also renew what is there. */
  readonly updateReader: ImportReader<UpdateLineInput>;
}

/** What the commands of this slice get from `program.ts`. */
export interface TokensRuntime extends CommandRuntime<TokensService> {
  readonly openImport: (path: string) => Promise<ImportFiles>;
  /** Shows how far it is, on a terminal; undefined clears it. */
  progress(text: string | undefined): void;
}

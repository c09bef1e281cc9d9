import type { Transact } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { CommandRuntime } from '../kit/command.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { Rows } from '../kit/imports/import.types.ts';
import type { Secret } from '../kit/secret.ts';

/** Names an instrument within its payee. UUID version 7. */
export type InstrumentId = Branded<string, 'InstrumentId'>;

export type InstrumentKind = 'Card' | 'BankAccount' | 'Invoice' | 'Other';
export type CardType = 'Debit' | 'Credit';
export type HolderType = 'Consumer' | 'Corporate';

/** What the first digits of a card tell. */
export interface CardRange {
  /** Such as `Visa`; see `brands.rules.ts` for the names. */
  readonly brand: string;
  readonly cardType: CardType | null;
  readonly holderType: HolderType | null;
  /** The issuing bank. */
  readonly issuerName: string | null;
  /** ISO 3166-1 numeric, three digits. */
  readonly countryCode: string | null;
}

/** A card range as it is stored. */
export interface StoredCardRange extends CardRange {
  /** 1 to 8 digits. */
  readonly prefix: string;
  /** `sandbox`: a range of the test cards. `operator`: loaded from a file. */
  readonly source: 'sandbox' | 'operator';
}

/** What was found for a card's number. */
export interface FoundCardRange {
  /** The range with the longest prefix that fits; undefined where none does. */
  readonly range: CardRange | undefined;
  /** Whether the number lies in a range of the test cards. In the sandbox no other number is accepted. */
  readonly isTestNumber: boolean;
}

/** What makes an instrument: an equal one of the same payee is the same instrument. */
export type InstrumentContent =
  | { readonly kind: 'Card'; readonly number: Secret }
  | { readonly kind: 'BankAccount'; readonly accountId: Secret }
  | {
      readonly kind: 'Invoice';
      /** As on the wire, `Invoice-<variant>`. */
      readonly instrument: string;
      readonly payerReference: string;
      readonly email: Secret | undefined;
      readonly msisdn: Secret | undefined;
      readonly zipCode: Secret | undefined;
    }
  | {
      readonly kind: 'Other';
      /** As on the wire, such as `Swish`. */
      readonly instrument: string;
      readonly payerReference: string;
      /** What belongs to it, by names of the sender's: a JSON array of pairs, sorted by name. */
      readonly parameters: Secret;
    };

/** What makes an instrument that is not a card. */
export type AccountContent = Exclude<InstrumentContent, { readonly kind: 'Card' }>;

/** An instrument that is to be stored. A card comes with what `findCardRanges` found for it. */
export type InstrumentDraft =
  | (InstrumentContent & { readonly kind: 'Card'; readonly range: CardRange | undefined })
  | AccountContent;

/** What of an instrument may be shown. */
export interface ShownInstrument {
  /** Cards only, as everything down to the country. */
  readonly brand: string | null;
  /** First six digits; null also where with the last four they would leave too few hidden. */
  readonly bin: string | null;
  readonly lastFour: string | null;
  readonly cardType: CardType | null;
  readonly holderType: HolderType | null;
  readonly issuerName: string | null;
  readonly countryCode: string | null;
  /** What a token is called where it was given no name: the number with asterisks, or what stands for it. */
  readonly masked: string;
}

/** An instrument as it is stored, without what is secret of it. */
export interface Instrument extends ShownInstrument {
  readonly payeeId: PayeeId;
  readonly instrumentId: InstrumentId;
  readonly kind: InstrumentKind;
}

/** What is needed to open an instrument: three columns and the ciphertext. */
export interface SealedInstrument {
  readonly payeeId: PayeeId;
  readonly instrumentId: InstrumentId;
  readonly kind: InstrumentKind;
  readonly sealed: Buffer;
}

/** A row of the table, to be written. */
export interface InstrumentRow {
  readonly instrument: Instrument;
  /** HMAC-SHA-256 under the current fingerprint key. */
  readonly fingerprint: Buffer;
  readonly fingerprintKeyId: KeyId;
  readonly sealed: Buffer;
  readonly cardDataKeyId: KeyId;
}

/** Names what holds a card: the attempt that its payment is made by. */
export interface HoldName {
  readonly payeeId: PayeeId;
  readonly attemptId: string;
}

/** A card that is held. */
export interface CardHold extends HoldName {
  readonly instrumentId: InstrumentId;
  /** `MM/YY`. */
  readonly expiryDate: string | null;
}

/** Of a card, what an acquirer may want again: never its code, track or PIN. */
export interface HeldCard {
  readonly number: Secret;
  /** `MM/YY`. */
  readonly expiryDate: string | undefined;
}

/** What the commands of this slice need of the running installation. */
export interface VaultService {
  readonly transact: Transact;
}

/** What the commands of this slice get from `program.ts`. */
export interface VaultRuntime extends CommandRuntime<VaultService> {
  /** The rows of a CSV file, one after the other. Each call begins anew. */
  readTable(path: string): Rows;
  progress(text: string | undefined): void;
}

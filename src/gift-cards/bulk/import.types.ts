import type { Transact } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { FileStamp, ImportFiles, ImportSummary, LineOutcome } from '../../kit/imports/import.types.ts';
import type { ImportReader } from '../../kit/imports/import-lines.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { TakeNumbers } from '../../ledger/accounts/open-account.types.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { Contact, Product, ProductId } from '../gift-cards.types.ts';

/** One line of a file of cards from another programme, each member well-formed; `import.wire.ts` says how. */
export interface CardLineInput {
  readonly accountKey: string;
  readonly expiryDate: string;
  readonly balance: number;
  readonly currency?: string;
  readonly productId?: string;
  readonly blocked?: boolean;
  readonly email?: string;
  readonly msisdn?: string;
}

/** A card of another programme, read and checked against the product that it becomes one of. */
export interface CardLine {
  readonly product: Product;
  readonly number: Secret;
  readonly expiresOn: string;
  readonly balance: AmountMinor;
  readonly isBlocked: boolean;
  readonly contact: Contact;
}

/** A card that the payee has under a line's number, and how it began. */
export interface KnownCard {
  readonly accountId: AccountId;
  /** Null: the account is no gift card. */
  readonly productId: ProductId | null;
  readonly expiresOn: string | null;
  readonly openedWith: number;
}

export interface ImportCards {
  readonly payeeId: PayeeId;
  /** What lines are that name no product; undefined: the payee's default product. */
  readonly productId: ProductId | undefined;
  readonly lines: readonly CardLineInput[];
  /** Of the deposits of new cards, as many as there are lines: see `takePaymentNumbers`. */
  readonly paymentNumbers: readonly number[];
  readonly actor: Actor;
  /** The file that the lines stand in; undefined: not known, as of a pipe. */
  readonly file: FileStamp | undefined;
  /** Digests of the numbers of the file so far. A number that comes again is refused. */
  readonly seen: ReadonlySet<string>;
}

/** Cards and what they began with, in one currency. */
export interface Tally {
  readonly currency: Currency;
  readonly cards: number;
  readonly amount: number;
}

/** What became of some lines. */
export interface ImportedCards {
  readonly outcomes: readonly LineOutcome[];
  /** Digests of the accepted lines' numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Of the accepted lines, as they say. */
  readonly file: readonly Tally[];
  /** Of the cards that stand behind them, as the ledger says. */
  readonly ledger: readonly Tally[];
}

/** A currency in the file and in the ledger. */
export interface Reconciled {
  readonly currency: Currency;
  readonly cards: number;
  readonly amount: number;
  readonly ledgerCards: number;
  readonly ledgerAmount: number;
}

export interface CardImportSummary extends ImportSummary {
  readonly reconciliation: readonly Reconciled[];
}

/** What the command needs of the running installation. */
export interface CardImportService {
  readonly transact: Transact;
  readonly takeNumbers: TakeNumbers;
  readonly maker: Kontor;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
  readonly reader: ImportReader<CardLineInput>;
}

/** What the command gets from `program.ts`. */
export interface CardImportRuntime extends CommandRuntime<CardImportService> {
  readonly openImport: (path: string) => Promise<ImportFiles>;
  readonly stampFile: (path: string) => Promise<FileStamp | undefined>;
  /** Shows how far it is, on a terminal; undefined clears it. */
  progress(text: string | undefined): void;
}

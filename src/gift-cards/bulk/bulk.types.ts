import type { Find, Transact } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { TakeNumbers } from '../../ledger/accounts/open-account.types.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { MadeCard, ProductId, ProductOnSale } from '../gift-cards.types.ts';

/** Cards of one product that are issued together, each with the same amount on it. */
export interface IssueCards {
  readonly product: ProductOnSale;
  readonly amount: AmountMinor;
  /** Whether they are to be sold later, when their money comes. */
  readonly isInactive: boolean;
  /** Made before, by `makeCards`. One whose number is taken, or whose keys are of yesterday, is made anew. */
  readonly made: readonly MadeCard[];
  /** Of their deposits: see `takePaymentNumbers`. */
  readonly paymentNumbers: readonly number[];
  /** Cards that another transaction has written and not committed yet: their numbers are taken, and cannot be seen. */
  readonly beside?: readonly CardToSell[];
  readonly actor: Actor;
}

/** A card as its seller gets it: its code is never shown again. */
export interface CardToSell {
  readonly accountId: AccountId;
  readonly number: Secret;
  readonly cvc: Secret;
  /** `YYYY-MM-DD`, the last day. */
  readonly expiresOn: string;
  readonly balance: AmountMinor;
  readonly currency: Currency;
  /** Of its first deposit, as in the answers of the API. */
  readonly paymentNumber: number;
}

/** How cards are written: one JSON object or one row of a table each. */
export type CardFormat = 'ndjson' | 'csv';

/** What is in the clear beside a sealed batch: enough to take a run up that was cut off. */
export interface ClearOfBatch {
  readonly version: 1;
  readonly format: CardFormat;
  /** Of each card. */
  readonly balance: number;
  readonly currency: string;
  readonly accounts: readonly string[];
}

/** A batch of cards that only a printer's key opens; the members are in Base64. */
export interface SealedBatch extends ClearOfBatch {
  readonly key: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** Makes a line of a file of what only the printer is to read. */
export type SealForPrinter = (lines: Secret, clear: ClearOfBatch) => string;

/** A file that takes issued cards, and has those of a run that was cut off. */
export interface CardFile {
  /** What was in it when it was opened; empty for a new one. */
  readonly content: Secret;
  /**
   * Forgets what comes after so many bytes of the content.
   *
   * @throws Trouble where another process has written to it meanwhile
   */
  cut(bytes: number): Promise<void>;
  /**
   * Adds text behind what was confirmed, in place of what was not, and has it on the disk.
   *
   * @throws Trouble as `cut`
   */
  append(text: Secret): Promise<void>;
  /** What was added stays: its cards exist. */
  confirm(): void;
  close(): Promise<void>;
}

/** A run of `gift-cards issue`. */
export interface IssueRun {
  readonly payeeId: PayeeId;
  readonly product: ProductOnSale;
  readonly amount: AmountMinor;
  readonly isInactive: boolean;
  /** Of the whole file. */
  readonly count: number;
  readonly format: CardFormat;
  readonly path: string;
  /** Undefined: the file is in the clear. */
  readonly seal?: SealForPrinter | undefined;
}

/** What the commands about many cards need of the running installation. */
export interface CardsService {
  readonly transact: Transact;
  readonly takeNumbers: TakeNumbers;
  readonly maker: Kontor;
  readonly findProduct: Find<{ readonly payeeId: PayeeId; readonly productId: ProductId | null }, ProductOnSale>;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

/** What these commands get from `program.ts`. */
export interface CardsRuntime extends CommandRuntime<CardsService> {
  readonly openCardFile: (path: string) => Promise<CardFile>;
  readonly readSealedFile: (path: string) => Promise<Secret>;
  readonly readPrinterKey: (path: string) => Promise<SealForPrinter>;
  readonly readPrivateKey: (path: string) => Promise<(batch: SealedBatch) => Secret>;
  /** Shows how far it is, on a terminal; undefined clears it. */
  progress(text: string | undefined): void;
  /** Lets what waits for its turn have it. */
  breathe(): Promise<void>;
}

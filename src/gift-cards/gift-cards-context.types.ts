import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Find, Transact, Transaction } from '../db/transaction.types.ts';
import type { CommandRuntime } from '../kit/command.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { FileStamp, Lines, Rows } from '../kit/imports/import.types.ts';
import type { Secret } from '../kit/secret.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import type { CardView } from './cards/life.types.ts';
import type { CardLimits, KeptCard, Product, ProductKey, ProductOnSale } from './gift-cards.types.ts';

/** What this slice works with; it lives as long as the service. */
export interface GiftCardsContext extends AccountsContext {
  readonly findCard: Find<AccountKey, CardView>;
  readonly findSealedCard: Find<AccountKey, KeptCard>;
  /** A product, on sale or not. */
  readonly findProduct: Find<Pick<Product, 'payeeId' | 'productId'>, Product>;
  readonly findProductOnSale: Find<ProductKey, ProductOnSale>;
  /** What a deposit on a card may be, by its product, retired or not; undefined where the account is no gift card. */
  readonly findLimits: Find<AccountKey, CardLimits>;
  /** What sweeps have booked of a card to the payee, less what was given back of that. Minor units. */
  readonly sweptOf: (card: AccountKey) => Promise<number>;
  /** When a day is over where the payee is. */
  readonly endOfDay: (payeeId: PayeeId, day: string) => Promise<string>;
  /** Asks the database which keys are current. */
  readonly renewKeys: () => Promise<void>;
}

/** What the commands of this slice need: see `CommandRuntime`. */
export interface GiftCardsService {
  readonly transact: Transact;
  readonly context: GiftCardsContext;
  /** The payee that `--payee` names, or the only one. */
  whichPayee(transaction: Transaction, payee: string | undefined): Promise<PayeeId>;
}

/** What the commands about a card's life need of the running installation. */
export interface LifeService {
  readonly context: GiftCardsContext;
  /** Throws a Refusal where these break the rules that they have in a request. */
  checkWords(words: { readonly transactionRef: string; readonly reason?: string }): void;
  /** The payee that `--payee` names, or the only one. */
  whichPayee(transaction: Transaction, payee: string | undefined): Promise<PayeeId>;
}

/** What these commands get from `program.ts`. */
export interface LifeRuntime extends CommandRuntime<LifeService> {
  /** A card's number from the standard input: it must not be in a list of processes or a shell's history. */
  readNumber(): Promise<Secret>;
  /** The lines and the rows of a file. */
  readLines(path: string, longest?: number): Lines;
  readTable(path: string): Rows;
  /** The name and the digest of a file; undefined of a pipe. */
  stampFile(path: string): Promise<FileStamp | undefined>;
  /** Shows how far it is, on a terminal; undefined clears it. */
  progress(text: string | undefined): void;
}

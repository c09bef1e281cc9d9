import type { Read, Transact } from '../db/transaction.types.ts';
import type { Dialect } from '../iso8583/dialects/dialect.types.ts';
import type { Link } from '../iso8583/link/link.types.ts';
import type { Acquirer, Agreement } from '../issuers/acquirers/acquirers.types.ts';
import type { Exchange } from '../issuers/questions.types.ts';
import type { CommandRuntime } from '../kit/command.ts';
import type { AskedAct, WaitingAct, WeighAct, WeighedAct } from '../kit/given.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Currency } from '../kit/money.ts';
import type { Kontor } from '../kontor.types.ts';

/** What settlement needs to know of the acquirers of this installation. */
export interface SettlingHosts {
  readonly acquirers: readonly Acquirer[];
  /** An agreement of a payee by its id; undefined where there is none any more. */
  agreement(payeeId: PayeeId, agreementId: string): Agreement | undefined;
  /** The agreements with this merchant number. */
  withMerchantId(acquirerId: string, merchantId: string): readonly Agreement[];
  /** Those that a payee has an agreement with. */
  acquirersOf(payeeId: PayeeId): readonly Acquirer[];
  dialect(acquirerId: string): Dialect;
  /** The lines to it; undefined where this process has none. */
  link(acquirerId: string): Pick<Link, 'ask'> | undefined;
  /** Names a message. */
  newExchange(agreement: Agreement): Promise<Pick<Exchange, 'stan' | 'sentAt'>>;
}

/** What this slice works with. */
export interface SettlementContext extends Kontor {
  readonly hosts: SettlingHosts;
}

/** Numbers and amounts of one day, as fields 74–77 and 86–89 of ISO 8583 count them. Minor units. */
export interface Totals {
  readonly salesNumber: number;
  readonly salesAmount: number;
  /** Sales that were taken back: they count as sales too. */
  readonly saleReversalsNumber: number;
  readonly saleReversalsAmount: number;
  readonly refundsNumber: number;
  readonly refundsAmount: number;
  readonly refundReversalsNumber: number;
  readonly refundReversalsAmount: number;
}

/**
 * `Closed`: its sums are fixed. `Reconciled`: the acquirer has the same. `Different`: it has others. `Settled`: all of it was
 * paid, and nothing of it differs.
 */
export type SettlementState = 'Closed' | 'Reconciled' | 'Different' | 'Settled';

/** A business day of one agreement in one currency, after it was closed. */
export interface SettlementDay extends Totals {
  readonly payeeId: PayeeId;
  /** UUID version 7. */
  readonly settlementId: string;
  readonly acquirer: string;
  readonly agreement: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly state: SettlementState;
  readonly net: number;
  readonly acquirerTotals: Totals | null;
  readonly closedAt: string;
  readonly eventSequence: number;
}

/** A closed day with what became of it since. */
export interface ShownSettlement extends SettlementDay {
  /** Sales and refunds of it that lines of files have settled, and their amount with its sign. */
  readonly settledNumber: number;
  readonly settledAmount: number;
  readonly openDifferences: number;
  /** Messages of its agreement that no acquirer has acknowledged yet. */
  readonly openTakeBacks: number;
}

/** A day as it is asked for. */
export interface SettlementsAsked {
  readonly payeeId: PayeeId;
  /** Undefined: all, the latest first. */
  readonly day: string | undefined;
  /** Business days, both with; undefined: from the beginning, or to the end. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last one of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** What a payee was paid: one batch of an acquirer. */
export interface Payout {
  readonly acquirer: string;
  readonly batch: string;
  readonly merchantId: string;
  readonly valueDate: string | null;
  readonly currency: Currency;
  readonly gross: number;
  readonly fee: number;
  readonly amount: number;
}

/** See docs/settlement.md. */
export type DifferenceKind =
  | 'unknownToUs'
  | 'takenThoughRefused'
  | 'amountDiffers'
  | 'currencyDiffers'
  | 'merchantDiffers'
  | 'twice'
  | 'missingAtAcquirer'
  | 'totalsDiffer'
  | 'abandoned'
  | 'feeAboveZero';

/** Something that our books and the acquirer's do not agree on. */
export interface Difference {
  readonly payeeId: PayeeId;
  readonly differenceId: string;
  readonly kind: DifferenceKind;
  /** `Withdrawn`: the batch of its line was. */
  readonly state: 'Open' | 'Cured' | 'Resolved' | 'Withdrawn';
  readonly acquirer: string;
  readonly agreement: string;
  readonly currency: Currency;
  readonly day: string | null;
  readonly attemptId: string | null;
  /** Of the transaction that it is about. */
  readonly paymentId: string | null;
  /** As the file names it. */
  readonly batch: string | null;
  /** Of the batch. */
  readonly merchantId: string | null;
  readonly lineId: string | null;
  /** What our books say, and what the acquirer says. Minor units with their sign; null where one says nothing. */
  readonly ours: number | null;
  readonly theirs: number | null;
  /** Of what the acquirer says, where it is not `currency`. */
  readonly theirCurrency: Currency | null;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly reason: string | null;
  /** What a person has made of it; null where no person has ended it. */
  readonly outcome: DifferenceOutcome | null;
}

/**
 * `WrittenOff`: the payee gives up what is owed, or keeps what it owes. `PaidOtherwise`: it was paid outside of the acquirer's files.
 * `AcquirersMistake`: the acquirer has said something wrong, or will mend it; nothing is booked.
 */
export const DIFFERENCE_OUTCOMES = ['WrittenOff', 'PaidOtherwise', 'AcquirersMistake'] as const;
export type DifferenceOutcome = (typeof DIFFERENCE_OUTCOMES)[number];

/** What of settlement may need a second person. */
export interface SettlementActs {
  readonly resolve: WeighedAct;
  readonly withdraw: WeighedAct;
  /** A step of a dispute. */
  readonly dispute: WeighedAct;
}

/** What people book by pages, and what weighs it. */
export interface PortalActs {
  readonly acts: SettlementActs;
  readonly weighAct: WeighAct;
}

/** What the commands need of the running installation. */
export interface SettlementService {
  readonly read: Read;
  readonly transact: Transact;
  /** For reports: without the time limits of requests, and each as of one instant. */
  readonly report: Transact;
  /** Without the time limits of requests. */
  readonly longWork: Transact;
  readonly context: SettlementContext;
  /** Does it as the person at the command line, or keeps it for another person: then it answers what waits. */
  readonly act: (name: keyof SettlementActs, asked: AskedAct) => Promise<WaitingAct | undefined>;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

/** What the commands of this slice get of the machine. */
export type SettlementRuntime = CommandRuntime<SettlementService>;

/** Kinds of movements of settlement, as their index has them. */
export const OF_SETTLEMENT = `('Settlement', 'Dispute', 'Conversion')`;

import type { Read, Transact } from '../db/transaction.types.ts';
import type { ThreeDS } from '../issuers/authentication/three-ds.types.ts';
import type { Asker } from '../issuers/issuers.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import type { OrderId, Submit } from '../ledger/ledger.types.ts';
import type { TokenMaker } from '../tokens/stored/make-tokens.types.ts';
import type { TokenContext } from '../tokens/tokens.types.ts';
import type { CardTesting } from './card-testing.types.ts';
import type { SubmitOfOrder } from './payment-commands.types.ts';
import type { Cardholder, TestCard } from './payments.types.ts';

/** What the verbs of this slice need; it lives as long as the service. */
export interface CardPaymentsContext extends Kontor, TokenMaker, Asker {
  readonly submit: Submit;
  readonly submitOfOrder: SubmitOfOrder;
  /** What is known of the payer of an order; undefined where that is nothing. */
  readonly cardholderOf: (order: {
    readonly payeeId: PayeeId;
    readonly orderId: OrderId;
  }) => Promise<Cardholder | undefined>;
  readonly read: Read;
  readonly tokens: TokenContext;
  /** Whether only test cards and plain addresses are for this installation. */
  readonly isSandbox: boolean;
  /** Cards that a page offers to try; none outside of a sandbox. */
  readonly testCards: readonly TestCard[];
  /** 3-D Secure of this installation; undefined where it has none. */
  readonly threeDS: () => ThreeDS | undefined;
  readonly cardTesting: CardTesting;
  readonly pause: (durationMs: number) => Promise<void>;
}

/** What the flows of this slice need. */
export interface PaymentFlows {
  readonly transact: Transact;
  readonly context: CardPaymentsContext;
}

/** What the routes of this slice are made with. */
export interface PaymentRoutesOptions extends PaymentFlows {
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
}

import { CARD_HISTORY_DAYS } from '../engine/card-history/card-history.types.ts';
import type { AttemptSettler } from '../issuers/issuers.types.ts';
import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import { endingUse } from '../keys/ending-use.ts';
import type { CardTesting, CardTestingListener } from './card-testing.types.ts';
import { giveUpCardAttempt, noteCardAttemptTakenBack, settleForwardedCapture } from './cards/recover-attempt.ts';
import { INVARIANTS } from './invariants.store.ts';
import type { OrderPages } from './page/page.types.ts';
import { PAGE_LINK_DAYS } from './page/page-link.ts';
import type { PolicyReportListener } from './page-integrity/policy-reports.http.ts';
import { CARD_PAYER_KEY_USES } from './payers/sealed-payers.ts';
import type { CardPaymentsContext } from './payments-context.types.ts';

/** What card payments are composed of. They ask the same issuers as account payments do. */
export interface PaymentsParts extends Omit<CardPaymentsContext, 'isSandbox' | 'read' | 'cardTesting'> {
  /** Who knows the orders that card payments pay parts of; asked once pages are opened. */
  readonly orders?: () => OrderPages;
}

const CARD_PAYMENTS: Journaled = { table: 'card_payment', id: 'payment_id', kind: 'card-payment' };

/** Composes card payments, and who settles their attempts. */
export function composePayments({ orders, ...parts }: PaymentsParts) {
  const { config, database } = parts;
  const isSandbox = config.mode === 'sandbox';
  const cardTesting: { limits: CardTesting['limits']; listener?: CardTestingListener } = { limits: config.cardTesting };
  const reports: { listener?: PolicyReportListener } = {};
  const context: CardPaymentsContext = {
    ...parts,
    read: database.read,
    isSandbox,
    cardTesting,
  };
  const settler: AttemptSettler = {
    giveUp: (attempt) => giveUpCardAttempt(context, attempt),
    settleForwarded: (attempt, answer) => settleForwardedCapture(context, attempt, answer),
    noteTakenBack: (attempt) => noteCardAttemptTakenBack(context, attempt),
  };
  return {
    context,
    config,
    database,
    orders,
    reported: () => reports.listener,
    listenToCardTesting: (listener: CardTestingListener) => {
      cardTesting.listener = listener;
    },
    listenToPolicyReports: (listener: PolicyReportListener) => {
      reports.listener = listener;
    },
    invariants: cardPaymentInvariants(),
    keyUses: [
      ...CARD_PAYER_KEY_USES,
      endingUse('card-history', CARD_HISTORY_DAYS),
      endingUse('page-links', PAGE_LINK_DAYS),
    ],
    settler,
  };
}

/** What `kontor ledger verify` checks of card payments, beside what holds of every movement. */
function cardPaymentInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(CARD_PAYMENTS), makersAreKnown(CARD_PAYMENTS)];
}

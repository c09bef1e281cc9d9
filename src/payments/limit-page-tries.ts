import type { Transaction } from '../db/transaction.types.ts';
import { writeEvents } from '../journal/write-events.ts';
import { networkOf, ONE_CUSTOMER } from '../kit/addresses/network.ts';
import { CARD_DECLINES_OF_NETWORK, CARD_DECLINES_OF_NETWORK_SECONDS } from '../kit/cards/card-payment-limits.ts';
import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { Secret } from '../kit/secret.ts';
import { countAttempt, haveFailed, noteAttempt, secondsFull } from '../merchants/attempts/count-attempt.ts';
import type { AttemptCounter, AttemptLimit, AttemptSubject } from '../merchants/merchants.types.ts';
import {
  CARD_TESTING_NETWORKS,
  CARD_TESTING_SECONDS,
  CARD_TESTING_WINDOW_SECONDS,
  isCardTesting,
  isTimeToLook,
  VERDICTS,
} from './card-testing.rules.ts';
import { selectTypedCards } from './card-testing.store.ts';
import type { PreparedCard } from './cards/payment-cards.types.ts';
import type { OpenedPage } from './page/page.types.ts';
import { canBePaid, isDeclined } from './page/page-state.rules.ts';
import type { Changed } from './payments.types.ts';
import type { CardPaymentsContext } from './payments-context.types.ts';

/** Who tries a card on a page. */
export interface PageTry {
  readonly page: Pick<OpenedPage, 'payment' | 'state' | 'transactions'>;
  /** Where from; undefined where all payers have one address, or there is no limit. */
  readonly address: string | undefined;
  /** On this machine, in a sandbox: there is no limit. */
  readonly isFree: boolean;
}

const OF_NETWORK: AttemptLimit = {
  kind: 'page-declines-network',
  attempts: CARD_DECLINES_OF_NETWORK,
  windowSeconds: CARD_DECLINES_OF_NETWORK_SECONDS,
  refusal: 'Too many cards from this network were declined.',
};
/** Counted and never full: how many there were says when to look. */
const OF_PAYEE: AttemptLimit = {
  kind: 'page-declines-payee',
  attempts: Number.MAX_SAFE_INTEGER,
  windowSeconds: CARD_TESTING_WINDOW_SECONDS,
  refusal: '',
};
/** While its window is open, the pages of a payee take no typed card whose payer is not authenticated. */
const TESTING: AttemptLimit = {
  kind: 'page-card-testing',
  attempts: 1,
  windowSeconds: CARD_TESTING_SECONDS,
  refusal: 'Many cards were declined on the pages of this payee: only authenticated payers can pay.',
};

/** How careful pages of a payee are just now. */
export interface PageCare {
  /** Seconds for which payers must authenticate; undefined where there is no need for it. */
  readonly authenticatesFor: number | undefined;
}

/**
 * Refuses a network whose cards were declined too often on pages of this payee, whatever the links and cards were. Tries of
 * one moment pass together: what has not been declined yet is not counted. A page that cannot be paid refuses no payer:
 * one who has paid, or waits for an outcome, is to be shown that.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkPageTries(
  transaction: Transaction,
  context: Pick<CardPaymentsContext, 'keyRing'>,
  tried: PageTry,
): Promise<PageCare> {
  if (tried.isFree || !canBePaid(tried.page.state)) return { authenticatesFor: undefined };
  const testing: AttemptCounter = { subject: payeeSubject(context, tried.page.payment), limit: TESTING };
  const network = networkSubject(context, tried);
  const counters = network === undefined ? [testing] : [testing, { subject: network, limit: OF_NETWORK }];
  const [authenticatesFor, stoppedFor] = await secondsFull(transaction, counters);
  if (stoppedFor !== undefined) throw tooMany(OF_NETWORK, stoppedFor);
  return { authenticatesFor };
}

/**
 * Refuses a typed card whose payer does not authenticate, while numbers are tried on pages of its payee. A card that the
 * payer has stored before has been paid with.
 *
 * @throws Refusal `toomanyrequests`
 */
export function checkCare(
  { authenticatesFor }: PageCare,
  { summary: { authentication, isStored } }: PreparedCard,
): void {
  if (authenticatesFor === undefined || isStored || authentication.is === 'Needed') return;
  throw tooMany(TESTING, authenticatesFor);
}

function tooMany({ refusal }: AttemptLimit, retryAfterSeconds: number): Refusal {
  return new Refusal('toomanyrequests', refusal, { retryAfterSeconds });
}

/**
 * Whether a try tells its payer something about a card: it was declined, or another one was given up for it that had
 * come as far as 3-D Secure. What is approved does not count.
 */
export function isCounted({ page }: Pick<PageTry, 'page'>, { transaction, isReplay }: Changed): boolean {
  const gaveUp =
    page.state === 'authentication' && page.transactions.at(-1)?.transactionId !== transaction.transactionId;
  return !isReplay && (gaveUp || isDeclined(transaction));
}

/**
 * Counts a try, and looks whether a stranger tries numbers on pages of its payee. Then the payee is told by an event, once.
 *
 * @returns whether that has begun with this try
 */
export async function countPageTry(
  transaction: Transaction,
  context: Pick<CardPaymentsContext, 'keyRing' | 'newId' | 'cardTesting'>,
  tried: PageTry,
  { transaction: { problem } }: Pick<Changed, 'transaction'>,
): Promise<boolean> {
  const network = networkSubject(context, tried);
  if (network !== undefined) await noteAttempt(transaction, network, OF_NETWORK);
  const { limits } = context.cardTesting;
  if (tried.isFree || limits.numbers === 0 || problem === null || !VERDICTS.includes(problem)) return false;
  const { payment } = tried.page;
  const subject = payeeSubject(context, payment);
  if (!isTimeToLook(await countAttempt(transaction, subject, OF_PAYEE), limits)) return false;
  const { payeeId } = payment;
  const lookBack = { payeeId, seconds: CARD_TESTING_WINDOW_SECONDS, verdicts: VERDICTS };
  const typed = await selectTypedCards(transaction, lookBack);
  const [first] = typed;
  if (first === undefined || !isCardTesting(typed, limits)) return false;
  if (network !== undefined && !(await areManyNetworks(transaction, payeeId))) return false;
  // Those who find it at the same moment wait here, and only the first one begins it.
  const begun = await countAttempt(transaction, subject, { ...TESTING, attempts: Number.MAX_SAFE_INTEGER });
  if (begun > 1) return false;
  const happened = { payeeId, resourceId: context.newId(), resourceSequence: 1, happenedAt: first.now };
  await writeEvents(transaction, [{ ...happened, type: 'card-payment.testing', payload: {} }]);
  return true;
}

/** One network alone is stopped by its own limit, and must not stop the payers of all others. */
function areManyNetworks(transaction: Transaction, payeeId: PayeeId): Promise<boolean> {
  return haveFailed(transaction, payeeId, { kind: OF_NETWORK.kind, least: CARD_TESTING_NETWORKS });
}

/** A keyed digest, because an address is personal and there are few enough of them to try them all. */
function networkSubject(
  context: Pick<CardPaymentsContext, 'keyRing'>,
  { page, address, isFree }: PageTry,
): AttemptSubject | undefined {
  if (address === undefined || isFree) return undefined;
  return subjectOf(context, page.payment, `network ${networkOf(address, ONE_CUSTOMER)}`);
}

function payeeSubject(context: Pick<CardPaymentsContext, 'keyRing'>, payment: { readonly payeeId: PayeeId }) {
  return subjectOf(context, payment, 'pages');
}

function subjectOf(
  { keyRing }: Pick<CardPaymentsContext, 'keyRing'>,
  { payeeId }: { readonly payeeId: PayeeId },
  text: string,
): AttemptSubject {
  return { payeeId, digest: keyRing.digest(keyRing.current('networks'), payeeId, new Secret(text)) };
}

import type { Transaction } from '../db/transaction.types.ts';
import { networkOf, ONE_CUSTOMER } from '../kit/addresses/network.ts';
import { CARD_DECLINES_OF_NETWORK, CARD_DECLINES_OF_NETWORK_SECONDS } from '../kit/cards/card-payment-limits.ts';
import { Secret } from '../kit/secret.ts';
import { checkAttempts, noteAttempt } from '../merchants/attempts/count-attempt.ts';
import type { AttemptLimit, AttemptSubject } from '../merchants/merchants.types.ts';
import type { OpenedPage } from './page/page.types.ts';
import { canBePaid, isDeclined } from './page/page-state.rules.ts';
import type { CardPaymentsContext, Changed } from './payments.types.ts';

/** Who tries a card on a page. */
export interface PageTry {
  readonly page: Pick<OpenedPage, 'payment' | 'state' | 'transactions'>;
  /** Where from; undefined where all payers have one address, or there is no limit. */
  readonly address: string | undefined;
}

const OF_NETWORK: AttemptLimit = {
  kind: 'page-declines-network',
  attempts: CARD_DECLINES_OF_NETWORK,
  windowSeconds: CARD_DECLINES_OF_NETWORK_SECONDS,
  refusal: 'Too many cards from this network were declined.',
};

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
): Promise<void> {
  const subject = subjectOf(context, tried);
  if (subject !== undefined && canBePaid(tried.page.state)) await checkAttempts(transaction, subject, OF_NETWORK);
}

/**
 * Whether a try tells its payer something about a card: it was declined, or another one was given up for it that had
 * come as far as 3-D Secure. What is approved does not count.
 */
export function isCounted({ page }: PageTry, { transaction, isReplay }: Changed): boolean {
  const gaveUp =
    page.state === 'authentication' && page.transactions.at(-1)?.transactionId !== transaction.transactionId;
  return !isReplay && (gaveUp || isDeclined(transaction));
}

/** Counts a try. */
export async function countPageTry(
  transaction: Transaction,
  context: Pick<CardPaymentsContext, 'keyRing'>,
  tried: PageTry,
): Promise<void> {
  const subject = subjectOf(context, tried);
  if (subject !== undefined) await noteAttempt(transaction, subject, OF_NETWORK);
}

/** A keyed digest, because an address is personal and there are few enough of them to try them all. */
function subjectOf(
  { keyRing }: Pick<CardPaymentsContext, 'keyRing'>,
  { page, address }: PageTry,
): AttemptSubject | undefined {
  if (address === undefined) return undefined;
  const { payeeId } = page.payment;
  const network = new Secret(`network ${networkOf(address, ONE_CUSTOMER)}`);
  return { payeeId, digest: keyRing.digest(keyRing.current('identity'), payeeId, network) };
}

import type { Agreement } from '../../issuers/acquirers/acquirers.types.ts';
import {
  authenticationFor,
  authenticationNow,
  awaitResult,
  endAuthentication,
  forgetProof,
  hasEnded,
  outcomeOf,
  showChallenge,
} from '../../issuers/authentication/authenticate.flow.ts';
import { findAuthentication, findOverdue } from '../../issuers/authentication/authentications.ts';
import { askForAuthentication } from '../../issuers/authentication/directory.flow.ts';
import { noteReturn } from '../../issuers/authentication/note-return.flow.ts';
import { challengeRequest, methodData } from '../../issuers/authentication/requests.rules.ts';
import type {
  Authentication,
  AuthenticationOutcome,
  BrowserData,
  OverdueAuthentication,
  ThreeDS,
} from '../../issuers/authentication/three-ds.types.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, SERVICE } from '../../kit/caller.ts';
import type { Secret } from '../../kit/secret.ts';
import { contactOf } from '../cards/cardholder.rules.ts';
import { findCardholder } from '../cards/find-cardholder.ts';
import type { PreparedCard } from '../cards/payment-cards.types.ts';
import { prepareWaitingCard } from '../cards/prepare-card.ts';
import { releaseCards } from '../cards/release-cards.ts';
import { finishAuthentication } from '../cards/try-card.flow.ts';
import { makesMandate } from '../cards/vouched.rules.ts';
import { findCardPayment } from '../find-payment.ts';
import { pageAfter } from '../page/open-page.ts';
import type { OpenedPage } from '../page/page.types.ts';
import { endTryOnPage, type PayerOnPage } from '../pay.flow.ts';
import type { Cardholder, CardPayment, CardPaymentView, CardTransaction } from '../payments.types.ts';
import type { PaymentFlows } from '../payments-context.types.ts';
import { seriesOf } from '../terms.rules.ts';
import { routesKeeping } from './kept-agreement.rules.ts';

// How a payer authenticates on the page: the question, the challenge, and what follows.

/** A payer who has to authenticate. */
export interface WaitingPayer extends PayerOnPage {
  readonly waiting: CardTransaction;
  /** As the page has kept it; undefined where it has not, and the issuer is asked without. It is not stored. */
  readonly cvc: Secret | undefined;
}

/** What a browser brings to the question. */
export interface AskPayer extends WaitingPayer {
  readonly browser: BrowserData;
  /** Whether it was at the issuer's method URL. */
  readonly completed: (methodUrl: string | null) => 'Y' | 'N' | 'U';
  /** Where the issuer sends it back to, and where the payee is. */
  readonly notificationUrl: string;
  readonly requestorUrl: string;
}

/** What follows: the payer goes to the issuer, or the try is over. `Waiting`: another request is asking. */
export type Followed =
  | { readonly is: 'Challenge' }
  | { readonly is: 'Waiting' }
  | { readonly is: 'Over'; readonly page: OpenedPage };

/** The transaction of a payment whose payer has to authenticate. */
export function waitingIn({ transactions }: Pick<OpenedPage, 'transactions'>): CardTransaction | undefined {
  return transactions.findLast(({ state }) => state === 'AwaitingActivity');
}

/** The authentication of a transaction that waits, begun where it has none; undefined where there is no 3-D Secure any more. */
export async function beginOnPage(
  flows: PaymentFlows,
  { page, waiting }: Pick<WaitingPayer, 'page' | 'waiting'>,
): Promise<Authentication | undefined> {
  return (await open(flows, { page, waiting, cvc: undefined }))?.authentication;
}

/** Asks the directory server, once, and goes on where the issuer does not want to see the payer. */
export async function askOnPage(flows: PaymentFlows, asked: AskPayer): Promise<Followed> {
  const opened = await open(flows, asked);
  if (opened === undefined) return over(flows, { ...asked, card: undefined, outcome: GONE });
  const { threeDS } = opened;
  let { authentication } = opened;
  if (authentication.state === 'Created' || authentication.state === 'Method') {
    const cardholder = await findCardholder(flows.context, asked.page.payment);
    await ask(threeDS, authentication, { ...asked, ...opened, cardholder });
    authentication = await authenticationNow(threeDS, authentication);
  }
  if (authentication.state === 'Challenge') return { is: 'Challenge' };
  return follow(flows, { ...asked, ...opened, authentication });
}

/** Where a browser is led to at a bank, and the message that it carries there. */
export interface LeadToBank {
  readonly url: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The bank that wants to know the browser again; undefined where none does, or not any more. */
export async function leadToMethod(
  flows: PaymentFlows,
  waiting: Pick<WaitingPayer, 'page' | 'waiting'>,
  notificationUrl: string,
): Promise<LeadToBank | undefined> {
  const authentication = await beginOnPage(flows, waiting);
  if (authentication?.state !== 'Method' || authentication.methodUrl === null) return undefined;
  return { url: authentication.methodUrl, message: methodData(authentication.serverTransactionId, notificationUrl) };
}

/** The challenge that a payer is to be led to now; undefined where there is none. */
export async function leadToBank(
  flows: PaymentFlows,
  waiting: Pick<WaitingPayer, 'page' | 'waiting'>,
  windowSize: '03' | '05',
): Promise<LeadToBank | undefined> {
  const threeDS = flows.context.threeDS();
  const authentication = await beginOnPage(flows, waiting);
  if (threeDS === undefined || authentication?.state !== 'Challenge') return undefined;
  const { serverTransactionId, acsTransactionId, acsUrl } = authentication;
  assert(acsTransactionId !== null && acsUrl !== null, 'a challenge has its address');
  await showChallenge(threeDS, authentication);
  return { url: acsUrl, message: challengeRequest({ serverTransactionId, acsTransactionId }, windowSize) };
}

/** Has the trace keep what a browser has brought back from a challenge. The payer does not wait for it. */
export function noteReturned({ context }: PaymentFlows, cres: string): void {
  const threeDS = context.threeDS();
  if (threeDS?.trace !== undefined) void noteReturn(threeDS, cres).catch(() => undefined);
}

/** Goes on once the browser has come back from the challenge, or ends it where the payer has closed it. */
export async function finishOnPage(
  flows: PaymentFlows,
  asked: WaitingPayer & { readonly isClosed: boolean },
): Promise<Followed> {
  const opened = await open(flows, asked);
  if (opened === undefined) return over(flows, { ...asked, card: undefined, outcome: GONE });
  const { threeDS, card, authentication } = opened;
  if (asked.isClosed) {
    await endAuthentication(threeDS, authentication, 'Cancelled');
    const closed = await over(flows, { ...asked, card, outcome: CLOSED });
    await forgetProof(threeDS, authentication);
    return closed;
  }
  return follow(flows, { ...asked, ...opened, authentication: await awaitResult(threeDS, authentication) });
}

/**
 * Ends what its payer has left: the try has failed, and what would prove the authentication is erased. Twice is as once. Where
 * the payer authenticates anew for the same try, that goes on.
 */
export async function endOverdueAuthentication(
  { transact, context }: PaymentFlows,
  overdue: OverdueAuthentication,
): Promise<void> {
  const { payeeId, paymentId, transactionId, serverTransactionId } = overdue;
  const stored = { transact, keyRing: context.keyRing, read: context.read };
  const last = await endAuthentication(stored, overdue, 'Expired');
  if (last.serverTransactionId !== serverTransactionId) return forgetProof(stored, overdue);
  const view = await findCardPayment(context, { payeeId, paymentId });
  const waiting = waitingIn(view);
  if (waiting?.transactionId === transactionId) {
    await endTry({ transact, context }, { view, waiting, actor: SERVICE, outcome: GONE });
  }
  await forgetProof(stored, overdue);
}

/**
 * Ends the try of a payer who is at the bank, as if they had closed its page: the payee does not wait for them any more.
 *
 * @returns whether there was one
 */
export async function cancelAuthentication(
  { transact, context }: PaymentFlows,
  view: CardPaymentView,
  actor: Actor,
): Promise<boolean> {
  const waiting = waitingIn(view);
  if (waiting === undefined) return false;
  const stored = { transact, keyRing: context.keyRing, read: context.read };
  const { payeeId, transactionId } = waiting;
  const found = await findAuthentication(context.read, { payeeId, transactionId });
  if (found !== undefined) await endAuthentication(stored, found, 'Cancelled');
  await endTry({ transact, context }, { view, waiting, actor, outcome: CLOSED });
  if (found !== undefined) await forgetProof(stored, found);
  return true;
}

interface EndedTry {
  readonly view: CardPaymentView;
  readonly waiting: CardTransaction;
  readonly actor: Actor;
  readonly outcome: AuthenticationOutcome;
}

async function endTry({ transact, context }: PaymentFlows, ended: EndedTry): Promise<void> {
  const { payeeId } = ended.waiting;
  const origin = { channel: 'Page', device: {} } as const;
  const { leftOver } = await finishAuthentication(context, { ...ended, payeeId, card: undefined, origin });
  await transact((transaction) => releaseCards(transaction, payeeId, { candidates: leftOver, tried: undefined }));
}

/** Some authentications that their payers have left. */
export function findOverdueAuthentications(
  { context }: PaymentFlows,
  limit: number,
): Promise<readonly OverdueAuthentication[]> {
  return findOverdue(context.read, limit);
}

/** The card cannot be opened any more, or there is no 3-D Secure any more. */
const GONE: AuthenticationOutcome = {
  consequence: '3dsecuredeclined',
  shown: { authenticationStatus: 'N' },
  result: undefined,
};
/** Whatever the issuer says, a payer who closes the challenge does not want to pay. */
const CLOSED: AuthenticationOutcome = { ...GONE, consequence: '3dsecureusercancelled' };

/** A try whose payer authenticates. */
interface Opened {
  readonly threeDS: ThreeDS;
  /** Its first route is that of the agreement. */
  readonly card: PreparedCard;
  readonly agreement: Agreement;
  readonly authentication: Authentication;
}

/**
 * Opens the card of a try whose payer authenticates, and begins its authentication where it has none: under the agreement that
 * the card is to be charged under. Undefined where the card, 3-D Secure or that agreement is gone.
 */
async function open(
  { transact, context }: PaymentFlows,
  { page: { payment }, waiting, cvc }: Pick<WaitingPayer, 'page' | 'waiting' | 'cvc'>,
): Promise<Opened | undefined> {
  const threeDS = context.threeDS();
  if (threeDS === undefined) return undefined;
  const card = await transact((transaction) => prepareWaitingCard(transaction, context, { payment, waiting, cvc }));
  if (card === undefined) return undefined;
  const { payeeId, paymentId } = payment;
  const { transactionId, issuerId } = waiting;
  const [chosen] = routesKeeping(card.routes, { agreementId: null, issuerId });
  if (chosen === undefined) return undefined;
  const authentication = await authenticationFor(threeDS, {
    payeeId,
    paymentId,
    transactionId,
    brand: brandOf(waiting),
    number: card.data.number,
    isChallengeWanted: isChallengeWanted(payment, waiting),
    agreementId: chosen.agreement.id,
    agreementIds: chosen.issuer.agreementsOf(payeeId).map(({ id }) => id),
  });
  const routes = routesKeeping(card.routes, { ...authentication, issuerId });
  const agreement = routes[0]?.agreement;
  return agreement && { threeDS, card: { ...card, routes }, agreement, authentication };
}

function brandOf({ card }: CardTransaction): string {
  return card?.cardBrand ?? '';
}

/** Where the card is to be charged later without its payer, or where its issuer wants to see the payer. */
function isChallengeWanted({ terms }: CardPayment, { tokenTypes, attemptId }: CardTransaction): boolean {
  const types = tokenTypes ?? terms.generate;
  return makesMandate(types) || attemptId !== null;
}

async function ask(
  threeDS: ThreeDS,
  authentication: Authentication,
  asked: AskPayer & Pick<Opened, 'card' | 'agreement'> & { readonly cardholder: Cardholder | undefined },
): Promise<void> {
  const { page, waiting, card, agreement, cardholder, browser, completed, notificationUrl, requestorUrl } = asked;
  const { payment, now } = page;
  const { payeeId, currency, terms } = payment;
  const known = threeDS.termsFor({ payeeId, agreement, brand: authentication.scheme });
  // The agreement was ended while the payer looked for a phone.
  if (known === undefined) return void (await endAuthentication(threeDS, authentication, 'Failed'));
  const { number, expiryDate } = card.data;
  assert(expiryDate !== undefined, 'a card that is kept has its expiry');
  await askForAuthentication(threeDS, authentication, {
    merchant: known.merchant,
    agreement: known.agreement,
    card: { number, expiryDate, holderName: card.holderName ?? nameOf(cardholder) },
    purchase: payment.operation === 'Verify' ? undefined : { amount: waiting.amount, currency, at: now },
    series: seriesOf(payment, waiting.tokenTypes ?? terms.generate, expiryDate),
    methodCompleted: completed(authentication.methodUrl),
    notificationUrl,
    requestorUrl,
    browser,
    ...contactOf(cardholder),
  });
}

/** The name as the payee knows it, for where its payer has typed none. */
function nameOf(cardholder: Cardholder | undefined): string | undefined {
  const names = [cardholder?.['firstName'], cardholder?.['lastName']].filter((name) => typeof name === 'string');
  return names.length > 0 ? names.join(' ') : undefined;
}

type Ending = WaitingPayer & { readonly card: PreparedCard | undefined; readonly outcome: AuthenticationOutcome };

async function follow(flows: PaymentFlows, asked: WaitingPayer & Opened): Promise<Followed> {
  const { threeDS, authentication, agreement, page, waiting } = asked;
  if (!hasEnded(authentication)) return { is: 'Waiting' };
  const { payeeId } = page.payment;
  const outcome = await outcomeOf(threeDS, authentication, { payeeId, agreement, brand: brandOf(waiting) });
  const followed = await over(flows, { ...asked, outcome });
  await forgetProof(threeDS, authentication);
  return followed;
}

async function over(flows: PaymentFlows, ending: Ending): Promise<Followed> {
  const { page, actor, waiting, card, outcome, device } = ending;
  const { payeeId } = page.payment;
  const origin = { channel: 'Page', device } as const;
  const changed = await finishAuthentication(flows.context, {
    payeeId,
    actor,
    view: page,
    waiting,
    outcome,
    card,
    origin,
  });
  await endTryOnPage(flows, ending, changed);
  return { is: 'Over', page: pageAfter(flows.context, page, changed) };
}

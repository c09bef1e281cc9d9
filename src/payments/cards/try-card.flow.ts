import { type Asking, dispatchElsewhere, dispatchTo, type Opening, sentWith } from '../../engine/ask-issuer.flow.ts';
import { wasNotAsked } from '../../engine/leg.rules.ts';
import type { Answer } from '../../engine/leg.types.ts';
import { pointOfServiceOf } from '../../issuers/acquirers/acquirer-messages.rules.ts';
import { lookAtCard, termsOf } from '../../issuers/authentication/look-at-card.ts';
import type { AuthenticationOutcome } from '../../issuers/authentication/three-ds.types.ts';
import { channelOf } from '../../issuers/exchanges.rules.ts';
import type { Dispatch } from '../../issuers/issuers.types.ts';
import type { ApprovalQuestion, AttemptId, AuthenticationResult } from '../../issuers/questions.types.ts';
import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { currentDigest } from '../../ledger/accounts/account-number.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import { brandName } from '../../vault/brands.rules.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';
import { changePayment, viewWith } from '../changes/change-payment.flow.ts';
import { operationOfTry } from '../changes/effects.rules.ts';
import { submitChange } from '../changes/submit-change.ts';
import { FINISH_AUTHENTICATION, START_RENEWAL, START_TRY } from '../command-kinds.ts';
import { placeOfHolder } from '../payers/payer-data.rules.ts';
import { holderNameIn, sealPayerData } from '../payers/sealed-payers.ts';
import type { FailOverCommand, FinishCommand, SeenSplit, StartCommand } from '../payment-commands.types.ts';
import { isPaidByToken } from '../payment-state.rules.ts';
import type { Asked, CardPayment, CardPaymentView, CardTransaction, Changed, TryType } from '../payments.types.ts';
import type { CardPaymentsContext, PaymentFlows } from '../payments-context.types.ts';
import { type RoutesElsewhere, routesElsewhere } from '../tries/kept-agreement.rules.ts';
import { canStepUp } from '../tries/step-up.rules.ts';
import { referenceOfTry } from '../tries/tries.rules.ts';
import { billingOf } from './cardholder.rules.ts';
import { findCardholder } from './find-cardholder.ts';
import { initiatorOf } from './initiator.rules.ts';
import type { Origin, PreparedCard } from './payment-cards.types.ts';
import { sealForAuthentication } from './prepare-card.ts';
import { referenceOfProof } from './vouched.rules.ts';

/** A try to pay, or to verify a card. */
export interface TryCard extends Asked {
  /** The payment as it was found. */
  readonly view: CardPaymentView;
  readonly type: TryType;
  readonly card: PreparedCard;
  readonly origin: Origin;
  /** See `StartCommand`. */
  readonly seen?: SeenSplit | undefined;
}

/**
 * Tries a card: asks the issuer, or has the payer authenticate first. A decline is an outcome, and no refusal.
 *
 * @throws Refusal `forbidden` where the payment cannot be paid
 * @throws Refusal `referencereused`, `conflict`, and as `Submit`
 */
export async function tryCard({ context, transact }: PaymentFlows, request: TryCard): Promise<Changed> {
  const { payeeId, actor, view, type, card, idempotencyKey, origin } = request;
  const { payment } = view;
  const { authentication } = card.vouched;
  const [attemptId, commandId, transactionId] = [context.newId(), context.newId(), context.newId() as TransactionId];
  const command: StartCommand = {
    payeeId,
    commandId,
    actor,
    paymentId: payment.paymentId,
    transactionId,
    attemptId,
    dispatch: await dispatchOf(context, attemptId, { payment, card, origin, authentication }),
    cardDigest: card.summary.digest,
    ...(isPaidByToken(payment) && {
      numberDigest: currentDigest(context.keyRing, { payeeId, number: card.data.number }),
    }),
    type,
    card: card.summary,
    payeeReference: referenceOfProof(card.vouched),
    idempotencyKey: referenceOfTry(type, idempotencyKey),
    seen: request.seen,
    holder: holderFor(context, { payeeId, transactionId }, card.holderName),
  };
  let tried = card.summary.instrumentId;
  const billing = billingOf(await findCardholder(context, payment));
  const trying = { command: { ...command }, payment, card, origin, authentication, billing };
  const { transaction, isReplay } = await changePayment(context, {
    command,
    payment,
    submit: () => submitChange(context, isPaidByToken(payment) ? START_RENEWAL : START_TRY, { command, payment }),
    askingOf: (asked) => askingOf(asked, trying),
    tokens: card.tokens,
    failOver: (asked, answer) => failOver(context, { asked, answer, trying }),
    seal: async (asked, answer) => {
      if (answer.outcome !== 'AuthenticationRequired') return undefined;
      if (!canStepUp(payment, asked) || !(await canAuthenticate(context, asked, card))) return undefined;
      tried = await transact((inTransaction) => sealForAuthentication(inTransaction, context, payeeId, card));
      return { instrumentId: tried };
    },
  });
  assert(transaction !== undefined, 'a try has its transaction');
  if (isReplay) checkSame(context, { command, prepared: card }, transaction);
  return changed(context, transaction, { sealed: sealedFor(view, tried), tried, isReplay });
}

function holderFor(
  { keyRing }: CardPaymentsContext,
  transaction: Pick<StartCommand, 'payeeId' | 'transactionId'>,
  holderName: string | undefined,
) {
  return holderName === undefined ? undefined : sealPayerData(keyRing, placeOfHolder(transaction), holderName);
}

/** A known key stands for a try with the same card on the same payment. A name that has ended is compared with none. */
function checkSame(
  { keyRing }: CardPaymentsContext,
  { command, prepared }: { readonly command: StartCommand; readonly prepared: PreparedCard },
  known: CardTransaction,
): void {
  const { paymentId, type, card } = command;
  const { shown, authentication } = card;
  const { holderName } = prepared;
  const knownName = holderNameIn(keyRing, known);
  const isNamed = knownName !== undefined || known.card?.hasHolder === true;
  const isSame =
    known.paymentId === paymentId &&
    known.type === type &&
    isSameCard(known, prepared) &&
    known.card?.expiryDate === shown.expiryDate &&
    (isNamed ? holderName !== undefined : holderName === undefined) &&
    (knownName === undefined || knownName === holderName) &&
    (authentication.is !== 'External' || known.card.eci === authentication.shown.eci);
  if (!isSame) throw new Refusal('referencereused', 'The key is known with other content.');
}

/** After 30 days a card is known by what may be shown of it alone. */
function isSameCard({ cardDigest, card }: CardTransaction, { summary, earlierDigests }: PreparedCard): boolean {
  if (cardDigest === null) return card?.maskedPan === summary.shown.maskedPan;
  return [summary.digest, ...earlierDigests].some((digest) => cardDigest.equals(digest));
}

/** The end of a payer's authentication. */
export interface FinishAuthentication extends Omit<Asked, 'idempotencyKey'> {
  readonly view: CardPaymentView;
  /** The transaction of the payment that waits for it. */
  readonly waiting: CardTransaction;
  readonly outcome: AuthenticationOutcome;
  /** Undefined where the sealed card was destroyed meanwhile: then nothing can be paid with it. */
  readonly card: PreparedCard | undefined;
  readonly origin: Origin;
}

/** Goes on where the payer had to authenticate, or ends it there. A late request finds what became of it. */
export async function finishAuthentication(
  context: CardPaymentsContext,
  request: FinishAuthentication,
): Promise<Changed> {
  const { payeeId, actor, view, waiting, outcome, card, origin } = request;
  const { payment } = view;
  const attemptId = context.newId();
  const command: FinishCommand = {
    payeeId,
    commandId: context.newId(),
    actor,
    paymentId: payment.paymentId,
    transactionId: waiting.transactionId,
    seenAttemptId: waiting.attemptId,
    attemptId,
    dispatch: card && (await dispatchOf(context, attemptId, { payment, card, origin, authentication: outcome.result })),
    consequence: card === undefined && outcome.consequence === 'Authorize' ? '3dsecuredeclined' : outcome.consequence,
    shown: outcome.shown,
  };
  const billing = card && billingOf(await findCardholder(context, payment));
  const trying = card && { command: { ...command }, payment, card, origin, authentication: outcome.result, billing };
  // What proves nothing is bound to no merchant.
  const elsewhere = card && hasProof(outcome.result) ? elsewhereFor(context, card, payeeId) : undefined;
  const { transaction } = await changePayment(context, {
    command,
    payment,
    submit: () => submitChange(context, FINISH_AUTHENTICATION, { command, payment }),
    askingOf: (asked) => {
      assert(trying !== undefined, 'only a card that is there goes on');
      return askingOf(asked, trying);
    },
    tokens: card?.tokens ?? [],
    failOver: async (asked, answer) =>
      trying &&
      failOver(context, { asked, answer, trying: elsewhere === undefined ? trying : carrying(trying, elsewhere) }),
    // It is sealed as long as its payer authenticates.
    seal: async (asked, answer) => {
      const instrumentId = card?.summary.instrumentId;
      if (instrumentId === undefined) return undefined;
      if (answer.outcome === 'AuthenticationRequired') return canStepUp(payment, asked) ? { instrumentId } : undefined;
      const issuerId = elsewhere && anewAt(context, elsewhere, { payment, waiting, asked, answer });
      return issuerId === undefined ? undefined : { instrumentId, issuerId };
    },
  });
  assert(transaction !== undefined, 'an authentication has its transaction');
  const sealed = sealedFor(view, card?.summary.instrumentId);
  return changed(context, transaction, { sealed, tried: undefined, isReplay: false });
}

function hasProof(result: AuthenticationResult | undefined): boolean {
  return result?.authenticationValue !== undefined;
}

function elsewhereFor({ threeDS }: CardPaymentsContext, { summary, routes }: PreparedCard, payeeId: PayeeId) {
  const brand = brandName(summary.shown.cardBrand ?? '');
  return routesElsewhere(routes, (agreement) => termsOf(threeDS(), { payeeId, brand, agreement }));
}

/** A try that goes to no other acquirer than its proof counts for. */
function carrying(trying: Trying, { withProof }: RoutesElsewhere): Trying {
  return { ...trying, card: { ...trying.card, routes: withProof } };
}

interface NotAsked {
  readonly payment: CardPayment;
  /** The transaction before its acquirer was to be asked. */
  readonly waiting: CardTransaction;
  readonly asked: CardTransaction;
  readonly answer: Answer;
}

/**
 * The acquirer for which a payer authenticates anew, because the one before was not asked and the proof counts for no other; once,
 * for two acquirers are asked at most.
 */
function anewAt(
  { issuers }: CardPaymentsContext,
  { withProof, anew }: RoutesElsewhere,
  { payment, waiting, asked, answer }: NotAsked,
): string | undefined {
  if (withProof.length > 0 || waiting.attemptId !== null || payment.operation === 'Verify') return undefined;
  if (!wasNotAsked(answer, issuers.named(asked.issuerId ?? '').failoverCodes)) return undefined;
  return anew[0]?.issuer.issuerId;
}

interface FailingOver {
  readonly asked: CardTransaction;
  readonly answer: Answer;
  readonly trying: Trying;
}

/** Another acquirer for a card, where the first one was not asked. The question goes under the new name from then on. */
async function failOver(
  context: CardPaymentsContext,
  { asked, answer, trying }: FailingOver,
): Promise<FailOverCommand | undefined> {
  const { payeeId, paymentId, transactionId, attemptId: from, issuerId } = asked;
  const { command, payment, card } = trying;
  if (from === null || issuerId === null || payment.operation === 'Verify') return undefined;
  const ids = { commandId: context.newId(), attemptId: context.newId() };
  const { routes } = card;
  const next = await dispatchElsewhere(context, { ...openingOf(ids.attemptId, trying), issuerId, answer, routes });
  if (next === undefined) return undefined;
  command.dispatch = next.dispatch;
  return { payeeId, ...ids, actor: command.actor, paymentId, transactionId, from, answer, ...next };
}

/** Who pays what with which card. */
interface Trying {
  /** Its dispatch is another one after a fail-over. */
  readonly command: Pick<StartCommand, 'actor'> & { dispatch: Dispatch | undefined };
  readonly payment: CardPayment;
  readonly card: PreparedCard;
  readonly origin: Origin;
  readonly authentication?: AuthenticationResult | undefined;
  readonly billing?: ApprovalQuestion['billing'] | undefined;
}

function askingOf(
  transaction: CardTransaction,
  { command, payment, card, origin, billing, ...trying }: Trying,
): Asking {
  const { payeeId, attemptId, issuerId, amount } = transaction;
  // The directory server has told it of the merchant at the first acquirer.
  const isElsewhere = issuerId !== card.routes[0]?.issuer.issuerId;
  const authentication = isElsewhere && !hasProof(trying.authentication) ? undefined : trying.authentication;
  const { actor, dispatch } = command;
  assert(attemptId !== null && issuerId !== null && dispatch !== undefined, 'a question has its attempt and issuer');
  const question: ApprovalQuestion = {
    payeeId,
    attemptId,
    operation: operationOfTry(payment),
    amount,
    currency: payment.currency,
    card: card.data,
    ...entryOf({ payment, card, origin, authentication }),
    schemeTransactionId: card.schemeTransactionId,
    exemption: card.vouched.exemption,
    // The browser of a mail or telephone order is the payee's own.
    device: payment.terms.cards.orderedBy === undefined ? origin.device : {},
    ...(billing !== undefined && { billing }),
    ...sentWith(dispatch, actor),
  };
  return { issuerId, question };
}

/** Where there is an issuer to ask: named before it is known whether the card is even tried, so a number may be left out. */
function dispatchOf(
  context: CardPaymentsContext,
  attemptId: AttemptId,
  trying: Omit<Trying, 'command'>,
): Promise<Dispatch> | undefined {
  const [route] = trying.card.routes;
  return route && dispatchTo(context, route, openingOf(attemptId, trying));
}

/** What a question is named with. Nothing follows a verification, so that its card need not be held. */
function openingOf(attemptId: AttemptId, trying: Omit<Trying, 'command'>): Opening {
  const { payment, card } = trying;
  const { payeeId, operation } = payment;
  const entry = entryOf(trying);
  return {
    payeeId,
    attemptId,
    channel: channelOf(entry.initiator),
    pointOfService: pointOfServiceOf(entry),
    descriptor: payment.terms.payeeInfo.payeeName,
    card: operation === 'Verify' ? undefined : card.data,
  };
}

/** Whether the issuer of a card takes part in 3-D Secure, so that a soft decline is not the end. */
async function canAuthenticate(
  { threeDS, read }: CardPaymentsContext,
  { payeeId, issuerId }: CardTransaction,
  { data, summary, routes }: PreparedCard,
): Promise<boolean> {
  const { cardBrand } = summary.shown;
  const brand = cardBrand && brandName(cardBrand);
  const agreement = routes.find(({ issuer }) => issuer.issuerId === issuerId)?.agreement;
  if (brand === undefined || agreement === undefined) return false;
  const asked = { payeeId, agreement, brand, number: data.number, isMandate: false };
  return (await lookAtCard(threeDS(), read, asked)).is === 'Needed';
}

/** How the card came. */
function entryOf({
  payment,
  card,
  origin,
  authentication,
}: Omit<Trying, 'command'>): Pick<ApprovalQuestion, 'initiator' | 'authentication'> {
  const { tokenTypes, isStored } = card.summary;
  const channel = payment.terms.cards.orderedBy ?? origin.channel;
  const initiator = initiatorOf({ operation: payment.operation, channel, tokenTypes, isStored });
  return { initiator, authentication };
}

/** Cards that were sealed for a try, and for the one that it replaces. */
function sealedFor({ transactions }: CardPaymentView, tried: InstrumentId | undefined): InstrumentId[] {
  const sealed = [...transactions.map(({ instrumentId }) => instrumentId), tried];
  return [...new Set(sealed.flatMap((instrumentId) => instrumentId ?? []))];
}

async function changed(
  context: CardPaymentsContext,
  { payeeId, paymentId, transactionId }: CardTransaction,
  { sealed, ...how }: { readonly sealed: readonly InstrumentId[] } & Pick<Changed, 'isReplay' | 'tried'>,
): Promise<Changed> {
  const view = await viewWith(context, { payeeId, paymentId }, transactionId);
  return { ...view, ...how, leftOver: sealed };
}

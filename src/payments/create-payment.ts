import { assert } from '../kit/assert.ts';
import { inputError, Refusal } from '../kit/errors.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import { findTokenToUse } from '../tokens/get-token.ts';
import { brandName } from '../vault/brands.rules.ts';
import { makesMandate } from './cards/vouched.rules.ts';
import { operationOfTry } from './changes/effects.rules.ts';
import { CREATE_PAYMENT } from './command-kinds.ts';
import { findCardPayment } from './find-payment.ts';
import type { CreateRequest } from './new-payment.types.ts';
import { placeOfPayer } from './payers/payer-data.rules.ts';
import { cardholderIn, sealPayerData } from './payers/sealed-payers.ts';
import type { CreateCommand } from './payment-commands.types.ts';
import { isPaidByToken } from './payment-state.rules.ts';
import type { Cardholder, CardPaymentView } from './payments.types.ts';
import type { CardPaymentsContext } from './payments-context.types.ts';
import { channelWanted, inOrder, readTerms, sameTerms, USABLE_TOKENS } from './terms.rules.ts';

/**
 * Makes a card payment. A request whose reference or key is known gets what that has made.
 *
 * @throws Refusal `inputerror` where what it asks for makes no sense
 * @throws Refusal `notfound`, `paymenttokeninactive` for a token that cannot be used
 * @throws Refusal `noacquirer` where no acquirer could charge a card for it
 * @throws Refusal `referencereused`, and as `Submit`
 */
export async function createCardPayment(
  context: CardPaymentsContext,
  request: CreateRequest,
): Promise<CardPaymentView & { readonly isReplay: boolean }> {
  const { payeeId } = request;
  const { operation } = request.payment;
  const { currency, intent, terms, cardholder } = readTerms(request, context.isSandbox);
  refuseUnagreed(context, { payeeId, operation, intent, currency, terms });
  const stored =
    terms.token === undefined
      ? undefined
      : await findTokenToUse(context.tokens, payeeId, {
          tokenId: terms.token,
          tokenTypes: USABLE_TOKENS[operation],
          payerReference: terms.payerReference,
        });
  const madeUp = terms.generate.length > 0 ? context.newId() : null;
  const commandId = context.newId();
  const paymentId = context.newId() as PaymentId;
  const command: CreateCommand = {
    payeeId,
    commandId,
    actor: request.actor,
    paymentId,
    operation,
    intent,
    currency,
    payerReference: terms.payerReference ?? stored?.payerReference ?? madeUp,
    terms,
    payer: cardholder && sealPayerData(context.keyRing, placeOfPayer({ payeeId, paymentId }), cardholder),
    payeeReference: terms.payeeInfo.payeeReference && `${operation}:${terms.payeeInfo.payeeReference}`,
    idempotencyKey: request.idempotencyKey && `create:${request.idempotencyKey}`,
    hasAcquirer: hasAcquirer(context, { payeeId, operation, intent, currency }, stored?.cardBrand ?? undefined),
  };
  const outcome = await context.submit(CREATE_PAYMENT, command);
  if (outcome.kind === 'Known') {
    const view = await findCardPayment(context, { payeeId, paymentId: outcome.paymentId });
    const isKnown = isSame(command, view) && isSamePayer(context, cardholder, view);
    if (!isKnown) throw new Refusal('referencereused', 'The reference is known with other content.');
    return { ...view, isReplay: !outcome.isOwn };
  }
  assert(outcome.kind === 'Done', 'a payment is made or known');
  const { payment } = outcome;
  return { payment, transactions: [], now: payment.createdAt, isReplay: false };
}

/** A payment with what it asks of cards, and the tokens that it makes. */
type Ruled = Pick<CreateCommand, 'payeeId' | 'operation' | 'intent' | 'currency'> & {
  readonly terms: Pick<CreateCommand['terms'], 'cards' | 'generate'>;
};

/**
 * Refuses what the agreements of a payee do not allow: in production payers that are left unauthenticated, whose fraud their payee
 * bears; and mail and telephone orders without a terminal for them. No agreement allows a payer unauthenticated who agrees to be
 * charged later.
 *
 * @throws Refusal `inputerror`
 */
export function refuseUnagreed({ issuers, isSandbox }: CardPaymentsContext, { payeeId, terms, ...ruled }: Ruled): void {
  const { cards, generate } = terms;
  const { orderedBy, no3DSecure } = cards;
  if (orderedBy === undefined && no3DSecure !== true) return;
  if (orderedBy !== undefined && isPaidByToken(ruled)) {
    throw inputError('creditCard.orderedBy', 'must not be there: the payee charges a stored card');
  }
  const wanted = { operation: operationOfTry(ruled), currency: ruled.currency };
  const routes = issuers.routesOf(payeeId, wanted);
  // Without any the refusal says that no acquirer is agreed.
  if (routes.length === 0) return;
  if (orderedBy !== undefined && !issuers.hasRoute(payeeId, { ...wanted, channel: channelWanted(cards) })) {
    throw inputError(
      'creditCard.orderedBy',
      'must not be there: no agreement of this payee has a terminal for mail and telephone orders. The operator adds one',
    );
  }
  if (no3DSecure !== true || isSandbox) return;
  if (orderedBy === undefined && makesMandate(generate)) {
    throw inputError(
      'creditCard.no3DSecure',
      'must not be true if the payment makes a token that is charged without its payer: the payer must authenticate',
    );
  }
  if (routes.some(({ agreement }) => agreement.allowNo3DSecure)) return;
  throw inputError('creditCard.no3DSecure', 'must not be true: no agreement of this payee allows it');
}

/** Whether there is an agreement to charge a card under; where a token pays, one for its brand. */
export function hasAcquirer(
  { issuers }: CardPaymentsContext,
  { payeeId, operation, intent, currency }: Pick<CreateCommand, 'payeeId' | 'operation' | 'intent' | 'currency'>,
  brand: string | undefined,
): boolean {
  return issuers.hasRoute(payeeId, {
    operation: operationOfTry({ operation, intent, currency }),
    currency,
    ...(brand !== undefined && isPaidByToken({ operation }) && { brand: brandName(brand) }),
  });
}

function isSame(command: CreateCommand, { payment }: CardPaymentView): boolean {
  return (
    command.operation === payment.operation &&
    command.intent === payment.intent &&
    command.currency === payment.currency &&
    sameTerms(command.terms, payment.terms)
  );
}

/** What is no longer known of a payer is compared with nothing, as that of orders never is. */
function isSamePayer(
  { keyRing }: CardPaymentsContext,
  sent: Cardholder | undefined,
  { payment }: CardPaymentView,
): boolean {
  const known = cardholderIn(keyRing, payment);
  return known === undefined || inOrder(known) === inOrder(sent);
}

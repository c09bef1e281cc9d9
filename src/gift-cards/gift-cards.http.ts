import { actorOf, circumstancesOf } from '../http/actor.ts';
import { textOf } from '../http/body/json-number.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../http/route.types.ts';
import { UsedNonce } from '../http/signing/hmac-step.ts';
import { assert } from '../kit/assert.ts';
import { notFound } from '../kit/errors.ts';
import { Secret } from '../kit/secret.ts';
import { GIFT_CARD_PATH, GIFT_CARDS } from './cards/life-answers.http.ts';
import { type GetNewGiftCard, getNewGiftCard } from './get-new-gift-card.ts';
import { newGiftCardAnswer, preDepositAnswer } from './gift-card-answers.http.ts';
import type { ProductId } from './gift-cards.types.ts';
import { NewGiftCardAnswer, NewGiftCardBody, Nothing, PreDepositAnswer, PreDepositBody } from './gift-cards.wire.ts';
import type { GiftCardsContext } from './gift-cards-context.types.ts';
import { countFailedDeposit, currencyOf, findForDeposit, type PreDeposit, preDeposit } from './pre-deposit.ts';

/** The endpoints that make gift cards and put money on them. */
export function giftCardRoutes(context: GiftCardsContext, { baseUrl, isExempt }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  type Depositing = Parameters<typeof depositRequest>[0] & { readonly body: PreDepositBody };
  const depositOf = (request: Depositing) => depositRequest(request, request.body, !isExempt(request.remoteAddress));
  const unknownCard = async (deposit: PreDeposit) => {
    await transact((transaction) => countFailedDeposit(transaction, deposit));
    return notFound();
  };
  const accountFor = async (deposit: PreDeposit) => {
    const account = await transact((transaction) => findForDeposit(transaction, context, deposit));
    if (account === undefined) throw await unknownCard(deposit);
    return account;
  };
  return [
    apiRoute({
      method: 'POST',
      path: `${GIFT_CARD_PATH}/get-new-gift-card`,
      scope: 'gift-cards',
      signed: true,
      takesIdempotencyKey: true,
      operationId: 'getNewGiftCard',
      tag: GIFT_CARDS,
      summary: 'Issue a gift card; its number and code are shown once',
      shape: { params: Nothing, query: Nothing, body: NewGiftCardBody, answer: NewGiftCardAnswer },
      problems: ['referencereused'],
      gives: async ({ payeeId, body: { productId, amount } }) => {
        const product = await context.findProductOnSale({
          payeeId,
          productId: (textOf(productId) ?? null) as ProductId | null,
        });
        if (product === undefined) throw notFound();
        return { amount, currency: product.currency, object: { kind: 'product', id: product.productId } };
      },
      handle: async (request) => {
        const card = await getNewGiftCard(context, newCardRequest(request, request.body));
        if (card === undefined) throw new UsedNonce();
        if (card.isReplay) request.noteReplay();
        return newGiftCardAnswer(card, baseUrl());
      },
    }),
    apiRoute({
      method: 'POST',
      path: `${GIFT_CARD_PATH}/pre-deposit`,
      scope: 'gift-cards',
      signed: true,
      operationId: 'preDeposit',
      tag: GIFT_CARDS,
      summary: 'Put money on a gift card, or ask what is on it',
      shape: { params: Nothing, query: Nothing, body: PreDepositBody, answer: PreDepositAnswer },
      gives: async (request) => {
        const { amount, currency, description: reason } = request.body;
        const { accountId } = await accountFor(depositOf(request));
        return { amount, currency: currencyOf(currency), object: { kind: 'gift-card', id: accountId }, reason };
      },
      spellings: { simpleAccountIdentifier: 'SimpleAccountIdentifier' },
      problems: ['referencereused'],
      handle: async (request) => {
        const deposit = depositOf(request);
        const account = await transact((transaction) => findForDeposit(transaction, context, deposit));
        const payment = await preDeposit(context, deposit, account);
        if (payment === undefined) throw await unknownCard(deposit);
        return preDepositAnswer(payment, baseUrl());
      },
    }),
  ];
}

type Request = Omit<EdgeRequest, 'params' | 'query' | 'body'>;

function newCardRequest(
  request: Request,
  { amount, email, msisdn, orderRef, payerReference, productId }: NewGiftCardBody,
): GetNewGiftCard {
  const { payeeId, idempotencyKey, signature } = request;
  assert(signature !== undefined, 'a route that is signed knows who signed');
  const phone = textOf(msisdn);
  return {
    payeeId,
    actor: actorOf(request),
    amount,
    productId: textOf(productId),
    agreedProductId: request.weighed?.objectId ?? undefined,
    orderRef,
    contact: {
      email: email === undefined ? undefined : new Secret(email),
      msisdn: phone === undefined ? undefined : new Secret(phone),
      payerReference,
    },
    nonce: `${signature.user}:${signature.nonce}`,
    idempotencyKey,
    circumstances: circumstancesOf(request),
  };
}

function depositRequest(request: Request, body: PreDepositBody, isLimited: boolean): PreDeposit {
  const { accountKey, cvc, expiryDate } = body.SimpleAccountIdentifier;
  const code = textOf(cvc);
  return {
    payeeId: request.payeeId,
    actor: actorOf(request),
    amount: body.amount,
    currency: body.currency,
    description: body.description,
    orderRef: body.orderRef,
    transactionRef: body.transactionRef,
    card: {
      accountKey: new Secret(textOf(accountKey) ?? ''),
      cvc: code === undefined ? undefined : { digits: new Secret(code), cameAsNumber: typeof cvc !== 'string' },
      expiryDate,
    },
    circumstances: circumstancesOf(request),
    isLimited,
  };
}

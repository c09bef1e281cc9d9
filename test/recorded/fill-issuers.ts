import { sentIdentifier } from '../../src/accounts/account-requests.http.ts';
import { followUpPayment } from '../../src/accounts/follow-up-payment.flow.ts';
import { makePayment } from '../../src/accounts/make-payment.flow.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { Secret } from '../../src/kit/secret.ts';
import { prepareSentCard } from '../../src/payments/cards/prepare-card.ts';
import { tryCard } from '../../src/payments/cards/try-card.flow.ts';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import { testIssuer } from '../support/issuer/accounts-issuer.ts';
import { SILENCE, scriptedAcquirers, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { newReference, type Paid, paid } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { orderShop } from '../support/shop/order-shop.ts';
import { until } from '../support/until.ts';
import { done, type Filling } from './filling.ts';

const NOT_SENT = { outcome: 'NotSent', cause: 'NoConnection' } as const;

const common = ({ kontor }: Filling) => ({
  payeeId: kontor.payeeId,
  actor: SERVICE,
  paymentOrderRef: 'o',
  repeat: false,
  words: {},
  circumstances: {},
});

/** Payments that another acquirer was asked for, because the first one could not be. */
export async function fillFailedOver(filling: Filling): Promise<void> {
  const { kontor, accounts } = filling;
  const issuer = await scriptedIssuer(kontor, { failoverCodes: ['907'] });
  const shop = cardPaymentsShop(issuer.kontor);
  issuer.answerNext(NOT_SENT);
  const id = await shop.purchase(1550);
  done(await shop.authorize(id, { cardNumber: freshCard('debit') }));
  done(await shop.follow(id, 'captures', { amount: 550, vatAmount: 0, description: 'A part' }));
  issuer.answerNext(NOT_SENT, NOT_SENT);
  await shop.authorize(await shop.purchase(1560), { cardNumber: freshCard('debit') });
  await issuer.stop();
  const acquirers = scriptedAcquirers(kontor.service.accounts.issuers, ['907']);
  const [card] = accounts.testCards;
  if (card === undefined) throw new Error('the sandbox has test cards');
  acquirers.answerNext(NOT_SENT);
  const context = { ...kontor.service.accounts, issuers: acquirers.issuers };
  const asked = { ...common(filling), paymentAccountId: card.paymentAccountId };
  const { payment } = await makePayment(context, {
    ...asked,
    paymentTransactionRef: newReference(),
    operation: 'Authorize',
    amount: 1570,
    currency: 'NOK',
    identifier: sentIdentifier({ accountKey: card.accountKey }),
  });
  const captured = { operation: 'Capture', amount: 570, cancelRemainingAuth: false, block: false } as const;
  await followUpPayment(context, {
    ...asked,
    ...captured,
    paymentTransactionRef: newReference(),
    paymentId: payment.paymentId,
  });
}

/** Payments that are ready to be under way: their issuers answer. */
export async function prepareUnderWay(filling: Filling) {
  const { kontor, accounts, cards } = filling;
  const [, card] = accounts.testCards;
  if (card === undefined) throw new Error('the sandbox has test cards');
  const pay = async () => paid(card, done(await accounts.pay('authorize', card, { amount: 1_700 })));
  const payments: Paid[] = [await pay(), await pay(), await pay(), await pay()];
  const [, , toReverse] = payments as [Paid, Paid, Paid, Paid];
  done(await accounts.follow('capture', toReverse, { amount: 1_700 }));
  const cardIds: string[] = [];
  for (const _ of [1, 2, 3]) {
    const id = await cards.purchase(1_800);
    done(await cards.authorize(id, { cardNumber: freshCard('debit') }));
    cardIds.push(id);
  }
  const shop = orderShop(kontor);
  const orders: string[] = [];
  for (const isPaid of [false, false, false, true, true]) {
    const { order } = await shop.create(isPaid ? 5_000 : 6_000);
    const { number } = await shop.giftCard(2_000);
    await shop.add(order.orderId, number);
    if (isPaid) await shop.payByCard(order.orderId);
    orders.push(order.orderId);
  }
  const thirdTry = orders[2] as string;
  for (const _ of [1, 2]) {
    shop.answerNext({
      outcome: 'Declined',
      responseCode: '116',
      problem: 'acquirerinsufficientfunds',
      retry: { advice: 'NewData' },
    } as never);
    await shop.payByCard(thirdTry).catch(() => undefined);
  }
  return { filling, account: card, payments, cardIds, cardTried: await cards.purchase(1_820), shop, orders };
}

/**
 * Leaves payments while their issuers are asked, or have not answered and are to take back. No job may run any more.
 *
 * @returns how many are asked until the rows are written
 */
export async function leaveUnderWay({
  filling,
  account,
  payments,
  cardIds,
  cardTried,
  shop,
  orders,
}: Awaited<ReturnType<typeof prepareUnderWay>>): Promise<void> {
  const { kontor } = filling;
  const silent = await scriptedIssuer(kontor);
  const cards = cardPaymentsShop(silent.kontor);
  const [toCapture = '', toCancel = '', toReverse = ''] = cardIds;
  const part = (amount: number) => ({ amount, vatAmount: 0, description: 'A part' });
  await cards.follow(toReverse, 'captures', part(1_000));
  // The acquirer does not answer, and has not taken it back yet.
  const tried = await cards.purchase(1_810);
  silent.answerNext(SILENCE, SILENCE, SILENCE, SILENCE);
  await cards.authorize(tried, { cardNumber: freshCard('debit') });
  await cards.follow(toCapture, 'captures', part(300));
  await cards.follow(toCancel, 'cancellations', { description: 'All' });
  await cards.follow(toReverse, 'reversals', part(400));
  await silent.stop();
  const [unpaid = '', underWay = '', thirdTry = '', captured = '', capturing = ''] = orders;
  shop.answerNext(SILENCE);
  await shop.payByCard(unpaid).catch(() => undefined);
  shop.answerNext(SILENCE);
  await shop.payByCard(thirdTry).catch(() => undefined);
  shop.answerNext(SILENCE);
  await shop.followUp(captured, { type: 'Capture', amount: 3_000 }).catch(() => undefined);
  const issuer = testIssuer(kontor);
  const [one, other, third, fourth] = payments as [Paid, Paid, Paid, Paid];
  await (await issuer.begin('Capture', one, { amount: 500 as never })).breakOff();
  await issuer.begin('Capture', fourth, { amount: 200 as never });
  await issuer.begin('Cancel', other);
  await issuer.begin('Reversal', third, { amount: 700 as never });
  const before = issuer.questions.length;
  const first = {
    ...common(filling),
    paymentAccountId: account.paymentAccountId,
    paymentTransactionRef: newReference(),
    identifier: sentIdentifier({ accountKey: account.accountKey }),
    currency: 'NOK',
    amount: 1_710,
  };
  makePayment(issuer.context, { ...first, operation: 'Purchase' }).catch(() => undefined);
  await until(() => issuer.questions.length > before);
  // The issuer is asked of these, until the rows are written.
  const { service, payeeId } = kontor;
  const view = await findCardPayment(service.cardPayments, { payeeId, paymentId: idIn(cardTried) });
  const card = await service.database.transact((transaction) =>
    prepareSentCard(transaction, service.cardPayments, { payment: view.payment, sent: sentCard() }),
  );
  await asking(shop, () =>
    tryCard(
      { context: shop.payments.context, transact: service.database.transact },
      { ...BY_API, payeeId, actor: SERVICE, view, type: 'Authorization', card, origin: { channel: 'Api', device: {} } },
    ),
  );
  await asking(shop, () => shop.payByCard(underWay));
  await asking(shop, () => shop.followUp(capturing, { type: 'Capture', amount: 4_000 }));
}

const BY_API = { idempotencyKey: undefined, initiatedBy: 'Payee' } as const;
const idIn = (address: string) => address.split('/').at(-1) ?? '';
const sentCard = () => ({
  number: new Secret(freshCard('debit')),
  month: '12',
  year: '39',
  code: { digits: new Secret('123'), cameAsNumber: false },
  holderName: undefined,
});

/** Begins something, and resolves once its acquirer is asked, which never answers. */
function asking(shop: ReturnType<typeof orderShop>, begin: () => Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    shop.meanwhile(() => never(resolve));
    begin().catch(() => undefined);
  });
}

function never(begun: () => void): Promise<never> {
  begun();
  return new Promise(() => undefined);
}

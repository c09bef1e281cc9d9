import type { SandboxAccount } from '../../sandbox/seeds/ensure-accounts.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { linkIn, pageAt } from '../support/payer/pay-page.ts';
import type { Answer, SendOptions } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, ordersShop } from '../support/shop/orders-shop.ts';
import type { Marks } from './marks.ts';

type Payable = Pick<SandboxAccount, 'paymentAccountId' | 'accountKey'> & Partial<SandboxAccount>;

/** Who sends, and what is marked. */
export interface Marked {
  readonly marks: Marks;
  readonly baseUrl: string;
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
}

const TERMS_OF_CARD = 'card_payment.terms';
const TERMS_OF_ORDER = 'payment_order.terms';
/** What the API log has of the payee's own words. */
const CALLS = ['api_call.answer_body', 'api_call.request_body'];
const DESCRIPTION_OF_CARD = 'card_transaction.description';
const DESCRIPTION_OF_ORDER = 'order_transaction.description';

/** An address of a person, all of it sealed. */
function address({ word, email, phone }: Marks, whose: string) {
  const part = (name: string) => word(`${name} of ${whose}`);
  return {
    firstName: part('first name'),
    lastName: part('last name'),
    addressee: part('addressee'),
    coAddress: part('care of'),
    streetAddress: part('street'),
    zipCode: part('postal code'),
    city: part('city'),
    countryCode: 'NO',
    email: email(`e-mail address of ${whose}`),
    msisdn: phone(`telephone number of ${whose}`),
  };
}

/** All that may be said of a person who pays, all of it sealed. */
function person(marks: Marks, whose: string) {
  return {
    firstName: marks.word(`first name of ${whose}`),
    lastName: marks.word(`last name of ${whose}`),
    email: marks.email(`e-mail address of ${whose}`),
    msisdn: marks.phone(`telephone number of ${whose}`),
    shippingAddress: address(marks, `${whose}, shipping`),
    billingAddress: address(marks, `${whose}, billing`),
  };
}

const good = (answer: Answer, what: string): Answer => {
  if (answer.status >= 400) throw new Error(`${what} was refused: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
};

/** Card payments by the API and by the page: paid, declined, authenticated, stored, captured, cancelled, refunded, aborted. */
export async function markCardPayments({ marks, send, baseUrl }: Marked): Promise<void> {
  const shop = cardPaymentsShop({ send });
  const { word, card } = marks;
  const create = async (whose: string, members: object = {}) => {
    const isStored = 'generateRecurrenceToken' in members;
    const isTried = !whose.includes('aborted');
    const made = await shop.create({
      payerReference: word(
        `reference of ${whose}`,
        ...['card_payment.payer_reference', TERMS_OF_CARD],
        ...(isStored ? ['payer.payer_reference', 'payer_token.payer_reference'] : []),
      ),
      userAgent: word(`browser of ${whose}`, TERMS_OF_CARD),
      description: word(`what ${whose} pays`, ...[TERMS_OF_CARD, ...CALLS], ...(isTried ? [DESCRIPTION_OF_CARD] : [])),
      metadata: { [word(`name in metadata of ${whose}`, TERMS_OF_CARD)]: word(`metadata of ${whose}`, TERMS_OF_CARD) },
      payeeInfo: { orderReference: word(`order of ${whose}`, TERMS_OF_CARD, 'api_call.request_body') },
      cardholder: person(marks, whose),
      ...members,
    });
    return good(made, whose);
  };
  const direct = async (whose: string, members?: object) => {
    const { id } = (await create(whose, members)).body.payment;
    const answer = await shop.authorize(id, {
      cardNumber: card(whose),
      cardholderName: word(`name on card, ${whose}`),
    });
    good(answer, whose);
    return id as string;
  };
  const description = (whose: string) => ({
    description: word(`remark, ${whose}`, DESCRIPTION_OF_CARD, ...CALLS),
    amount: 100,
    vatAmount: 0,
  });
  const paid = await direct('a payer of a program');
  good(await shop.follow(paid, 'captures', description('a capture')), 'a capture');
  good(await shop.follow(paid, 'reversals', description('a refund')), 'a refund');
  const cancel = { description: word('remark, a cancel', DESCRIPTION_OF_CARD, ...CALLS) };
  good(await shop.follow(paid, 'cancellations', cancel), 'a cancel');
  await direct('a payer who is declined', { prices: [{ type: 'CreditCard', amount: 900_351, vatAmount: 0 }] });
  await direct('a payer who stores a card', { generateRecurrenceToken: true });
  const aborted = await create('a payer whose payment is aborted');
  const reason = word('why it was aborted', 'card_payment.abort_reason');
  good(await shop.abort(aborted.body.payment.id, reason), 'an abort');

  const onPage = async (whose: string, number: string) => {
    const page = pageAt({ send, baseUrl }, linkIn(await create(whose)));
    good(await page.pay({ number, name: word(`name on card, ${whose}`) }), whose);
    return page;
  };
  await onPage('a payer on the page', card('a payer on the page'));
  const authenticated = await onPage(
    'a payer who authenticates',
    marks.secret('a card with 3-D Secure', testCard('14')),
  );
  await authenticated.open();
}

/** Orders: made, changed, paid by gift card and card, captured, refunded, aborted. */
export async function markOrders({ marks, send, baseUrl }: Marked): Promise<void> {
  const shop = ordersShop({ send, baseUrl });
  const { word, text, email, card } = marks;
  const item = (whose: string) => ({
    reference: word(`article of ${whose}`, 'payment_order.order_items', 'api_call.request_body'),
    name: word(`name of what ${whose} buys`, 'payment_order.order_items'),
    description: word(`more of what ${whose} buys`, 'payment_order.order_items'),
    type: 'PRODUCT',
    class: 'Group_1',
    quantity: 1,
    quantityUnit: 'pcs',
    unitPrice: 10_000,
    vatPercent: 2500,
    amount: 10_000,
    vatAmount: 2000,
  });
  const create = async (whose: string) => {
    const payerReference = word(
      `reference of ${whose}`,
      ...['payment_order.payer_reference', TERMS_OF_ORDER, 'card_payment.payer_reference', TERMS_OF_CARD],
    );
    const made = await shop.create({
      payer: { payerReference, ...person(marks, whose), accountInfo: { since: word(`account of ${whose}`) } },
      riskIndicator: { deliveryEmailAddress: email(`where ${whose} has it sent`) },
      userAgent: word(`browser of ${whose}`, TERMS_OF_ORDER, TERMS_OF_CARD),
      description: word(
        `what ${whose} pays`,
        ...[TERMS_OF_ORDER, TERMS_OF_CARD, ...CALLS],
        ...(whose.includes('aborted') ? [] : [DESCRIPTION_OF_ORDER, DESCRIPTION_OF_CARD]),
      ),
      metadata: { note: word(`metadata of ${whose}`, TERMS_OF_ORDER) },
      orderItems: [item(whose)],
    });
    return good(made, whose);
  };
  const paid = await create('a payer of an order');
  const payer = orderPayer({ send, baseUrl }, hrefOf(paid, 'redirect-'));
  await payer.open();
  const giftCard = await cardSeller({ send }).issue(500, {
    email: email("a gift card's e-mail address"),
    msisdn: marks.phone("a gift card's telephone number").slice(1),
  });
  marks.secret("a gift card's number", giftCard.accountKey);
  good(await payer.add(giftCard), 'a gift card');
  good(
    await payer.payByCard({ number: card('a payer of an order'), name: word('name on card of an order') }),
    'an order',
  );
  const transaction = (whose: string) => ({
    transaction: {
      amount: 1000,
      vatAmount: 200,
      payeeReference: shop.reference(),
      receiptReference: text(`receipt of ${whose}`, 'order_transaction.receipt_reference', ...CALLS),
      description: word(`remark of ${whose}`, DESCRIPTION_OF_ORDER, DESCRIPTION_OF_CARD, ...CALLS),
    },
  });
  const { id } = paid.body.paymentOrder;
  good(await shop.send('POST', `${id}/captures`, transaction('a capture of an order')), 'a capture of an order');
  good(await shop.send('POST', `${id}/reversals`, transaction('a refund of an order')), 'a refund of an order');
  const aborted = await create('a payer whose order is aborted');
  const abortReason = word('why an order was aborted', 'payment_order.abort_reason', 'card_payment.abort_reason');
  const abort = { paymentorder: { operation: 'Abort', abortReason } };
  good(await shop.send('PATCH', aborted.body.paymentOrder.id, abort), 'an abort of an order');
}

/** Account payments: by our own account and by an issuer's card, with all that may stand beside the number. */
export async function markAccountPayments({ marks, send }: Marked, account: SandboxAccount): Promise<void> {
  const { word, text } = marks;
  const pay = async (whose: string, payable: Payable, atIssuer: readonly string[]) => {
    const body = {
      accountIdentifier: { accountKey: payable.accountKey },
      amount: 100,
      currency: payable.currency ?? 'NOK',
      merchant: { merchantName: text(`shop of ${whose}`, 'payment.echo', ...CALLS, ...atIssuer) },
      additionalData: word(`additional data of ${whose}`, 'payment.echo'),
      description: word(`what ${whose} pays`, 'payment.echo', ...CALLS),
      paymentOrderRef: newReference(),
      paymentTransactionRef: newReference(),
    };
    const headers = {
      // An address may be a name that a proxy gave it (RFC 7239, 6.3).
      forwarded: `for=_${word(`address of ${whose}`, 'payment.echo')}`,
      'user-agent': word(`browser of ${whose}`, 'payment.echo'),
    };
    const path = `/api/payments/payment-account/${payable.paymentAccountId}/payment/authorize`;
    const made = good(await send('POST', path, { body, headers }), whose);
    const capture = {
      amount: 10,
      paymentOrderRef: body.paymentOrderRef,
      paymentTransactionRef: newReference(),
      description: word(`remark, a capture of ${whose}`, 'payment_transaction.echo', ...CALLS),
      additionalData: word(`additional data, a capture of ${whose}`, 'payment_transaction.echo'),
    };
    const below = `/api/payments/payment-account/${payable.paymentAccountId}/payment/${made.body.paymentId}/capture`;
    good(await send('POST', below, { body: capture }), `a capture of ${whose}`);
  };
  await pay('a holder of an account', account, []);
  const accountKey = marks.card("an issuer's card");
  const asked = await send('POST', '/api/payments/payment-account/balance', {
    body: { accountIdentifier: { accountKey } },
  });
  const { accountId } = good(asked, 'a balance').body.paymentAccount.accountSummary;
  const atIssuer = ['acquirer_exchange.descriptor', 'acquirer_trace.message_fields'];
  await pay("a holder of an issuer's card", { paymentAccountId: accountId, accountKey }, atIssuer);
}

/** Lines of an import, and what is done with tokens afterwards. */
export function markedLines({ word, email, phone, card, secret }: Marks): readonly object[] {
  const payer = (whose: string) => ({
    payerReference: word(`reference of ${whose}`, 'payer.payer_reference', 'payer_token.payer_reference'),
    tokenType: 'Payment',
    instrumentDisplayName: word(`name that ${whose} gave`, 'payer_token.display_name'),
  });
  return [
    { ...payer('an imported payer'), instrument: 'CreditCard', pan: card('an imported card'), expiryDate: '01/2035' },
    {
      ...payer('an imported payer whose card is archived'),
      instrument: 'CreditCard',
      pan: card('an archived card'),
      expiryDate: '01/2035',
      state: 'Archived',
      archivedBy: 'TOKEN_ISSUER',
      archiveReason: word('why a card was archived', 'payer_token.archive_reason'),
    },
    {
      ...payer('an imported holder of a bank account'),
      instrument: 'BankAccount',
      accountId: secret('a bank account', 'NO8330001234567'),
    },
    {
      ...payer('an imported payer by invoice'),
      instrument: 'Invoice-PayLater',
      email: email('e-mail address of an invoice'),
      msisdn: phone('telephone number of an invoice'),
      zipCode: word('postal code of an invoice'),
    },
  ];
}

/** Renames and deletes what was imported. */
export async function markTokens({ marks, send }: Marked, payerReference: string): Promise<void> {
  const listed = await send('GET', `/psp/paymentorders/payerownedtokens/${payerReference}`);
  good(listed, 'a list of tokens');
  const comment = marks.word('why tokens were deleted', 'payer_token.delete_comment');
  const body = { state: 'Deleted', comment };
  good(await send('PATCH', `/psp/paymentorders/payerownedtokens/${payerReference}`, { body }), 'a deletion');
}

/** A webhook that gets all events. */
export async function markWebhook({ marks, send }: Marked, url: string): Promise<void> {
  const body = {
    url: `${url}?key=${marks.text('in the address of a webhook', 'webhook.url', 'webhook.asked')}`,
    description: marks.text('what a webhook is for', 'webhook.description', 'webhook.asked', ...CALLS),
    eventTypes: [],
  };
  good(await send('POST', '/webhooks', { body }), 'a webhook');
}

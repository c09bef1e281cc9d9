import { randomUUID } from 'node:crypto';
import { accountsShop, newReference, type OpenedAccount } from './accounts-shop.ts';
import { cardPaymentsShop, MASTERCARD, VISA } from './card-payments-shop.ts';
import { cardSeller } from './gift-cards-seller.ts';
import type { TestService } from './service.ts';

/** What a payee has after some days of business, for the portal to show. */
export interface Business {
  /** A card payment that is authorized, and nothing more. */
  readonly authorized: string;
  /** A purchase from an account, by its id. */
  readonly bought: string;
  readonly payerReference: string;
  /** A gift card's id. */
  readonly giftCardId: string;
  readonly account: OpenedAccount;
  readonly webhookId: string;
  readonly payeeId: string;
  /** What the gift card is of. */
  readonly productId: string;
}

/** Declined by the sandbox's acquirer. */
const DECLINED_MINOR = 900_351;
const MERCHANT = { merchantName: 'Kiosk', terminalId: '7' };

/** Makes payments of both families in every state, tokens, gift cards and a webhook: all by the API. */
export async function openForBusiness(kontor: TestService): Promise<Business> {
  const shop = cardPaymentsShop(kontor);
  const authorized = await shop.purchase(125_050, { payerReference: 'anna-andersson', generatePaymentToken: true });
  await shop.authorize(authorized, { cardNumber: MASTERCARD });
  for (const amount of [4_900, 129_900, 1_500]) {
    const id = await shop.purchase(amount);
    await shop.authorize(id, { cardNumber: VISA });
    await shop.follow(id, 'captures', { amount, vatAmount: 0, description: 'Sent', payeeReference: newReference() });
  }
  await shop.authorize(await shop.purchase(DECLINED_MINOR));
  await shop.abort(await shop.purchase(700));
  const { account, bought } = await spendFromAnAccount(kontor);
  const giftCard = await cardSeller(kontor).issue(50_000);
  const payerReference = await storeTokens(kontor);
  const webhook = await kontor.send('POST', '/webhooks', {
    body: { url: 'http://127.0.0.1:9/kontor', description: 'No program listens there', eventTypes: ['payment.*'] },
  });
  const products = await kontor.send('GET', '/api/payments/gift-card/products');
  return {
    authorized: authorized.split('/').at(-1) ?? '',
    bought,
    payerReference,
    giftCardId: giftCard.paymentAccountId,
    account,
    webhookId: webhook.body.webhook.webhookId,
    payeeId: kontor.payeeId,
    productId: products.body.products[0].productId,
  };
}

async function spendFromAnAccount(kontor: TestService) {
  const shop = accountsShop(kontor);
  const account = await shop.open(1_000_000);
  const pay = (verb: 'authorize' | 'purchase', amount: number) =>
    shop.pay(verb, account, {
      amount,
      merchant: MERCHANT,
      paymentOrderRef: newReference(),
      paymentTransactionRef: newReference(),
    });
  await pay('authorize', 20_000);
  const { body } = await pay('purchase', 12_500);
  return { account, bought: String(body.paymentId) };
}

/** Of a payer whose name is written as an attack: pages must show it as it is. */
async function storeTokens(kontor: TestService): Promise<string> {
  const payerReference = 'berit-berg';
  await kontor.importLines([
    { payerReference, tokenType: 'Payment', instrument: 'CreditCard', pan: VISA, expiryDate: '09/2031' },
    { payerReference, tokenType: 'Recurrence', instrument: 'CreditCard', pan: VISA, expiryDate: '09/2031' },
    {
      payerReference,
      tokenType: 'Unscheduled',
      instrument: 'Invoice-PayLater',
      email: 'berit@example.com',
      instrumentDisplayName: '<img src=x onerror=alert(1)>',
      token: randomUUID(),
    },
  ]);
  return payerReference;
}

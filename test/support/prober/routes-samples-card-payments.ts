import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type PayeeId, uuidV4 } from '../../../src/kit/ids.ts';
import { Secret } from '../../../src/kit/secret.ts';
import { prepareSentCard } from '../../../src/payments/cards/prepare-card.ts';
import { tryCard } from '../../../src/payments/cards/try-card.flow.ts';
import { abortCardPayment } from '../../../src/payments/changes/abort-payment.flow.ts';
import { followUpCardPayment } from '../../../src/payments/changes/follow-up.flow.ts';
import { createCardPayment } from '../../../src/payments/create-payment.ts';
import { findCardPayment } from '../../../src/payments/find-payment.ts';
import type { FollowUpType } from '../../../src/payments/payments.types.ts';
import { externalAuthentication } from '../issuer/three-ds.ts';
import { testCardNumber } from '../numbers.ts';
import type { TestService } from '../service.ts';
import type { Sample } from './routes-samples.ts';
import { CARDS, fresh, idsStartingWith, makesNew, PURCHASE, payeeInfo } from './routes-samples-purchase.ts';

/** How far a payment goes before it is asked about. */
type Stage =
  | 'Fresh'
  | 'Verify'
  | 'Authorized'
  | 'Captured'
  | 'Cancelled'
  | 'Reversed'
  | 'Verified'
  | 'Failed'
  | 'Aborted';

/** What stands under the name of a test: the same ids before and after it is made. */
interface Named {
  readonly paymentId: string;
  readonly transactionId: string;
}

const named = new Map<string, Named>();

function idsOf(name: string): Named {
  const known = named.get(name) ?? { paymentId: uuidV4(), transactionId: uuidV4() };
  named.set(name, known);
  return known;
}

/** Payments made so far: one card is not declined too often. */
let made = 0;

const FOLLOW_UPS: Readonly<Partial<Record<Stage, readonly FollowUpType[]>>> = {
  Captured: ['Capture'],
  Cancelled: ['Cancellation'],
  Reversed: ['Capture', 'Reversal'],
};

async function make(kontor: TestService, payeeId: PayeeId, name: string, stage: Stage): Promise<void> {
  const { cardPayments, database } = kontor.service;
  const { paymentId, transactionId } = idsOf(name);
  const isVerify = stage === 'Verify' || stage === 'Verified';
  const asked = { payeeId, actor: COMMAND_LINE, idempotencyKey: undefined };
  const amount = stage === 'Failed' ? 900351 : 1000;
  // The first id is the command's.
  await createCardPayment(
    { ...cardPayments, newId: idsStartingWith(uuidV4(), paymentId) },
    {
      ...asked,
      payment: {
        operation: isVerify ? 'Verify' : 'Purchase',
        currency: 'NOK',
        ...(!isVerify && { prices: [{ type: 'CreditCard', amount, vatAmount: Math.floor(amount / 5) }] }),
      },
      cards: {},
      userAgent: undefined,
    },
  );
  if (stage === 'Aborted') {
    await abortCardPayment(
      { context: cardPayments, transact: database.transact },
      { ...asked, paymentId, reason: 'Sample' },
    );
    return;
  }
  if (stage === 'Fresh' || stage === 'Verify') return;
  const followUps = FOLLOW_UPS[stage] ?? [];
  for (let tries = 0; tries < (stage === 'Failed' ? 3 : 1); tries++) {
    const view = await findCardPayment(cardPayments, { payeeId, paymentId });
    const sent = {
      number: new Secret(testCardNumber(stage === 'Failed' ? 8 * (600 + ++made) : 4242)),
      month: '12',
      year: '39',
      code: { digits: new Secret('123'), cameAsNumber: false },
      holderName: undefined,
    };
    const context =
      followUps.length > 0 || tries > 0
        ? cardPayments
        : // The attempt and the command have one each before it.
          { ...cardPayments, newId: idsStartingWith(uuidV4(), uuidV4(), transactionId) };
    const card = await database.transact((work) =>
      prepareSentCard(work, cardPayments, { payment: view.payment, sent }),
    );
    const origin = { channel: 'Api', device: {} } as const;
    const type = isVerify ? 'Verification' : 'Authorization';
    await tryCard({ context, transact: database.transact }, { ...asked, view, type, card, origin });
  }
  for (const [index, type] of followUps.entries()) {
    const isLast = index === followUps.length - 1;
    await followUpCardPayment(
      isLast ? { ...cardPayments, newId: idsStartingWith(uuidV4(), transactionId) } : cardPayments,
      {
        ...asked,
        paymentId,
        type,
        amount: type === 'Cancellation' ? undefined : 100,
        vatAmount: undefined,
        description: undefined,
        payeeReference: undefined,
      },
    );
  }
}

const at = (stage: Stage, ...params: (keyof Named)[]): Omit<Sample, 'body'> => ({
  params: (name) => Object.fromEntries(params.map((param) => [param, idsOf(name)[param]])),
  make: (kontor, payeeId, name) => make(kontor, payeeId, name, stage),
  isMissedWhenUnknown: true,
  // The same request again has no effect of its own, so it may be sent more than once.
  headers: (name) => ({ 'idempotency-key': name }),
});
const payment = (stage: Stage) => at(stage, 'paymentId');
const transaction = (stage: Stage) => at(stage, 'paymentId', 'transactionId');

const PART = { amount: 10, vatAmount: 2, description: 'Part' };

const card = {
  transaction: {
    cardNumber: testCardNumber(4242),
    cardExpiryMonth: '12',
    cardExpiryYear: '2039',
    cardVerificationCode: '123',
    cardholderName: 'Olivia Nyhuus',
  },
};

const create = makesNew((payeeId) => ({
  payment: {
    ...PURCHASE,
    prices: [{ type: 'CreditCard', amount: 100, vatAmount: 20 }],
    payerReference: 'anna',
    payer: { payerReference: 'anna' },
    tokenConsent: 'Required',
    recurring: { until: '2999-12-31', everyDays: 30 },
    payeeInfo: payeeInfo(payeeId),
    cardholder: {
      firstName: 'Olivia',
      email: 'olivia@example.com',
      shippingAddress: { addressee: 'Olivia Nyhuus', streetAddress: 'Saltnestoppen 43', countryCode: 'NO' },
      billingAddress: { addressee: 'Olivia Nyhuus', zipCode: '1642', city: 'Saltnes' },
      accountInfo: { accountAgeIndicator: '04' },
    },
  },
  creditCard: CARDS,
}));

/** Samples of card payments. */
export const CARD_PAYMENT_SAMPLES: Readonly<Record<string, Sample>> = {
  createCardPayment: create,
  getCardPayment: payment('Fresh'),
  abortCardPayment: { ...payment('Fresh'), body: { payment: { operation: 'Abort', abortReason: 'OutOfStock' } } },
  authorizeCardPayment: {
    ...payment('Fresh'),
    // One authentication is for one authorization.
    get body() {
      return { transaction: { ...card.transaction, authentication: { ...externalAuthentication(), eci: '02' } } };
    },
  },
  verifyCardPayment: { ...payment('Verify'), body: card },
  captureCardPayment: { ...payment('Authorized'), body: fresh(PART) },
  cancelCardPayment: { ...payment('Authorized'), body: fresh({ description: 'Out of stock' }) },
  reverseCardPayment: { ...payment('Captured'), body: fresh(PART) },
  getCardPaymentPrices: payment('Fresh'),
  getCardPaymentUrls: payment('Fresh'),
  getCardPaymentPayeeInfo: payment('Fresh'),
  getCardPaymentMetadata: payment('Fresh'),
  getCardPaymentTransactions: payment('Authorized'),
  getCardPaymentAuthorizations: payment('Authorized'),
  getCardPaymentVerifications: payment('Verified'),
  getCardPaymentCaptures: payment('Captured'),
  getCardPaymentCancellations: payment('Cancelled'),
  getCardPaymentReversals: payment('Reversed'),
  getCardPaymentPaid: payment('Authorized'),
  getCardPaymentFailed: payment('Failed'),
  getCardPaymentAborted: payment('Aborted'),
  getCardPaymentTransaction: transaction('Authorized'),
  getCardPaymentAuthorization: transaction('Authorized'),
  getCardPaymentVerification: transaction('Verified'),
  getCardPaymentCapture: transaction('Captured'),
  getCardPaymentCancellation: transaction('Cancelled'),
  getCardPaymentReversal: transaction('Reversed'),
};

import { followUpPayment } from '../../../src/accounts/follow-up-payment.flow.ts';
import { makePayment } from '../../../src/accounts/make-payment.flow.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { type PayeeId, uuidV4 } from '../../../src/kit/ids.ts';
import { Secret } from '../../../src/kit/secret.ts';
import { testCardNumber } from '../numbers.ts';
import type { TestService } from '../service.ts';
import { accountsShop, newReference } from '../shop/accounts-shop.ts';
import type { Sample } from './routes-samples.ts';

/** What stands under the name of a test: the same ids before and after it is made, for any payee. */
interface Named {
  readonly paymentAccountId: string;
  readonly paymentId: string;
  readonly transactionId: string;
  readonly operationId: string;
  /** Of the payment. */
  readonly reference: string;
}

const named = new Map<string, Named>();

function idsOf(name: string): Named {
  const known = named.get(name);
  if (known !== undefined) return known;
  const made = {
    paymentAccountId: uuidV4(),
    paymentId: uuidV4(),
    transactionId: uuidV4(),
    operationId: uuidV4(),
    reference: newReference(),
  };
  named.set(name, made);
  return made;
}

const ORDER = 'order-1';

/** An account with an authorization of 1000, a capture of 100, and where wanted a cancel of the rest. */
async function make(kontor: TestService, payeeId: PayeeId, name: string, isCancelled: boolean): Promise<void> {
  const { accounts } = kontor.service;
  const { paymentAccountId, paymentId, transactionId, operationId, reference } = idsOf(name);
  const shop = accountsShop(kontor);
  const { accountKey } = await shop.open(10_000, { payeeId }, idsStartingWith(paymentAccountId));
  // The first id is the command's.
  const worldMaking = (id: string) => ({ ...accounts, newId: idsStartingWith(uuidV4(), id) });
  const common = { payeeId, actor: COMMAND_LINE, paymentAccountId, paymentOrderRef: ORDER, repeat: false };
  const content = { words: { merchant: { merchantName: 'Kiosk' } }, circumstances: {} };
  const identifier = {
    accountKey: new Secret(accountKey),
    accountId: undefined,
    cvc: undefined,
    securityCode: undefined,
    encryptedPin: undefined,
    expiryDate: undefined,
    track2: undefined,
  };
  await makePayment(worldMaking(paymentId), {
    ...common,
    ...content,
    operation: 'Authorize',
    amount: 1000,
    currency: 'NOK',
    paymentTransactionRef: reference,
    identifier,
  });
  const follow = (operation: 'Capture' | 'Cancel', id: string) =>
    followUpPayment(worldMaking(id), {
      ...common,
      ...content,
      operation,
      paymentId,
      amount: operation === 'Capture' ? 100 : undefined,
      cancelRemainingAuth: false,
      block: false,
      paymentTransactionRef: newReference(),
    });
  await follow('Capture', transactionId);
  if (isCancelled) await follow('Cancel', operationId);
}

/** Gives out these ids, and then new ones. */
function idsStartingWith(...first: readonly string[]): () => string {
  const waiting = [...first];
  return () => waiting.shift() ?? uuidV4();
}

const resource = (...params: (keyof Named)[]): Omit<Sample, 'body'> => ({
  params: (name) => Object.fromEntries(params.map((param) => [param, idsOf(name)[param]])),
  make: (kontor, payeeId, name) => make(kontor, payeeId, name, params.includes('operationId')),
  isMissedWhenUnknown: true,
});

const account = resource('paymentAccountId');
const payment = resource('paymentAccountId', 'paymentId');

/** The number of the card that account payments are made with. */
export const SAMPLE_ACCOUNT = testCardNumber(4242);

const identifier = {
  accountKey: SAMPLE_ACCOUNT,
  cvc: '123',
  encryptedPin: '000',
  expiryDate: '12/39',
  securityCode: '123',
  track2: `${SAMPLE_ACCOUNT}=3912101`,
};
const merchant = { merchantName: 'Kiosk', terminalId: '7' };
const words = { additionalData: 'table 4', description: 'Coffee', merchant, repeat: false, stan: '17' };
const product = {
  productId: 'coffee',
  amount: 10,
  quantity: 1.5,
  unitOfMeasure: 'cups',
  vatAmount: 2,
  vatRate: 25,
  description: 'Filter coffee',
};

/** A body whose reference is new each time that it is asked for. */
function fresh(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.defineProperty({ ...members }, 'paymentTransactionRef', { enumerable: true, get: newReference });
}

const newPayment = {
  accountIdentifier: { accountId: 'another-account', ...identifier },
  amount: 10,
  currency: 'NOK',
  paymentOrderRef: ORDER,
  ...words,
};
const following = { paymentOrderRef: ORDER, ...words };
/** The account that the sample's card has for the payee of the run: known once it was asked for. */
let sampleAccountId = uuidV4();

const balance: Sample = {
  params: () => ({}),
  make: async (kontor) => {
    sampleAccountId = (await accountsShop(kontor).firstSight(identifier.accountKey)).paymentAccountId;
  },
  isMissedWhenUnknown: false,
  get body() {
    return { accountIdentifier: { accountId: sampleAccountId, ...identifier } };
  },
};

/** The reference of a payment. An unknown one is no error: that is what is asked. */
const reference: Sample = {
  params: () => ({}),
  make: (kontor, payeeId, name) => make(kontor, payeeId, name, false),
  isMissedWhenUnknown: false,
  query: (name) => ({ paymentTransactionRef: idsOf(name).reference }),
};

/** Samples of account payments. */
export const ACCOUNT_SAMPLES: Readonly<Record<string, Sample>> = {
  authorizeAccountPayment: { ...account, body: fresh(newPayment) },
  purchaseAccountPayment: { ...account, body: fresh({ ...newPayment, products: [product] }) },
  depositAccountPayment: { ...account, body: fresh(newPayment) },
  creditAccountPayment: { ...account, body: fresh(newPayment) },
  captureAccountPayment: { ...payment, body: fresh({ ...following, amount: 10, cancelRemainingAuth: false }) },
  cancelAccountPayment: { ...payment, body: fresh(following) },
  reverseAccountPayment: { ...payment, body: fresh({ ...following, amount: 10, block: false }) },
  getAccountPayment: payment,
  getAccountTransaction: resource('paymentAccountId', 'paymentId', 'transactionId'),
  getAccountOperation: resource('paymentAccountId', 'paymentId', 'operationId'),
  lookUpAccountReference: reference,
  askAccountBalance: balance,
};

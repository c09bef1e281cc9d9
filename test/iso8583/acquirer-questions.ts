import { retrievalReferenceOf } from '../../src/iso8583/times.ts';
import type { Acquirer, Agreement } from '../../src/issuers/acquirers/acquirers.types.ts';
import { ACQUIRER_DEFAULTS } from '../../src/issuers/acquirers/file/acquirers-file.rules.ts';
import type { ApprovalQuestion, FollowUpQuestion, Original, TakeBack } from '../../src/issuers/questions.types.ts';
import { type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../src/kit/money.ts';
import { Secret } from '../../src/kit/secret.ts';

/** Never aborted. */
export const SIGNAL = new AbortController().signal;
const PAYEE = uuidV7(Date.now()) as unknown as PayeeId;
/** An acquirer of a test. */
export const ACQUIRER: Acquirer = {
  id: 'north',
  name: 'North Acquiring',
  dialect: 'iso93',
  host: '127.0.0.1',
  port: 1,
  ...ACQUIRER_DEFAULTS,
  connections: 1,
  acquiringInstitution: '957800',
  forwardingInstitution: '957801',
  tls: 'none',
  sendMs: 2_000,
  answerMs: 3_000,
  cutOver: '23:00',
  timeZone: 'Europe/Oslo',
};
const AGREEMENT: Agreement = {
  id: 'demo-nok',
  payeeId: PAYEE,
  acquirer: 'north',
  priority: 1,
  merchantId: '000012345678901',
  terminalIds: ['WEB00001'],
  mcc: '5732',
  merchant: { name: 'Demo AS', street: 'Storgata 1', city: 'Oslo', postalCode: '0155', country: 'NOR' },
  currencies: ['NOK'],
  brands: ['Visa'],
  bins: [],
  closed: false,
  threeDS: {},
  allowNo3DSecure: false,
};

let stans = 0;
/** Names a message, of a payment that is known by the reference. */
function exchange(retrievalReference?: string) {
  const sentAt = new Date().toISOString();
  const stan = String(++stans).padStart(6, '0');
  const reference = retrievalReference ?? retrievalReferenceOf(new Date(sentAt), stan);
  return { acquirerId: 'north', terminalId: 'WEB00001', stan, sentAt, retrievalReference: reference };
}

/** A question for a payment of so much. */
export function approvalOf(amount: number, others: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    payeeId: PAYEE,
    attemptId: uuidV7(Date.now()),
    amount: amount as AmountMinor,
    currency: 'NOK' as Currency,
    agreement: AGREEMENT,
    exchange: exchange(),
    descriptor: 'Kontor Demo AS',
    traceparent: undefined,
    operation: 'Authorize',
    card: {
      number: new Secret('4925000000000004'),
      expiryDate: '12/39',
      cvc: new Secret('123'),
      track2: undefined,
      encryptedPin: undefined,
    },
    initiator: { by: 'Customer', channel: 'Page', credential: 'None' },
    schemeTransactionId: undefined,
    authentication: undefined,
    exemption: undefined,
    device: { address: '192.0.2.7' },
    ...others,
  };
}

const originalOf = (question: ApprovalQuestion | FollowUpQuestion): Original => ({
  attemptId: question.attemptId,
  operation: question.operation,
  amount: question.amount,
  exchange: question.exchange,
});

/** A question about a payment. */
export function followUp(
  operation: FollowUpQuestion['operation'],
  amount: number,
  of: ApprovalQuestion,
): FollowUpQuestion {
  const { payeeId, currency, agreement, descriptor, traceparent } = of;
  return {
    ...{ payeeId, currency, agreement, descriptor, traceparent, operation },
    attemptId: uuidV7(Date.now()),
    amount: amount as AmountMinor,
    exchange: exchange(of.exchange.retrievalReference),
    releasedAmount: 0 as AmountMinor,
    original: originalOf(of),
    sequence: { number: 1, isLast: false },
  };
}

/** What takes a question back. */
export function takeBack(question: ApprovalQuestion | FollowUpQuestion, others: Partial<TakeBack> = {}): TakeBack {
  return {
    payeeId: PAYEE,
    attemptId: question.attemptId,
    amount: question.amount,
    currency: 'NOK' as Currency,
    agreement: AGREEMENT,
    descriptor: question.descriptor,
    original: originalOf(question),
    exchange: exchange(question.exchange.retrievalReference),
    reason: 'Silence',
    sentBefore: 'No',
    ...others,
  };
}

import { compose } from '../../../iso8583/compose.rules.ts';
import { currencyNumber } from '../../../iso8583/currency.rules.ts';
import type { Dialect } from '../../../iso8583/dialects/dialect.types.ts';
import { formsOf, placeOf } from '../../../iso8583/dialects/places.rules.ts';
import { EncodeError } from '../../../iso8583/frames.rules.ts';
import type { MessageTimes } from '../../../iso8583/link/link.types.ts';
import type { Message } from '../../../iso8583/messages.types.ts';
import { wireOf } from '../../../iso8583/wire.rules.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import { amountMinor, type Currency, LARGEST_AMOUNT_MINOR } from '../../../kit/money.ts';
import { BadJson } from '../../../kit/read-json.ts';
import { Secret } from '../../../kit/secret.ts';
import type { ApprovalQuestion, FollowUpQuestion, Original, TakeBack } from '../../questions.types.ts';
import { followUpMessage, type MessageTerms, requestMessage, takeBackMessage } from '../acquirer-messages.rules.ts';
import type { Acquirer, Agreement } from '../acquirers.types.ts';

type Institutions = Pick<Acquirer, 'acquiringInstitution' | 'forwardingInstitution'>;

const INSTANT = '2026-12-31T23:59:59Z';
const TIMES: MessageTimes = { transmittedAt: '1231235959', sentAt: '261231235959' };
const STAN = '999999';
const LARGEST = amountMinor(LARGEST_AMOUNT_MINOR);
const CURRENCY = 'NOK' as Currency;
const EXCHANGE = { acquirerId: '', terminalId: '1', stan: STAN, sentAt: INSTANT, retrievalReference: '636523999999' };

/** Its merchant number and terminal are short: those of the real agreements are looked at beside this. */
const AGREEMENT: Agreement = {
  id: '',
  payeeId: '' as PayeeId,
  acquirer: '',
  priority: 1,
  merchantId: '1',
  terminalIds: ['1'],
  mcc: '5999',
  merchant: {
    name: 'N'.repeat(40),
    street: 'S'.repeat(60),
    city: 'C'.repeat(40),
    postalCode: 'P'.repeat(10),
    country: 'NOR',
  },
  currencies: [],
  brands: [],
  bins: [],
  closed: false,
  threeDS: {},
  allowNo3DSecure: false,
};

const QUESTION = {
  payeeId: AGREEMENT.payeeId,
  attemptId: '0195799a-0c10-7d3e-8f00-000000000001',
  amount: LARGEST,
  currency: CURRENCY,
  agreement: AGREEMENT,
  exchange: EXCHANGE,
  descriptor: undefined,
  traceparent: undefined,
} as const;

/**
 * Refuses a dialect that has no room for what Kontor writes: one message of each kind is composed with the longest values, and
 * encoded. Without this the first message would show it, while the service runs.
 *
 * @throws BadJson with the place in the dialect
 */
export function refuseUnwritable(dialect: Dialect, institutions: Institutions): void {
  const wire = wireOf(dialect, institutions.forwardingInstitution);
  const kinds: readonly string[] = formsOf(dialect).map(([kind]) => kind);
  for (const { kind, make } of longestMessages(dialect, institutions)) {
    if (!kinds.includes(kind)) continue;
    try {
      wire.encode(make());
    } catch (error) {
      if (error instanceof EncodeError) throw new BadJson(error.place, `${error.complaint} for messages.${kind}`);
      throw error;
    }
  }
}

interface LongMessage {
  /** As the dialect names it. */
  readonly kind: string;
  readonly make: () => Message;
}

function longestMessages(dialect: Dialect, institutions: Institutions): readonly LongMessage[] {
  const terms: MessageTerms = { dialect, acquirer: institutions, timesOf: () => TIMES };
  const wire = wireOf(dialect, institutions.forwardingInstitution);
  const { signOn, signOff, echo, accepted, refused } = dialect.networkManagement;
  const network = (code: string) => wire.network(code, { ...TIMES, stan: STAN });
  return [
    ...[signOn, signOff, echo].map((code) => ({ kind: 'Network', make: () => network(code) })),
    ...[accepted, refused].map((code) => ({ kind: 'Network', make: () => wire.answerTo(network(echo), code) })),
    ...approvals(dialect).map((question) => ({
      kind: question.operation,
      make: () => compose(dialect, requestMessage(question, terms)),
    })),
    ...followUps(dialect).map((question) => ({
      kind: question.operation,
      make: () => compose(dialect, followUpMessage(question, terms)),
    })),
    ...takeBacks(dialect).map((takeBack) => ({
      kind: 'TakeBack',
      make: () => compose(dialect, takeBackMessage(takeBack, terms)),
    })),
    { kind: 'Reconcile', make: () => compose(dialect, { kind: 'Reconcile', fields: totals(institutions) }) },
  ];
}

function approvals(dialect: Dialect): readonly ApprovalQuestion[] {
  const operations = ['Authorize', 'Verify', 'Purchase', 'Credit'] as const;
  return operations.map((operation) => ({
    ...QUESTION,
    operation,
    card: {
      number: new Secret('4'.repeat(19)),
      expiryDate: '12/39',
      cvc: new Secret('1234'),
      track2: undefined,
      encryptedPin: undefined,
    },
    initiator: { by: 'Customer', channel: 'Page', credential: { use: 'Recurring', step: 'First' } },
    schemeTransactionId: schemeTransactionId(dialect),
    authentication: {
      version: '2.2.0',
      transStatus: 'Y',
      eci: '05',
      authenticationValue: new Secret(`${'A'.repeat(27)}=`),
      dsTransactionId: 'd'.repeat(36),
      source: 'Own',
    },
    exemption: 'LowValue',
    device: { address: 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255' },
    billing: { street: 'S'.repeat(40), postalCode: 'P'.repeat(10) },
  }));
}

function followUps(dialect: Dialect): readonly FollowUpQuestion[] {
  const made = original(dialect);
  return (['Capture', 'Cancel', 'Reversal'] as const).flatMap((operation) =>
    // All of it, and a part.
    [LARGEST, amountMinor(LARGEST - 1)].map((amount) => ({
      ...QUESTION,
      operation,
      amount,
      releasedAmount: amountMinor(0),
      original: made,
      sequence: { number: 99, isLast: true },
      card: { number: new Secret('4'.repeat(19)), expiryDate: '12/39' },
    })),
  );
}

function takeBacks(dialect: Dialect): readonly TakeBack[] {
  return (['Silence', 'TooLate', 'Partial', 'NotUsable', 'Refused'] as const).map((reason) => ({
    ...QUESTION,
    original: original(dialect),
    reason,
    sentBefore: 'No',
    card: { number: new Secret('4'.repeat(19)), expiryDate: '12/39' },
  }));
}

/** The acquirer's own approval code fits where it came from, however long that is. */
function original(dialect: Dialect): Original {
  const room = placeOf(dialect, 'approvalCode')?.most ?? 0;
  return {
    attemptId: QUESTION.attemptId,
    operation: 'Authorize',
    amount: LARGEST,
    exchange: EXCHANGE,
    approvalCode: '1'.repeat(room),
    schemeTransactionId: schemeTransactionId(dialect),
  };
}

/** Schemes have ids of other lengths, and a dialect may have room for theirs alone: a longer one is not sent. */
function schemeTransactionId(dialect: Dialect): string {
  return '1'.repeat(placeOf(dialect, 'schemeTransactionId')?.most ?? 0);
}

function totals({ acquiringInstitution, forwardingInstitution }: Institutions) {
  const number = '9'.repeat(10);
  const amount = '9'.repeat(16);
  return {
    ...TIMES,
    acquiringInstitution,
    forwardingInstitution,
    stan: STAN,
    merchantId: AGREEMENT.merchantId,
    reconciliationDay: '261231',
    reconciliationNumber: '001',
    reconciliationCurrency: currencyNumber(CURRENCY),
    salesNumber: number,
    salesAmount: amount,
    saleReversalsNumber: number,
    saleReversalsAmount: amount,
    refundsNumber: number,
    refundsAmount: amount,
    refundReversalsNumber: number,
    refundReversalsAmount: amount,
    netAmount: `D${amount}`,
  };
}

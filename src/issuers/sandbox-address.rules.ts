import type { PayeeId } from '../kit/ids.ts';
import { type Currency, ZERO_MINOR } from '../kit/money.ts';
import type { Agreement } from './acquirers/acquirers.types.ts';
import type {
  Exchange,
  FollowUpQuestion,
  IssuerQuestion,
  OpeningQuestion,
  TakeBack,
  Unaddressed,
} from './questions.types.ts';

// Until agreements are configured and exchanges stored, the one acquirer that there is, is the sandbox's: it looks at
// neither.

const EXCHANGE: Exchange = {
  acquirerId: 'sandbox',
  terminalId: 'SANDBOX1',
  stan: '000001',
  sentAt: '2026-01-01T00:00:00Z',
  retrievalReference: '600100000001',
};

/** A question as the sandbox's acquirer gets it. */
export function sandboxAddressed(
  question: Unaddressed<OpeningQuestion> | Unaddressed<FollowUpQuestion>,
): IssuerQuestion {
  const { original } = question;
  const addressed = { ...question, agreement: agreementOf(question.payeeId), exchange: EXCHANGE };
  return { ...addressed, ...(original && { original: { ...original, exchange: EXCHANGE } }) } as IssuerQuestion;
}

/** What takes an attempt back at the sandbox's acquirer. */
export function sandboxTakeBack({ payeeId, attemptId }: Pick<TakeBack, 'payeeId' | 'attemptId'>): TakeBack {
  return {
    payeeId,
    attemptId,
    currency: 'NOK' as Currency,
    agreement: agreementOf(payeeId),
    original: { attemptId, operation: 'Authorize', amount: ZERO_MINOR, exchange: EXCHANGE },
    exchange: EXCHANGE,
    reason: 'Silence',
    isRepeat: false,
  };
}

function agreementOf(payeeId: PayeeId): Agreement {
  return {
    id: 'sandbox',
    payeeId,
    acquirer: 'sandbox',
    priority: 1,
    merchantId: '000000000000001',
    terminalIds: [EXCHANGE.terminalId],
    mcc: '5999',
    merchant: { name: 'Sandbox', street: '', city: 'Oslo', postalCode: '0155', country: 'NOR' },
    currencies: [],
    brands: [],
    bins: [],
    closed: false,
    threeDS: {},
    allowNo3DSecure: true,
  };
}

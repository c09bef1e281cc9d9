import type { ApiRoute } from '../../../src/http/route.types.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { testCardNumber } from '../numbers.ts';
import type { TestService } from '../service.ts';
import { ACCOUNT_SAMPLES } from './routes-samples-accounts.ts';
import { CARD_LIFE_SAMPLES } from './routes-samples-card-life.ts';
import { CARD_PAYMENT_SAMPLES } from './routes-samples-card-payments.ts';
import { EVENT_SAMPLES } from './routes-samples-events.ts';
import { GIFT_CARD_SAMPLES } from './routes-samples-gift-cards.ts';
import { ORDER_SAMPLES } from './routes-samples-orders.ts';
import { SETTLEMENT_SAMPLES } from './routes-samples-settlements.ts';

/** What a route is tried with: an object that it is about, by whatever name the test gives it, and a body. */
export interface Sample {
  /** The path's parameters that name the object, without the payee. */
  readonly params: (name: string) => Readonly<Record<string, string>>;
  /** Makes the object of this name for a payee. */
  readonly make: (kontor: TestService, payeeId: PayeeId, name: string) => Promise<unknown>;
  /** Whether an object that was never made is 404; else it is an empty collection. */
  readonly isMissedWhenUnknown: boolean;
  /** Whether it makes something new each time and is about no object, so that there is none of another payee to ask for. */
  readonly isAboutNothing?: true;
  /** Parameters that the query must have, where they name the object or not. */
  readonly query?: (name: string) => Readonly<Record<string, string>>;
  /** Headers that it is sent with. */
  readonly headers?: (name: string) => Readonly<Record<string, string>>;
  /** A body that is taken, with every member that there is. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The same with members that name what a test cannot know before. */
  readonly fullBody?: Readonly<Record<string, unknown>>;
}

const payer: Omit<Sample, 'body'> = {
  params: (name) => ({ payerReference: name }),
  make: (kontor, payeeId, name) => kontor.importLines([card({ payerReference: name })], payeeId),
  isMissedWhenUnknown: false,
};

const token: Omit<Sample, 'body'> = {
  params: (name) => ({ tokenId: guidOf(name) }),
  make: (kontor, payeeId, name) => kontor.importLines([card({ token: guidOf(name) })], payeeId),
  isMissedWhenUnknown: true,
};

const tokenOfType = (tokenType: string): Omit<Sample, 'body'> => ({
  params: (name) => ({ token: guidOf(name) }),
  make: (kontor, payeeId, name) => kontor.importLines([card({ token: guidOf(name), tokenType })], payeeId),
  isMissedWhenUnknown: true,
});

const archiving = { reason: 'The card was stolen', updatedBy: 'PAYEE' };
const deleting = { state: 'Deleted', comment: 'The payer asked for it' };

/** What is about no object. */
const nothing: Omit<Sample, 'body'> = {
  params: () => ({}),
  make: async () => undefined,
  isMissedWhenUnknown: false,
};

/** One sample for each operation of the API. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  getToken: token,
  renameToken: { ...token, body: { displayName: 'My card' } },
  archiveToken: { ...token, body: archiving },
  listTokens: payer,
  listArchivedTokens: payer,
  archivePayerTokens: { ...payer, body: archiving },
  getRecurrenceToken: tokenOfType('Recurrence'),
  deleteRecurrenceToken: { ...tokenOfType('Recurrence'), body: deleting },
  getUnscheduledToken: tokenOfType('Unscheduled'),
  deleteUnscheduledToken: { ...tokenOfType('Unscheduled'), body: deleting },
  getPaymentToken: tokenOfType('Payment'),
  deletePaymentToken: { ...tokenOfType('Payment'), body: deleting },
  listPayerOwnedTokens: payer,
  deletePayerOwnedTokens: { ...payer, body: deleting },
  listPayerOwnedPaymentTokens: payer,
  deletePayerOwnedPaymentTokens: { ...payer, body: deleting },
  getPayer: payer,
  erasePayer: payer,
  // Of an instant, so that the same question has the same answer.
  getGiftCardLiability: { ...nothing, query: () => ({ asOf: '2026-01-01T00:00:00.000Z' }) },
  ping: { ...nothing, body: { description: 'Are you there?' } },
  ...ACCOUNT_SAMPLES,
  ...CARD_LIFE_SAMPLES,
  ...GIFT_CARD_SAMPLES,
  ...EVENT_SAMPLES,
  ...CARD_PAYMENT_SAMPLES,
  ...ORDER_SAMPLES,
  ...SETTLEMENT_SAMPLES,
};

/** @throws Error that says what to add, where an operation has no sample */
export function sampleOf({ operationId, shape }: ApiRoute): Sample {
  const sample = SAMPLES[operationId];
  if (sample === undefined) {
    throw new Error(`${operationId} has no sample. Add one to SAMPLES in test/support/prober/routes-samples.ts.`);
  }
  if ((sample.body === undefined) !== (shape.body === undefined)) {
    throw new Error(`${operationId} takes ${shape.body ? 'a' : 'no'} body; its sample in routes-samples.ts differs.`);
  }
  return sample;
}

/** Operations that have a sample but no route. */
export function orphanedSamples(routes: readonly ApiRoute[]): string[] {
  const known = new Set(routes.map(({ operationId }) => operationId));
  return Object.keys(SAMPLES).filter((operationId) => !known.has(operationId));
}

let made = 0;

/** A name that no other object of this run has; letters only, so that it cannot look like a card number. */
export function freshName(): string {
  made++;
  return `name-${[...String(made)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`;
}

/** The card numbers that were stored with tokens so far. */
export function sampleCards(): string[] {
  return Array.from({ length: made }, (_, index) => testCardNumber(index + 1));
}

/** A GUID that stands for a name. */
function guidOf(name: string): string {
  const hex = Buffer.from(name).toString('hex').slice(-12).padStart(12, '0');
  return `dddddddd-dddd-4ddd-8ddd-${hex}`;
}

function card(line: Readonly<Record<string, string>>): object {
  made++;
  return {
    payerReference: 'anna',
    tokenType: 'Payment',
    instrument: 'CreditCard',
    pan: testCardNumber(made),
    expiryDate: '01/2030',
    ...line,
  };
}

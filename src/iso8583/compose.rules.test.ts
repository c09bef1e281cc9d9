import { expect, test } from 'vitest';
import { VECTORS, type VectorName } from '../../test/support/issuer/iso8583-vectors.ts';
import type { Currency } from '../kit/money.ts';
import { Secret } from '../kit/secret.ts';
import { codecFor } from './codec.rules.ts';
import {
  answerTypeOf,
  billingAddress,
  type Composition,
  captureSequence,
  compose,
  digitsOf,
  initiatorTag,
  merchantPlace,
  netAmount,
  originalAmounts,
  originalField,
  pointOfService,
  wantsAnswer,
} from './compose.rules.ts';
import { currencyNumber } from './currency.rules.ts';
import { ISO93 } from './dialects/iso93.rules.ts';

const always = (stan: string, sentAt: string) => ({
  transmittedAt: sentAt.slice(2),
  stan,
  sentAt,
  acquiringInstitution: '957800',
  forwardingInstitution: '957801',
  merchantId: '000012345678901',
});
const payment = (stan: string, sentAt: string) => ({
  ...always(stan, sentAt),
  terminalId: 'WEB00001',
  currency: currencyNumber('NOK' as Currency),
  merchantCategory: '5732',
  merchantPlace: merchantPlace(
    {
      name: 'Kontor Demo AS',
      street: 'Storgata 1',
      city: 'Oslo',
      postalCode: '0155',
      country: 'NOR',
    },
    'ascii',
  ),
  // Those that the form does not name are left out.
  approvalCode: 'A1B2C3',
  actionCode: '000',
});
const card = { cardNumber: new Secret('4761739001010416'), expiry: '3912' };
const tag17 = (last: number) => `0195799a0c107d3e8f0000000000000${last}`;
const original = {
  original: originalField({
    type: '1100',
    stan: '000101',
    sentAt: '260309101528',
    acquiringInstitution: '957800',
  }),
  originalAmounts: originalAmounts(12500),
  retrievalReference: '606810000101',
};
const authenticated = pointOfService({ entry: 'ECommerce', isStored: false, isAuthenticated: true });
const schemeTransactionId = '306068365741221';

const COMPOSED: Partial<Record<VectorName, Composition>> = {
  V1: {
    kind: 'Network',
    fields: { ...always('000001', '260309101500'), functionCode: ISO93.networkManagement.signOn },
  },
  V3: {
    kind: 'Authorize',
    fields: {
      ...payment('000101', '260309101528'),
      ...card,
      amount: digitsOf(12500),
      pointOfService: authenticated,
      retrievalReference: '606810000101',
    },
    tags: {
      eci: '05',
      authenticationValue: new Secret('AAECAwQFBgcICQoLDA0ODxAREhM='),
      dsTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      threeDSVersion: '2.2.0',
      transStatus: 'Y',
      initiator: initiatorTag({ by: 'Customer', use: 'Recurring', step: 'First' }),
      cvc: new Secret('123'),
      partialApproval: '0',
      attemptId: tag17(1),
      captureSequence: undefined,
    },
  },
  V5: {
    kind: 'Authorize',
    fields: {
      ...payment('000102', '260409060000'),
      ...card,
      amount: digitsOf(9900),
      pointOfService: pointOfService({ entry: 'Merchant', isStored: true, isAuthenticated: false }),
      retrievalReference: '609906000102',
    },
    tags: {
      eci: '07',
      initiator: initiatorTag({ by: 'Merchant', use: 'Recurring', step: 'Subsequent' }),
      schemeTransactionId,
      partialApproval: '0',
      attemptId: tag17(2),
    },
  },
  V7: {
    kind: 'Capture',
    isOther: true,
    fields: {
      ...payment('000103', '260310080000'),
      ...original,
      amount: digitsOf(10000),
      pointOfService: authenticated,
    },
    tags: { schemeTransactionId, attemptId: tag17(3), captureSequence: captureSequence(1, undefined) },
  },
  V9: {
    kind: 'TakeBack',
    reason: 'Silence',
    fields: {
      ...payment('000104', '260309101540'),
      ...original,
      amount: digitsOf(12500),
      processingCode: '000000',
    },
    tags: { attemptId: tag17(1) },
  },
  V12: {
    kind: 'Reversal',
    fields: {
      ...payment('000105', '260312120000'),
      ...original,
      amount: digitsOf(4000),
      pointOfService: pointOfService({ entry: 'ECommerce', isStored: true, isAuthenticated: false }),
    },
    tags: { schemeTransactionId, attemptId: tag17(5) },
  },
  V13: {
    kind: 'Reconcile',
    fields: {
      ...always('000106', '260312230000'),
      reconciliationDay: '260312',
      reconciliationNumber: '001',
      reconciliationCurrency: currencyNumber('NOK' as Currency),
      refundsNumber: '1',
      refundReversalsNumber: '0',
      salesNumber: '3',
      saleReversalsNumber: '0',
      refundsAmount: digitsOf(4000),
      refundReversalsAmount: '0',
      salesAmount: digitsOf(25000),
      saleReversalsAmount: '0',
      netAmount: netAmount(21000),
    },
  },
};

test.each(Object.entries(COMPOSED))('%s is composed of what it says, byte for byte', (name, composition) => {
  const bytes = codecFor(ISO93).encode(compose(ISO93, composition));
  expect(bytes.toString('hex')).toBe(VECTORS[name as VectorName]);
});

test('answers have the type of their ask, repeats that of the first', () => {
  const types = ['1100', '1200', '1220', '1221', '1420', '1421', '1520', '1521', '1804', '0100', '0421'];
  expect(types.map(answerTypeOf)).toEqual([
    ...['1110', '1210', '1230', '1230', '1430', '1430', '1530', '1530', '1814', '0110', '0430'],
  ]);
  expect(types.every(wantsAnswer)).toBe(true);
  expect(types.map(answerTypeOf).some(wantsAnswer)).toBe(false);
  expect(wantsAnswer('1644')).toBe(false);
});

test('texts of payees and payers are cut to what their places take', () => {
  const place = merchantPlace(
    {
      name: 'N\\'.repeat(40),
      street: 'S'.repeat(90),
      city: 'C'.repeat(90),
      postalCode: 'P'.repeat(90),
      country: 'NOR',
    },
    'ascii',
  );
  expect(place.length).toBeLessThanOrEqual(99);
  expect(place.split('\\')).toHaveLength(4);
  expect(place.endsWith('PPPPPPPPPP   NOR')).toBe(true);
  expect(billingAddress('0155', 'S'.repeat(90), 'ascii')).toBe(`0155 ${'S'.repeat(35)}`);
  expect(billingAddress(undefined, undefined, 'ascii')).toBeUndefined();
  expect(billingAddress('0155', 'Øvre Slottsgate 1', 'ascii')).toBe('0155 Ovre Slottsgate 1');
  expect(captureSequence(2, 2)).toBe('0202');
  expect(captureSequence(120, undefined)).toBe('9900');
  expect(netAmount(-50)).toBe('C0000000000000050');
  expect(pointOfService({ entry: 'Phone', isStored: false, isAuthenticated: false })).toBe('100030100110');
});

test('each currency has a number', () => {
  for (const [code, number] of [
    ['SEK', '752'],
    ['DKK', '208'],
    ['EUR', '978'],
    ['USD', '840'],
    ['GBP', '826'],
    ['ISK', '352'],
  ]) {
    expect(currencyNumber(code as Currency)).toBe(number);
  }
});

test.each([
  ['ascii', 'Ases Kafe\\Ovre gate 1\\Tromso\\9008         NOR'],
  ['latin1', 'Åses Kafé\\Øvre gate 1\\Tromsø\\9008         NOR'],
] as const)('a name and its place are spelled in %s', (characters, place) => {
  const merchant = { name: 'Åses Kafé', street: 'Øvre gate 1', city: 'Tromsø', postalCode: '9008', country: 'NOR' };
  expect(merchantPlace(merchant, characters)).toBe(place);
});

test('a name is cut as it is spelled, and no part of it looks like a separator', () => {
  const merchant = { name: `${'Æ'.repeat(22)}`, street: 'S＼1', city: 'C', postalCode: '1', country: 'NOR' };
  expect(merchantPlace(merchant, 'ascii').split('\\').slice(0, 2)).toEqual(['AE'.repeat(11), 'S/1']);
});

import { describe, expect, test } from 'vitest';
import { NOT_SHOWN } from '../../iso8583/traced.rules.ts';
import { authenticationRequest } from './requests.rules.ts';
import { tracedThreeDS } from './traced-messages.rules.ts';

const NUMBER = '4925000000000004';
const VALUE = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
const ID = '11111111-1111-4111-8111-111111111111';

const traced = (message: Readonly<Record<string, unknown>> | undefined, isOurs = false) =>
  tracedThreeDS({ scheme: 'Visa', site: 'ds:1', isOurs, message });
const shown = (name: string, value: unknown, isOurs = false) =>
  traced({ messageType: 'ARes', [name]: value }, isOurs).fields.find(([, known]) => known === name)?.[2];

/** All members that are shown or named, as an error may name them. */
const ASKED = authenticationRequest({
  operator: { serverReferenceNumber: 'REF', operatorId: 'OP', resultsUrl: 'https://pay.example/3ds/results' },
  merchant: { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' },
  agreement: {
    mcc: '5732',
    merchant: { name: 'Åses Kafé', street: 'S', city: 'Oslo', postalCode: '0155', country: 'NOR' },
  },
  serverTransactionId: ID,
  card: { number: { reveal: () => NUMBER } as never, expiryDate: '12/39', holderName: 'Olivia Nyhuus' },
  purchase: { amount: 1500 as never, currency: 'NOK' as never, at: '2026-11-28T12:00:00Z' },
  series: { until: '2039-12-31', everyDays: 30 },
  methodCompleted: 'U',
  isChallengeWanted: true,
  notificationUrl: 'https://pay.example/3ds/challenge',
  requestorUrl: 'https://pay.example',
  browser: {
    acceptHeader: 'text/html',
    userAgent: 'Browser of Olivia',
    address: '192.0.2.7',
    language: 'nb-NO',
    scripted: { isJavaEnabled: false, colorDepth: 24, screenHeight: 1111, screenWidth: 2222, timeZone: -60 },
  },
  contact: { email: 'olivia@example.com', msisdn: '+4798765432' },
  billing: { street: 'Storgata 17', careOf: 'c/o Berg', postalCode: '0184', city: 'Bergen', country: 'NO' },
});

test('of a question what tells of the payer is hidden, and of the card the first six and the last four are shown', () => {
  const { fields, type, ...rest } = traced(ASKED, true);
  expect({ type, ...rest }).toEqual({
    type: 'AReq',
    scheme: 'Visa',
    site: 'ds:1',
    isOurs: true,
    serverTransactionId: ID,
    dsTransactionId: null,
  });
  const values = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
  expect(Object.keys(values)).toEqual(Object.keys(ASKED).filter((name) => name !== 'messageType'));
  expect(Object.keys(values).filter((name) => values[name] === NOT_SHOWN)).toEqual([
    ...['cardExpiryDate', 'cardholderName', 'email', 'mobilePhone'],
    ...['billAddrLine1', 'billAddrLine2', 'billAddrCountry', 'billAddrCity', 'billAddrPostCode'],
    ...['browserAcceptHeader', 'browserUserAgent', 'browserIP', 'browserLanguage', 'browserJavascriptEnabled'],
    ...['browserJavaEnabled', 'browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ'],
  ]);
  expect(values).toMatchObject({
    acctNumber: '492500******0004',
    merchantName: 'Åses Kafé',
    threeDSServerURL: 'https://pay.example/3ds/results',
    purchaseAmount: '1500',
    recurringExpiry: '20391231',
  });
});

test.each(['authenticationValue', 'cardholderInfo', 'acsURL', 'messageExtension', 'errorDescription', 'acctID'])(
  'that %s was there is all that is shown of it',
  (name) => {
    expect([shown(name, VALUE), shown(name, [VALUE]), shown(name, '')]).toEqual([NOT_SHOWN, NOT_SHOWN, NOT_SHOWN]);
  },
);

describe('a directory server that writes what it likes where it likes', () => {
  const NAMES = [
    ...Object.keys(ASKED),
    ...['dsTransID', 'acsTransID', 'acsReferenceNumber', 'dsReferenceNumber', 'acsOperatorID', 'eci', 'transStatus'],
    ...['transStatusReason', 'serialNum', 'errorCode', 'errorDetail', 'resultsStatus', 'interactionCounter'],
    ...['cardRangeData', 'challengeCancel', 'dsEndProtocolVersion', 'errorMessageType'],
  ].filter((name) => name !== 'messageType');

  test.each(NAMES)('shows no card number, proof or half character in %s', (name) => {
    const numbers = [NUMBER, '4925 0000 0000 0004', '4925-0000-0000-0004', `x${NUMBER}`, Number(NUMBER), [NUMBER]];
    for (const number of numbers) {
      const masked = name === 'acctNumber' ? '492500******0004' : '';
      expect((shown(name, number) ?? '').replace(masked, '').replace(/\D/g, '')).not.toContain('49250000');
    }
    // A text of the payee's own may look like anything: what comes back as one is no proof of ours.
    const isText = ['merchantName', 'acquirerMerchantID', 'threeDSRequestorID', 'threeDSRequestorName'].includes(name);
    if (!isText) expect(shown(name, VALUE)).toBe(NOT_SHOWN);
    for (const odd of ['\ud800', 'a\u0000b']) expect(shown(name, odd)).toBe(NOT_SHOWN);
  });

  test('has members that are in no list counted, and their names hidden', () => {
    const message = { messageType: 'ARes', [NUMBER]: 'x', [VALUE]: 'y', __proto__: 1, transStatus: 'Y' };
    expect(traced(message).fields).toEqual([
      [0, 'transStatus', 'Y'],
      [0, '(others)', '2'],
    ]);
    expect(traced(JSON.parse('{"__proto__": "x", "constructor": "y"}')).fields).toEqual([[0, '(others)', '2']]);
  });

  test('has what is no message called so', () => {
    for (const message of [undefined, { messageType: NUMBER }, { messageType: ['AReq'] }]) {
      expect(traced(message)).toMatchObject({ type: 'other', fields: [], serverTransactionId: null });
    }
  });
});

test('cards are told by how many ranges they are', () => {
  const ranges = [{ startRange: NUMBER, endRange: NUMBER }, {}];
  const { fields } = traced({ messageType: 'PRes', serialNum: '17', cardRangeData: ranges });
  expect(fields).toEqual([
    [0, 'serialNum', '17'],
    [0, 'cardRangeData', '2 ranges'],
  ]);
});

test.each([
  ['acctNumber', 'acctNumber'],
  ['eci,authenticationValue', 'eci,authenticationValue'],
  ['threeDSServerTransID; dsTransID', 'threeDSServerTransID; dsTransID'],
  ['system', 'system'],
  ['cardholderName: Olivia Nyhuus', NOT_SHOWN],
  [`acctNumber ${NUMBER}`, NOT_SHOWN],
  [VALUE, NOT_SHOWN],
])('what an error is about is shown where it names members: %s', (detail, expected) => {
  expect(traced({ messageType: 'Erro', errorDetail: detail }).fields).toEqual([[0, 'errorDetail', expected]]);
});

test('ids are found in small letters, and where they look like ids alone', () => {
  const ids = { threeDSServerTransID: ID.toUpperCase().replace('1', 'A'), dsTransID: 'none' };
  expect(traced({ messageType: 'RReq', ...ids })).toMatchObject({
    serverTransactionId: ID.replace('1', 'a'),
    dsTransactionId: null,
  });
});

import { describe, expect, test } from 'vitest';
import { type AmountMinor, type Currency, parseCurrency } from '../../kit/money.ts';
import { Secret } from '../../kit/secret.ts';
import { errorMessage, parseMessage } from './message-form.rules.ts';
import { readAuthenticationAnswer, readPreparationAnswer, readResultRequest } from './messages.rules.ts';
import { type AskedAuthentication, authenticationRequest, lastDayOf } from './requests.rules.ts';

const IDS = {
  dsTransID: '11111111-1111-4111-8111-111111111111',
  acsTransID: '22222222-2222-4222-8222-222222222222',
  threeDSServerTransID: '33333333-3333-4333-8333-333333333333',
};
const ARES = {
  messageType: 'ARes',
  messageVersion: '2.2.0',
  ...IDS,
  acsReferenceNumber: 'ACS',
  dsReferenceNumber: 'DS',
  transStatus: 'Y',
  eci: '05',
  authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
};
const CHALLENGE = {
  transStatus: 'C',
  acsURL: 'https://acs.example/c',
  acsChallengeMandated: 'Y',
  authenticationType: '02',
};
const RREQ = {
  messageType: 'RReq',
  messageVersion: '2.2.0',
  ...IDS,
  messageCategory: '01',
  transStatus: 'Y',
  interactionCounter: '01',
  authenticationType: '02',
  eci: '05',
  authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
};
const RANGE = {
  startRange: '4761730000000000',
  endRange: '4761739999999999',
  actionInd: 'A',
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  threeDSMethodURL: 'https://acs.example/m',
};
const PRES = {
  messageType: 'PRes',
  messageVersion: '2.2.0',
  dsStartProtocolVersion: '2.1.0',
  dsEndProtocolVersion: '2.2.0',
  dsTransID: IDS.dsTransID,
  threeDSServerTransID: IDS.threeDSServerTransID,
  serialNum: '7',
  cardRangeData: [RANGE],
};

const faultOf = (read: (text: string) => object, message: object): unknown =>
  (read(JSON.stringify(message)) as { fault?: unknown }).fault;

describe('an ARes', () => {
  test('is read', () => {
    const { message } = readAuthenticationAnswer(JSON.stringify(ARES)) as { message: { transStatus: string } };
    expect(message).toMatchObject({ transStatus: 'Y', eci: '05', serverTransactionId: IDS.threeDSServerTransID });
    expect(JSON.stringify(message)).not.toContain('AAECAw');
  });

  test("masks a card number in a bank's text, which is stored and shown", () => {
    const cardholderInfo = 'Call us about the card 4761 7301 0000 0010';
    const { message } = readAuthenticationAnswer(JSON.stringify({ ...ARES, cardholderInfo })) as { message: object };
    expect(message).toMatchObject({ cardholderInfo: 'Call us about the card **** **** **** 0010' });
  });

  test.each([
    ['another message', { messageType: 'CRes' }, '101', 'messageType'],
    ['no type', { messageType: undefined }, '101', 'messageType'],
    ['another version', { messageVersion: '2.1.0' }, '102', 'messageVersion'],
    ['no version', { messageVersion: undefined }, '201', 'messageVersion'],
    ['a member that is missing', { dsTransID: undefined }, '201', 'dsTransID'],
    ['a member that is empty', { transStatus: '' }, '201', 'transStatus'],
    ['a status that there is not', { transStatus: 'X' }, '203', 'transStatus'],
    ['an id that is none', { acsTransID: 'x'.repeat(36) }, '203', 'acsTransID'],
    ['a value of another length', { authenticationValue: 'AAEC' }, '203', 'authenticationValue'],
    ['a challenge without its address', { ...CHALLENGE, acsURL: undefined }, '201', 'acsURL'],
    ['a challenge at a script', { ...CHALLENGE, acsURL: 'javascript:alert(1)//https://x' }, '203', 'acsURL'],
    ['a challenge in the clear', { ...CHALLENGE, acsURL: 'http://acs.example/c' }, '203', 'acsURL'],
    [
      'an extension that must be understood',
      { messageExtension: [{ criticalIndicator: true }] },
      '202',
      'messageExtension',
    ],
    ['extensions that are no list', { messageExtension: {} }, '203', 'messageExtension'],
  ])('with %s is refused', (_what, members, code, detail) => {
    expect(faultOf(readAuthenticationAnswer, { ...ARES, ...members })).toEqual({ code, detail });
  });

  test.each([
    ['no JSON', '{', '203'],
    ['a list', '[]', '203'],
    ['a member twice', JSON.stringify(ARES).replace('{', '{"eci":"06",'), '204'],
    ['a member twice, written otherwise', JSON.stringify(ARES).replace('{', '{"\\u0065ci":"06",'), '204'],
  ])('that is %s is refused', (_what, text, code) => {
    expect((readAuthenticationAnswer(text) as { fault: { code: string } }).fault.code).toBe(code);
  });

  test('may have members and extensions that we do not know', () => {
    const strange = {
      acsOperatorID: 'x',
      messageExtension: [{ criticalIndicator: false, data: { eci: [{ eci: 1 }] } }],
    };
    expect(faultOf(readAuthenticationAnswer, { ...ARES, ...strange })).toBeUndefined();
  });
});

describe('an RReq', () => {
  test('is read', () => {
    expect(faultOf(readResultRequest, RREQ)).toBeUndefined();
  });

  test.each(['C', 'D', 'I'])('cannot say %s', (transStatus) => {
    expect(faultOf(readResultRequest, { ...RREQ, transStatus })).toEqual({ code: '203', detail: 'transStatus' });
  });

  test('names all that is missing', () => {
    const bare = { messageType: 'RReq', messageVersion: '2.2.0' };
    expect(faultOf(readResultRequest, bare)).toMatchObject({ code: '201' });
  });
});

describe('a PRes', () => {
  test('tells the cards of issuers that speak our version', () => {
    const other = {
      ...RANGE,
      startRange: '5226610000000000',
      endRange: '5226619999999999',
      acsEndProtocolVersion: '2.1.0',
    };
    const read = readPreparationAnswer(JSON.stringify({ ...PRES, cardRangeData: [RANGE, other] }));
    if (read.fault !== undefined) throw new Error('it is refused');
    expect(read.message).toMatchObject({ serialNumber: '7', leftOut: 0 });
    // One that ends to speak it takes part no more.
    expect(read.message.ranges.map(({ action }) => action)).toEqual(['A', 'D']);
  });

  test.each([
    ['an end before its start', { endRange: '4761720000000000' }],
    ['ends of other lengths', { endRange: '47617399999999999' }],
    ['letters', { startRange: '47617300000000xx' }],
    ['an action that there is not', { actionInd: 'X' }],
    ['nothing', null],
  ])('with a range of %s leaves that out, and is refused where it has no other', (_what, members) => {
    const bad = members === null ? null : { ...RANGE, ...members };
    const read = (...cardRangeData: unknown[]) => readPreparationAnswer(JSON.stringify({ ...PRES, cardRangeData }));
    expect(read(RANGE, bad)).toMatchObject({ message: { leftOut: 1, ranges: [{ startRange: RANGE.startRange }] } });
    expect(read(bad)).toEqual({ fault: { code: '203', detail: 'cardRangeData' } });
  });

  test.each(['javascript:1', 'http://acs.example/m', 5])('with a method at %s has none', (threeDSMethodURL) => {
    const read = readPreparationAnswer(JSON.stringify({ ...PRES, cardRangeData: [{ ...RANGE, threeDSMethodURL }] }));
    expect(read).toMatchObject({ message: { leftOut: 0, ranges: [{ action: 'A', methodUrl: undefined }] } });
  });
});

test('an error repeats no value of what it answers, but for ids and a type of their form', () => {
  const text = JSON.stringify({ ...ARES, acctNumber: '4761739001010416', messageType: '4761' });
  const error = JSON.stringify(errorMessage({ code: '101', detail: 'messageType' }, parseMessage(text)));
  expect(error).not.toContain('4761');
  expect(JSON.parse(error)).toMatchObject({ errorComponent: 'S', messageType: 'Erro', ...IDS });
});

const ASKED: AskedAuthentication = {
  operator: { serverReferenceNumber: 'REF', operatorId: 'OP', resultsUrl: 'https://pay.example/r' },
  merchant: { acquirerBin: '476173', merchantId: 'M', requestorId: 'R', requestorName: 'Demo' },
  agreement: {
    mcc: '5732',
    merchant: { name: 'Demo AS', street: 'S', city: 'Oslo', postalCode: '0155', country: 'NOR' },
  },
  serverTransactionId: IDS.threeDSServerTransID,
  card: { number: new Secret('4761739001010416'), expiryDate: '12/39', holderName: ' A ' },
  purchase: {
    amount: 12500 as AmountMinor,
    currency: parseCurrency('NOK') as Currency,
    at: '2026-03-09T10:15:28.123Z',
  },
  series: undefined,
  methodCompleted: 'Y',
  isChallengeWanted: false,
  notificationUrl: 'https://pay.example/n',
  requestorUrl: 'https://pay.example',
  browser: {
    acceptHeader: 'text/html',
    userAgent: 'Mozilla',
    address: '192.0.2.1',
    language: 'nb-NO',
    scripted: { isJavaEnabled: false, colorDepth: 30, screenHeight: 900, screenWidth: 1440, timeZone: -60 },
  },
  contact: { email: 'a@example.com', msisdn: '+4790000000' },
  billing: {},
};

describe('an AReq', () => {
  test('says what is paid, with which card, in which browser', () => {
    expect(authenticationRequest(ASKED)).toMatchObject({
      messageCategory: '01',
      cardExpiryDate: '3912',
      merchantCountryCode: '578',
      purchaseAmount: '12500',
      purchaseCurrency: '578',
      purchaseExponent: '2',
      purchaseDate: '20260309101528',
      threeDSRequestorAuthenticationInd: '01',
      threeDSRequestorChallengeInd: '01',
      browserColorDepth: '24',
      browserTZ: '-60',
      browserJavascriptEnabled: true,
      mobilePhone: { cc: '47', subscriber: '90000000' },
    });
    // A name of one letter is none.
    expect(authenticationRequest(ASKED)).not.toHaveProperty('cardholderName');
  });

  test.each([
    ['Åse Øverås', 'Ase Overas'],
    [`${'Æ'.repeat(22)}xyz`, `${'AE'.repeat(22)}x`],
    ['王小明', undefined],
    ['王 Ming', 'Ming'],
  ])('spells the name %s in the characters of EMV', (holderName, cardholderName) => {
    const message = authenticationRequest({ ...ASKED, card: { ...ASKED.card, holderName } });
    expect(message['cardholderName']).toBe(cardholderName);
  });

  test('cuts texts between characters', () => {
    const long = '\u{1F600}'.repeat(60);
    const message = authenticationRequest({ ...ASKED, billing: { street: `x${long}`, city: long } });
    expect(message).toMatchObject({
      billAddrLine1: `x${'\u{1F600}'.repeat(49)}`,
      billAddrCity: '\u{1F600}'.repeat(50),
    });
  });

  test('of a verification says no amount, and of a series when it ends', () => {
    const verification = authenticationRequest({ ...ASKED, purchase: undefined });
    expect(verification).toMatchObject({ messageCategory: '02', threeDSRequestorAuthenticationInd: '04' });
    expect(verification).not.toHaveProperty('purchaseAmount');
    const series = { until: lastDayOf('02/28'), everyDays: 1 };
    expect(authenticationRequest({ ...ASKED, series, isChallengeWanted: true })).toMatchObject({
      threeDSRequestorAuthenticationInd: '02',
      threeDSRequestorChallengeInd: '04',
      recurringExpiry: '20280229',
      recurringFrequency: '1',
    });
  });

  test('without a script says nothing that only a script knows', () => {
    const { browser } = ASKED;
    const message = authenticationRequest({ ...ASKED, browser: { ...browser, scripted: undefined } });
    expect(message).toMatchObject({ browserJavascriptEnabled: false });
    expect(Object.keys(message).filter((name) => /Screen|Depth|TZ|JavaEnabled/.test(name))).toEqual([]);
  });
});

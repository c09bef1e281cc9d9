import { describe, expect, test } from 'vitest';
import { describeRoutes } from '../../wiring/describe-api.ts';
import { HIDDEN, maskedAddress, maskedBody, maskedHeaders } from './masking.rules.ts';
import { HIDDEN_MEMBERS, SHOWN_MEMBERS } from './member-names.rules.ts';

const nothing = (text: string) => text;
const ID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const noDigits = (text: string) => text.replace(/\d{13,}/g, (digits) => '*'.repeat(digits.length));

describe('a body', () => {
  test('shows money, states and references, and hides what is a secret or tells who a payer is', () => {
    const body = {
      amount: 100,
      currency: 'NOK',
      paymentTransactionRef: 'ref-1',
      repeat: false,
      accountIdentifier: {
        accountKey: '9578100000000001',
        cvc: '123',
        expiryDate: '12/39',
        track2: 'x',
        accountId: 'a',
      },
      payerReference: 'anna',
      cardholder: { email: 'anna@example.com', name: 'Anna' },
      secret: 's',
      token: 't',
      products: [{ productId: 'p', amount: 1 }],
    };
    expect(maskedBody(body, nothing)).toEqual({
      amount: 100,
      currency: 'NOK',
      paymentTransactionRef: 'ref-1',
      repeat: false,
      accountIdentifier: { accountKey: HIDDEN, cvc: HIDDEN, expiryDate: HIDDEN, track2: HIDDEN, accountId: 'a' },
      payerReference: HIDDEN,
      cardholder: { email: HIDDEN, name: HIDDEN },
      secret: HIDDEN,
      token: HIDDEN,
      products: [{ productId: 'p', amount: 1 }],
    });
  });

  test('shows which member a problem names, and no other name', () => {
    expect(maskedBody({ problems: [{ name: 'amount', description: 'is missing' }] }, nothing)).toEqual({
      problems: [{ name: 'amount', description: 'is missing' }],
    });
  });

  test('hides what nobody knows, wherever it is', () => {
    expect(maskedBody('text', nothing)).toBe(HIDDEN);
    expect(maskedBody([1, 'a', null], nothing)).toEqual([HIDDEN, HIDDEN, null]);
    expect(maskedBody({ metadata: { shoeSize: 42 } }, nothing)).toEqual({ metadata: { [HIDDEN]: HIDDEN } });
  });

  test('masks card numbers in what is shown, as text, as number and as name', () => {
    const body = { description: 'card 4925000000000004', amount: 4_925_000_000_000_004, '4925000000000004': 1 };
    expect(JSON.stringify(maskedBody(body, noDigits))).not.toMatch(/\d{13}/);
  });

  test('ends where a body has too many parts', () => {
    const masked = maskedBody({ products: Array.from({ length: 5000 }, () => ({ amount: 1 })) }, nothing);
    expect(JSON.stringify(masked)).toContain(HIDDEN);
    expect((masked as { products: unknown[] }).products.filter((part) => part !== HIDDEN).length).toBeLessThan(300);
  });
});

test('no member is shown that holds card data, a credential, or who a payer is', () => {
  const never = [
    'accountKey',
    'cvc',
    'securityCode',
    'encryptedPin',
    'track2',
    'expiryDate',
    'cardNumber',
    'cardExpiryMonth',
    'cardExpiryYear',
    'cardVerificationCode',
    'cardholderName',
    'token',
    'paymentToken',
    'recurrenceToken',
    'unscheduledToken',
    'transactionOnFileToken',
    'secret',
    'accessToken',
    'password',
    'code',
    'id',
    'href',
    'url',
    'payerReference',
    'email',
    'msisdn',
    'zipCode',
    'firstName',
    'lastName',
    'userAgent',
    'body',
    'maskedPan',
    'bin',
  ];
  expect(never.filter((name) => SHOWN_MEMBERS.has(name))).toEqual([]);
});

test('an address shows ids of payments, and hides tokens, payers and what nobody knows', () => {
  const route = '/online/payer/payees/:payeeId/tokens/:tokenId';
  const address = {
    route,
    params: { payeeId: ID, tokenId: ID },
    query: { $expand: 'prices', limit: 'a secret', key: 'secret' },
  };
  expect(maskedAddress(address)).toBe(`/online/payer/payees/${ID}/tokens/***?$expand=prices&limit=***&***=***`);
});

test('each member that the API declares is on one of the two lists, and on none of them twice', () => {
  const declared = new Set(
    describeRoutes().apiRoutes.flatMap(({ shape }) => [...namesIn(shape.body), ...namesIn(shape.answer)]),
  );
  const listed = [...SHOWN_MEMBERS, ...HIDDEN_MEMBERS];
  expect([...declared].filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
});

/** The names of all members that a schema declares, at every depth. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { readonly properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}

test('of the headers those are shown that say how, and not by whom', () => {
  const headers = {
    authorization: 'Bearer x',
    hmac: 'y',
    accept: 'application/json; version=3.1',
    'content-type': 'a secret',
  };
  expect(maskedHeaders(headers)).toEqual({ accept: 'application/json; version=3.1', 'content-type': HIDDEN });
});

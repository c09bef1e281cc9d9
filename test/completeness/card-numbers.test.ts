import { describe, expect, test } from 'vitest';
import { CardLineBody } from '../../src/gift-cards/bulk/import.wire.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import { ImportLineBody } from '../../src/tokens/import/import.wire.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { testCardNumber } from '../support/numbers.ts';
import { DISGUISES } from '../support/prober/disguises.ts';
import { textsOf, textsOfRoutes } from '../support/prober/texts.ts';

/** What may hold a card number, by the last name on the way to it, and why. */
const UNSCANNED: Readonly<Record<string, string>> = {
  accountKey: 'a card number',
  cardNumber: 'a card number',
  pan: 'a card number',
  track2: 'a card number',
  encryptedPin: 'never stored',
  authenticationValue: 'never stored',
  dsTransactionId: 'never stored',
  password: 'a secret',
  newPassword: 'a secret',
  code: 'a secret',
  invitation: 'a secret',
  msisdn: 'sealed',
  'ImportLineBody.accountId': 'sealed',
  'checkHmac.body.body': 'not stored, and answered masked',
  'checkHmac.body.path': 'not stored, and answered masked',
  cursor: 'our own text',
};

/** Descriptions of webhooks, and the text of a ping. */
const ABOUT_NO_PAYMENT = /webhook|ping/i;

const { apiRoutes, portalRoutes } = describeRoutes();
const checkerOf = schemaChecker(() => []);
const VISA = testCardNumber(4);

const members = [
  ...textsOfRoutes([...apiRoutes, ...portalRoutes]),
  ...textsOf(ImportLineBody, 'ImportLineBody'),
  ...textsOf(CardLineBody, 'CardLineBody'),
]
  .filter(({ rules }) => rules.enum === undefined && rules.const === undefined)
  .map(({ name, schema, rules: { unscanned } }) => ({ name, schema, unscanned }));

describe('a card number', () => {
  test('may be in the members that are listed here, and in no other', () => {
    const reasonOf = ({ name }: { readonly name: string }) =>
      UNSCANNED[name] ?? UNSCANNED[name.split('.').at(-1) ?? ''];
    const wrong = members.filter((member) => member.unscanned !== undefined && member.unscanned !== reasonOf(member));
    expect(wrong.map(({ name, unscanned }) => `${name}: ${unscanned}`)).toEqual([]);
    expect(members.length).toBeGreaterThan(300);
  });

  test('is refused in every other text of every route and import file, however it is disguised', () => {
    const taken = members
      .filter(({ unscanned }) => unscanned === undefined)
      .flatMap(({ name, schema }) => {
        const check = checkerOf(schema);
        const found = Object.entries(DISGUISES).filter(([, disguise]) => check(disguise(VISA)).length === 0);
        return found.map(([disguise]) => `${name}: ${disguise}`);
      });
    expect(taken).toEqual([]);
  });
});

test("a card's code is refused in every text in which people write about a payment", () => {
  const remarks = members.filter(({ name }) => {
    const member = name.split('.').at(-1) ?? '';
    return ['description', 'discountDescription', 'additionalData'].includes(member) && !ABOUT_NO_PAYMENT.test(name);
  });
  const taken = remarks.filter(({ schema }) => checkerOf(schema)('CVC: 123').length === 0);
  expect(taken.map(({ name }) => name)).toEqual([]);
  expect(remarks.length).toBeGreaterThan(15);
});

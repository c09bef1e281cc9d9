import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { CardLineBody } from '../../src/gift-cards/bulk/import.wire.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import { ImportLineBody } from '../../src/tokens/import/import.wire.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { testCardNumber } from '../support/numbers.ts';
import { DISGUISES } from '../support/prober/disguises.ts';

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

interface Member {
  readonly name: string;
  readonly schema: TSchema;
  readonly unscanned: string | undefined;
}

const { apiRoutes, portalRoutes } = describeRoutes();
const checkerOf = schemaChecker(() => []);
const VISA = testCardNumber(4);

const members = [
  ...[...apiRoutes, ...portalRoutes].flatMap(({ operationId, shape }) => [
    ...textsOf(shape.params, `${operationId}.params`),
    ...textsOf(shape.query, `${operationId}.query`),
    ...(shape.body === undefined ? [] : textsOf(shape.body, `${operationId}.body`)),
  ]),
  ...textsOf(ImportLineBody, 'ImportLineBody'),
  ...textsOf(CardLineBody, 'CardLineBody'),
];

/** Every text of a schema, at every depth, and the names that a caller may choose. */
function textsOf(schema: TSchema, name: string): Member[] {
  const { properties = {}, patternProperties = {}, additionalProperties, items, anyOf = [] } = schema as Rules;
  const { type, idLike, scalar, enum: words, const: word, unscanned } = schema as Rules;
  const isText = [type].flat().includes('string') || idLike !== undefined || scalar !== undefined;
  const isObject = typeof additionalProperties === 'object';
  return [
    ...(isText && words === undefined && word === undefined ? [{ name, schema, unscanned }] : []),
    ...Object.entries(properties).flatMap(([member, rules]) => textsOf(rules, `${name}.${member}`)),
    ...Object.entries(patternProperties).flatMap(([, rules]) => textsOf(rules, `${name}.*`)),
    ...(isObject ? textsOf(additionalProperties, `${name}.*`) : []),
    ...(items === undefined ? [] : textsOf(items, `${name}[]`)),
    ...anyOf.flatMap((rules) => textsOf(rules, name)),
  ];
}

interface Rules {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: TSchema | boolean;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly idLike?: string;
  readonly scalar?: number;
  readonly unscanned?: string;
}

describe('a card number', () => {
  test('may be in the members that are listed here, and in no other', () => {
    const reasonOf = ({ name }: Member) => UNSCANNED[name] ?? UNSCANNED[name.split('.').at(-1) ?? ''];
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

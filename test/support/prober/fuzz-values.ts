import fc, { type Arbitrary } from 'fast-check';
import { testCardNumber } from '../numbers.ts';
import type { Schema } from './operations.ts';

// What requests are filled with: values that a schema allows, and values that should perhaps have been refused.

/** Stands in texts that may have to be refused; no refusal may repeat it. It looks like no number, and like no name. */
export const FUZZ_MARKER = 'ekko-lodd';

/** Where the fuzzer's own receiver listens is known when a request is made; until then this stands for it. */
export const RECEIVER = 'receiver.invalid';

/** Card numbers that are sent: none may be in the log. */
export const FUZZ_CARDS: readonly string[] = Array.from({ length: 16 }, (_, index) => testCardNumber(70_000 + index));

/** Payers who have tokens: so many that some have not been deleted. */
export const PAYERS: readonly string[] = [...'abcdefghijkl'].map((letter) => `payer-${letter}`);

/** Characters between which texts are put: controls, half of a pair, directions, a mark, and some that grow when folded. */
const STRANGE = [...'\0\u0001\n\t\u007f\u0085\u200b\u202e\ufeff\uffffﷺİ😀', '\r\n', '\ud800'];

/** What stands between blanks. */
export const words = (text: string) => text.trim().split(/\s+/);

const hostileParts = [
  ...STRANGE.map((one) => `${FUZZ_MARKER}${one}${FUZZ_MARKER}`),
  ...STRANGE,
  ...['', ' ', "' or 1=1 --", '"; drop table payment; --'],
  ...words(
    '. .. / // \\ % %00 %2e%2e%2f %c0%af %zz * ? # & + " \' ` #{7*7} {{7*7}} <script>alert(1)</script> ../../etc/passwd',
  ),
  ...words('__proto__ constructor toString hasOwnProperty null undefined NaN true {} [] $expand latest callbacks'),
  ...words('-1 -0 0 1e309 1e-7 9007199254740993 999999999999999999999 0x10 1_000 ١٢٣ 1,5 1.0 0/39 13/39 12/00'),
  ...words('2026-02-30T00:00:00Z 0000-01-01T00:00:00Z 9999-12-31T23:59:60Z +275760-09-13T00:00:00Z 2026-W01-1'),
  ...words(
    '00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF a@b nok XXX XTS en */* text/html',
  ),
  ...[`${FUZZ_MARKER}@example.com`, 'application/json;q=0'],
];

/** Lengths about which limits lie. */
const LENGTHS = [31, 40, 41, 64, 65, 100, 101, 128, 129, 255, 256, 512, 1024, 2001, 4097, 20_000, 20_000, 66_000];

/** Hostile texts. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileParts), weight: 6 },
  { arbitrary: fc.constantFrom(...FUZZ_CARDS).chain(disguised), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => FUZZ_MARKER + text), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('x', '1', ' ', 'é', '1-', 'a.', '\\', '"', '%41'), fc.constantFrom(...LENGTHS))
      .map(repeated),
    weight: 2,
  },
);

function disguised(number: string): Arbitrary<string> {
  return fc.constantFrom(
    number,
    number.replace(/.{4}/g, '$& '),
    `${FUZZ_MARKER} ${number}`,
    number.replace(/.{4}/g, '$&-'),
  );
}

function repeated([part, length]: readonly [string, number]): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

const NUMBERS = [0, -0, -1, 1, 1.5, 1e-7, 1e21, 2 ** 31, 2 ** 53, -(2 ** 53), 999_999_999_999, 1_000_000_000_000];
const SHAPES = [[], {}, [[]], [null], [{}], { [FUZZ_MARKER]: FUZZ_MARKER }, { length: 1 }, nested(6), nested(9)];
const LARGE = [Array(60).fill(1), Array(300).fill(FUZZ_MARKER), manyMembers(60), manyMembers(210)];

/** Values of any JSON type, at the edges of what is a number, and deeper than programs read. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 6 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, ...NUMBERS, ...SHAPES, ...LARGE), weight: 4 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
);

function nested(levels: number): unknown {
  return levels === 0 ? FUZZ_MARKER : { a: [nested(levels - 1)] };
}

function manyMembers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${FUZZ_MARKER}-${index}`, index]));
}

const SCHEMES = words('http: https: HTTP: HTTPS: hTTpS: Http: ftp: javascript: data: file:');
const HOSTS = [
  ...Array<string>(4).fill(RECEIVER),
  ...words('localhost shop.example SHOP.EXAMPLE shop.example. xn--bcher-kva.example bücher.example a..example'),
  ...words(
    '[::1]:9 [::ffff:127.0.0.1]:9 0x7f.1:9 127.1:9 2130706433:9 10.0.0.1 169.254.169.254 0.0.0.0:9 [fe80::1%25lo]',
  ),
  ...words('user@shop.example user:pass@shop.example shop.example:0 shop.example:65536'),
  '',
];
const PATHS = [
  ...words('/ok /ok /broken /silent /redirect /huge /garbage /cut /slow / /% /%00 /.. /é /?q=1#part ? #'),
  ...['', '/a b', '/ok\t', ' /ok', `/${'x'.repeat(2100)}`],
];

/**
 * Addresses as people write them and as they do not. They lead to our own receiver, to names that are reserved
 * (RFC 2606) or to networks for documentation: a fuzzer calls no stranger.
 */
export const oddAddress: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...SCHEMES, ''),
    fc.constantFrom('//', '//', '//', '//', '/', '\\\\', ''),
    fc.constantFrom(...HOSTS),
    fc.constantFrom(...PATHS),
  )
  .map((parts) => parts.join(''));

/** Addresses that are mostly right. */
const address: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    `http://${RECEIVER}/ok`,
    'https://shop.example/done',
    `https://${RECEIVER}/ok`,
    'HTTPS://shop.example/hook',
  ),
  oddAddress,
);

const NAMES_ADDRESS = /url(s)?$/i;

const instants = [
  '2026-01-01T00:00:00Z',
  '2026-06-30T12:00:00.123+02:00',
  '1999-12-31T23:59:59Z',
  '2031-01-01T00:00:00-01:00',
];
const durations = ['24h', '7d', '1h', '90d', '12m', '13m', '0h', '9999d'];

/** What members are called that a schema calls just a text. */
const BY_NAME: Readonly<Record<string, Arbitrary<string>>> = {
  ...Object.fromEntries(
    ['from', 'to', 'asOf', 'transmissionTime', 'Transmission-Time'].map((name) => [name, fc.constantFrom(...instants)]),
  ),
  ...Object.fromEntries(['overlap', 'expiresIn'].map((name) => [name, fc.constantFrom(...durations)])),
  limit: fc.constantFrom('1', '2', '50', '100', '1000', '0', '101'),
  currency: fc.constantFrom('NOK', 'NOK', 'NOK', 'SEK', 'EUR', 'JPY', 'XXX'),
  type: fc.constantFrom('CreditCard', 'CreditCard', 'Visa', 'MasterCard'),
  $expand: fc.constantFrom('transactions', 'prices,urls', 'operations', 'paid', 'nothing', ''),
  Forwarded: fc.constantFrom('for=192.0.2.1', 'for="[2001:db8::1]:4711"'),
  traceparent: fc.constant('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  'Idempotency-Key': fc.stringMatching(/^key-[a-f]{1,2}$/),
};

/** Values that a schema allows, by the member's name where that says more than the schema. */
export function valueFor(schema: Schema, name = ''): Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.properties !== undefined || schema.patternProperties !== undefined) return objectOf(schema);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return fc.constant({});
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, Math.max(schema.minItems ?? 0, 3)),
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.oneof(integerOf(schema), fc.constantFrom(0.5, 1.25, 0.01));
    default:
      return textOf(schema, name);
  }
}

function objectOf({ properties = {}, required = [], patternProperties = {} }: Schema): Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueFor(one, name)]));
  const [first] = Object.values(patternProperties);
  const known = fc.record(members, { requiredKeys: [...required].filter((name) => name in members) });
  if (first === undefined) return known;
  const free = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), valueFor(first), { maxKeys: 4 });
  return fc.tuple(known, free).map(([one, other]) => ({ ...other, ...one }));
}

function integerOf({ minimum = 0, maximum = 999_999_999_999 }: Schema): Arbitrary<number> {
  const edges = [minimum, minimum + 1, maximum].filter((value) => value <= maximum);
  return fc.oneof(
    { arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 2000) }), weight: 4 },
    { arbitrary: fc.constantFrom(...edges), weight: 1 },
  );
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema, name: string): Arbitrary<string> {
  if (name in BY_NAME) return BY_NAME[name] ?? fc.constant('');
  if (NAMES_ADDRESS.test(name)) return address;
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return address;
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,12}@[a-z]{1,8}[.]example$/);
  if (format === 'date-time')
    return fc.constantFrom('2026-01-01T00:00:00Z', '2026-06-30T12:00:00.123+02:00', '1999-12-31T23:59:59Z');
  // A pattern that forbids control characters only is met by any word.
  if (pattern !== undefined && !pattern.includes('[^')) return fc.stringMatching(new RegExp(pattern, 'u'));
  const longest = Math.max(minLength, Math.min(maxLength, 24));
  return fc.oneof(
    {
      arbitrary: fc.stringMatching(/^[a-zåäö ]{1,24}$/).map((text) => text.slice(0, longest).padEnd(minLength, 'x')),
      weight: 4,
    },
    { arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: longest }), weight: 1 },
  );
}

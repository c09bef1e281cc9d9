import fc, { type Arbitrary } from 'fast-check';
import { FUZZ_MARKER, hostileText, hostileValue, oddAddress, valueFor, words } from './fuzz-values.ts';
import type { Operation } from './operations.ts';

/** Something that is done to a request that is right. Places are counted modulo how many there are. */
export type Fault =
  | { readonly is: 'value'; readonly at: number; readonly value: unknown }
  | { readonly is: 'address'; readonly at: number; readonly value: string }
  | { readonly is: 'missing'; readonly at: number }
  | { readonly is: 'member'; readonly at: number; readonly name: string; readonly value: unknown }
  | { readonly is: 'spelling'; readonly at: number; readonly how: Spelling }
  | { readonly is: 'text'; readonly edit: TextEdit; readonly at: number }
  | { readonly is: 'header'; readonly name: string; readonly value: string }
  | { readonly is: 'query'; readonly at: number; readonly name: string; readonly value: string }
  | { readonly is: 'param'; readonly at: number; readonly value: string }
  | { readonly is: 'address-form'; readonly form: AddressForm }
  | { readonly is: 'method'; readonly method: string };

/** How a client writes what means the same in some places. */
export type Spelling = (typeof SPELLINGS)[number];
export type AddressForm = (typeof ADDRESS_FORMS)[number];

/** What is done to the text of a body. */
export type TextEdit = (typeof EDITS)[number];

/** A request as it is planned: plain data that follows from the seed alone. What it is aimed at is known when it is sent. */
export interface Shot {
  readonly operation: number;
  /** Where set, one of the operations that answers have offered is followed in the place of the operation. */
  readonly followsOffer: boolean;
  /** Chooses among everything that is there to choose from: targets, credentials, references. */
  readonly pick: number;
  /** Which object it is aimed at, counted from the newest; undefined: the one that `pick` chooses. */
  readonly object?: number;
  /** A body that the schema allows; undefined: the one that is known to be taken. */
  readonly body: unknown;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
  /** How often it is sent at once, byte for byte. */
  readonly copies: number;
}

const SPELLINGS = ['other-type', 'near', 'other-case', 'mark-inside'] as const;
const ADDRESS_FORMS = ['slash', 'two-slashes', 'capitals', 'kelvin', 'dots'] as const;

export const EDITS = [
  'cut',
  'twice',
  'bom',
  'duplicate',
  'zero',
  'half-pair',
  'utf-16',
  'latin-1',
  'padded',
  'empty',
] as const;

const HEADERS = words(
  `accept content-type content-encoding forwarded x-forwarded-for traceparent session-id expect idempotency-key host
  transmission-time user-agent origin sec-fetch-site accept-language cookie if-none-match authorization hmac csrf-token
  range x-http-method-override upgrade te`,
);

const METHODS = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY');

const HEADER_VALUES = fc.oneof(
  fc.constantFrom(
    ...words(
      'for=1.2.3.4 for="[::1]:80" for=unknown;by=x text/html,*/*;q=0.1 gzip identity application/xml bytes=0-1 100-continue',
    ),
    ...words(
      'h2c 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 00-0-0-0 nb-NO,sv;q=0.9 Bearer null same-key " DELETE',
    ),
    ...words('cross-site https://evil.example 1970-01-01T00:00:00Z a,b;c=d,,;= application/json;version=9'),
    ...[
      `for=${FUZZ_MARKER}`,
      'application/json; version=2.0',
      'multipart/form-data; boundary=x',
      'Basic eDp5',
      'HmacSHA512 a:b:c',
    ],
  ),
  // What cannot stand in a header at all is sent by the raw sockets.
  hostileText.map((text) =>
    Buffer.from(text)
      .toString('latin1')
      .replace(/[^\t -\xff]/g, '')
      .slice(0, 3000),
  ),
);

const place = fc.nat(63);

const fault: Arbitrary<Fault> = fc.oneof(
  { arbitrary: fc.record({ is: fc.constant('value' as const), at: place, value: hostileValue }), weight: 8 },
  { arbitrary: fc.record({ is: fc.constant('address' as const), at: place, value: oddAddress }), weight: 3 },
  { arbitrary: fc.record({ is: fc.constant('missing' as const), at: place }), weight: 2 },
  {
    arbitrary: fc.record({
      is: fc.constant('spelling' as const),
      at: place,
      how: fc.constantFrom(...SPELLINGS),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ is: fc.constant('address-form' as const), form: fc.constantFrom(...ADDRESS_FORMS) }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ is: fc.constant('member' as const), at: place, name: hostileText, value: hostileValue }),
    weight: 2,
  },
  { arbitrary: fc.record({ is: fc.constant('text' as const), edit: fc.constantFrom(...EDITS), at: place }), weight: 2 },
  {
    arbitrary: fc.record({
      is: fc.constant('header' as const),
      name: fc.constantFrom(...HEADERS),
      value: HEADER_VALUES,
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ is: fc.constant('query' as const), at: place, name: hostileText, value: hostileText }),
    weight: 3,
  },
  { arbitrary: fc.record({ is: fc.constant('param' as const), at: place, value: hostileText }), weight: 2 },
  { arbitrary: fc.record({ is: fc.constant('method' as const), method: fc.constantFrom(...METHODS) }), weight: 1 },
);

/** A third of the requests are right: without them nothing would be there for the others to be aimed at. */
const faults = fc.oneof(
  { arbitrary: fc.constant<Fault[]>([]), weight: 4 },
  { arbitrary: fc.array(fault, { minLength: 1, maxLength: 1 }), weight: 5 },
  { arbitrary: fc.array(fault, { minLength: 2, maxLength: 4 }), weight: 2 },
);

const texts = (schemas: Operation['query']) =>
  fc
    .record(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, valueFor(schema, name)])), {
      requiredKeys: [],
    })
    .map((values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));

/** Operations that reach deep states are tried more often. */
const OFTEN = /^(create|change|authorize|purchase|capture|getNewGiftCard|preDeposit|reverse|testWebhook)/;
/** What is done to webhooks shows when something is delivered to them, and they are few. */
const MOST_OFTEN = /^(create|change)Webhook$/;

/** Plans of requests to these operations. The same seed gives the same plans. */
export function shotsAt(operations: readonly Operation[]): Arbitrary<Shot> {
  return fc.oneof(
    ...operations.map((operation, index) => ({
      weight: MOST_OFTEN.test(operation.id) ? 6 : OFTEN.test(operation.id) ? 3 : 1,
      arbitrary: shotAt(operation, index),
    })),
  );
}

function shotAt(operation: Operation, index: number): Arbitrary<Shot> {
  const { body, query, headers } = operation;
  return fc.record({
    operation: fc.constant(index),
    followsOffer: fc.nat(4).map((value) => value < 2),
    pick: fc.nat(),
    body: body === undefined ? fc.constant(undefined) : fc.oneof(fc.constant(undefined), valueFor(body.schema)),
    query: fc.oneof(fc.constant({}), texts(query)),
    headers: fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, { arbitrary: texts(headers), weight: 1 }),
    faults,
    copies: fc.oneof({ arbitrary: fc.constant(1), weight: 12 }, { arbitrary: fc.constantFrom(2, 3), weight: 1 }),
  });
}

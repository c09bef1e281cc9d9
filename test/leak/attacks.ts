import type { Operation } from '../support/prober/operations.ts';
import { type Bait, spellings } from './bait.ts';
import { type Attack, attackBy, fill, percentEncoded, type Request, type Target } from './requests.ts';

/** Headers that the service reads, that proxies add, and an unknown one; `%` is where the number goes. */
const HEADERS: Readonly<Record<string, string>> = {
  'Session-Id': '%',
  'User-Agent': 'shop/1.0 (%)',
  Forwarded: 'for=%',
  'forwarded ': 'for=192.0.2.1;host=%',
  FORWARDED: 'for="_%"',
  Accept: 'application/json; version=%',
  ACCEPT: '%/json',
  'Content-Type': 'application/json; version=%',
  'content-type': 'text/%',
  Authorization: 'Bearer %',
  authorization: 'Basic %',
  'Idempotency-Key': '%',
  Hmac: 'HmacSHA512 %:%:%',
  'Transmission-Time': '%',
  'Content-Encoding': '%',
  'Content-Length': '%',
  'Transfer-Encoding': '%',
  Expect: '%',
  Cookie: 'card=%',
  Referer: 'https://shop.example/pay?card=%',
  Host: '%.example',
  'X-Request-Id': '%',
};

/** Whether this is `npm run test:fuzz`. */
export const SENDS_ALL = process.env['TEST_LEAK'] === 'all';
/** Each operation gets one header of 24, the next one the next ones: each comes to operations of all kinds. */
const SHARES = SENDS_ALL ? 1 : 24;

/** What is attacked: an operation, or a page. */
export type Attacked = Pick<Operation, 'method' | 'path' | 'params' | 'query' | 'body'>;

/** A card number in every part of every operation's request. */
export function attacksOn(operations: readonly Attacked[], target: Target, bait: Bait): Attack[] {
  let turn = 0;
  return operations.flatMap((operation, index) => {
    const place = (part: string) => `${part} of ${operation.method} ${operation.path}`;
    return [
      ...pathAttacks(operation, target),
      ...queryAttacks(operation, target),
      ...headerAttacks(operation, target).filter((_, header) => header % SHARES === index % SHARES),
      ...bodyAttacks(operation, target),
      ...formAttacks(operation, target),
    ].flatMap(({ name, request }) => {
      const number = bait.number(place(name));
      return spellings(number, turn++, SENDS_ALL).map((spelling) => attackBy(place(name), request(spelling), target));
    });
  });
}

/** A request with a hole in it. */
interface Trap {
  readonly name: string;
  readonly request: (number: string) => Request;
}

function pathAttacks({ method, path, params: names }: Attacked, { params }: Target): Trap[] {
  const at = (change: (number: string) => string) => (number: string) => ({ method, path: change(number) });
  return [
    ...names.flatMap((name): Trap[] => [
      {
        name: `path parameter ${name}`,
        request: at((number) => fill(path, { ...params, [name]: encodeURIComponent(number) })),
      },
      {
        name: `path parameter ${name}, each digit percent-encoded`,
        request: at((number) => fill(path, { ...params, [name]: percentEncoded(number) })),
      },
      {
        name: `path parameter ${name}, badly encoded`,
        request: at((number) => fill(path, { [name]: `%${number}%zz` })),
      },
    ]),
    { name: 'a longer path', request: at((number) => `${fill(path, params)}/${encodeURIComponent(number)}`) },
  ];
}

function queryAttacks({ method, path, query }: Attacked, { params }: Target): Trap[] {
  return [...new Set([...Object.keys(query), 'unknown', '$expand', 'access_token'])].map((name) => ({
    name: `query parameter ${name}`,
    request: (number) => ({ method, path: `${fill(path, params)}?${name}=${encodeURIComponent(number)}` }),
  }));
}

function headerAttacks({ method, path }: Attacked, { params }: Target): Trap[] {
  return Object.entries(HEADERS).map(([header, form]) => ({
    name: `header ${header}`,
    request: (number) => ({
      method,
      path: fill(path, params),
      headers: { [header]: form.replaceAll('%', number) },
    }),
  }));
}

function bodyAttacks({ method, path, body: taken }: Attacked, { params }: Target): Trap[] {
  if (taken === undefined || taken.contentType.includes('form')) return [];
  const { contentType } = taken;
  const trap = (name: string, body: (number: string) => string, type = contentType): Trap => ({
    name: `body: ${name}`,
    request: (number) => ({ method, path: fill(path, params), body: body(number), headers: { 'Content-Type': type } }),
  });
  const good = { state: 'Deleted', updatedBy: 'PAYEE', reason: 'Because', displayName: 'Mine' };
  return [
    ...membersOf(taken).flatMap((member) => [
      trap(`${member} as a string`, (number) => JSON.stringify({ ...good, [member]: number })),
      trap(`${member} as a number`, (number) => `{"${member}":${number}}`),
      trap(`${member} in a list`, (number) => JSON.stringify({ ...good, [member]: [number, { [number]: number }] })),
      trap(`${member} twice`, (number) => `{"${member}":"a","${member}":"${number}"}`),
    ]),
    trap('cut off', (number) => `{"reason":"${number}`),
    trap('not JSON', (number) => `reason=${number}`),
    trap('a fraction', (number) => `{"reason":${number}.5e1}`),
    trap('escapes', (number) => `{"reason":"${number}\\u0000\\ud800"}`),
    trap('the whole', (number) => number),
    trap('deep', (number) => `${'['.repeat(20)}"${number}"${']'.repeat(20)}`),
    trap('too large', (number) => JSON.stringify({ ...good, reason: number.repeat(5_000) })),
    trap('another content type', (number) => `<card>${number}</card>`, 'application/xml'),
    // These two are done: what is unknown is ignored. They come last, because they may delete what the others name.
    trap('name of a member', (number) => JSON.stringify({ ...good, [number]: 1 })),
    trap('unknown member', (number) => JSON.stringify({ ...good, unknown: number })),
  ];
}

/** Forms of a client that is known, and of one that is not. */
function formAttacks({ method, path, body: taken }: Attacked, target: Target): Trap[] {
  if (!taken?.contentType.includes('form')) return [];
  const basic = Buffer.from(`${target.clientId}:${target.clientSecret}`).toString('base64');
  const good = { grant_type: 'client_credentials', token: 'none' };
  return membersOf(taken).flatMap((member): Trap[] => {
    const request = (number: string, headers: Readonly<Record<string, string>>): Request => {
      const body = new URLSearchParams({ ...good, [member]: number }).toString();
      return { method, path, body, headers: { ...headers, 'Content-Type': taken.contentType } };
    };
    return [
      { name: `form: ${member}`, request: (number) => request(number, { Authorization: `Basic ${basic}` }) },
      { name: `form of a stranger: ${member}`, request: (number) => request(number, {}) },
    ];
  });
}

const membersOf = ({ schema }: NonNullable<Operation['body']>) => Object.keys(schema.properties ?? {});

import fc, { type Arbitrary } from 'fast-check';
import { bytesOf } from './bytes.ts';
import type { Pool } from './fuzz-pool.ts';
import type { FuzzSite } from './fuzz-site.ts';
import { FUZZ_CARDS, hostileText } from './fuzz-values.ts';
import { openWire } from './sockets.ts';

// Payment pages have no place in the documents. Their addresses come with the operations of card payments.

/** What people do on a page. */
export interface PageShot {
  readonly pick: number;
  readonly suffix: string;
  /** Undefined: the page is only looked at. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly accept: string;
}

const card = fc.record({
  number: fc.constantFrom(...FUZZ_CARDS, '4761739001010416'),
  expiry: fc.constantFrom('12/39', '12/39', '1/20', '12 / 2039'),
  cvc: fc.constantFrom('123', '1234'),
  name: fc.constantFrom('Olivia', 'Åse'),
  consent: fc.constant('yes'),
});

const names = ['number', 'expiry', 'cvc', 'name', 'card', 'attempt', 'consent', 'token', 'verdict', 'language', 'more'];

const fields: Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  card,
  fc
    .tuple(card, fc.dictionary(fc.constantFrom(...names), hostileText, { maxKeys: 3 }))
    .map(([one, other]) => ({ ...one, ...other })),
  fc.record({
    method: fc.constantFrom('Y', 'N', 'U', 'x'),
    cvc: fc.constantFrom('123', ''),
    depth: hostileText,
    tz: hostileText,
  }),
  fc.record({ closed: fc.constantFrom('yes', '') }),
);

/** Plans of what is done on pages. */
export const pageShots: Arbitrary<PageShot> = fc.record({
  pick: fc.nat(),
  suffix: fc.constantFrom(
    '',
    '',
    '',
    '/challenge',
    '/method',
    '/authenticate',
    '/finish',
    '/remove',
    '/state',
    '/cancel',
    '/frame',
    '/frame/challenge',
    '?language=sv-SE',
    '?language=%00',
  ),
  fields: fc.oneof(fields, fields, fc.constant(undefined)),
  accept: fc.constantFrom('text/html', 'application/json', '*/*'),
});

const ALLOWED: readonly number[] = [200, 303, 400, 403, 404, 405, 406, 409, 413, 414, 415, 422, 429, 431, 503];

/** Does it, and says what is wrong with the answer. */
export async function shootAtPage(
  { baseUrl, scanner }: Pick<FuzzSite, 'baseUrl' | 'scanner'>,
  pool: Pool,
  { pick, suffix, fields, accept }: PageShot,
): Promise<string[]> {
  const page = pool.page(pick);
  if (page === undefined) return [];
  const body = fields && new URLSearchParams(fields).toString();
  const headers = {
    host: new URL(baseUrl).host,
    accept,
    connection: 'close',
    ...(body !== undefined && {
      origin: baseUrl,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    }),
  };
  const wire = openWire(baseUrl);
  try {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await wire.exchange(bytesOf({ method, path: `${page}${suffix}`, headers, body }));
    if (answer === undefined) return ['page: no answer'];
    const { status, headers: told } = answer;
    const isUnsafe = told['content-type']?.startsWith('text/html') && told['content-security-policy'] === undefined;
    return [
      ...(ALLOWED.includes(status) ? [] : ['a status that it may not have']),
      ...(isUnsafe ? ['no content security policy'] : []),
      ...scanner.scan(Buffer.from(answer.text, 'latin1')).map((what) => `tells a ${what}`),
    ].map((fault) => `page ${suffix.split('?', 1)[0]} ${status}: ${fault}`);
  } catch (error) {
    return [`page: ${(error as Error).message}`];
  } finally {
    wire.close();
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD_PROBLEMS } from '../../src/kit/cards/card-problems.ts';
import { PROBLEMS, type ProblemCode, type ProblemKind } from '../../src/kit/errors.ts';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { MARKER, type RouteRequest, SESSION_ID, sendRequest, withHeaders } from '../support/prober/routes-requests.ts';
import type { RawAnswer } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';
import { ROOT } from '../tidy/files.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** How a code comes about: by a request here, or in another test file. */
type Producer = { by: () => Promise<RawAnswer> } | { inTest: string };

/** Every code of the registry; one without an entry does not compile. */
const PRODUCERS: Readonly<Record<ProblemCode, Producer>> = {
  inputerror: { by: () => send(withHeaders(list(), { forwarded: MARKER })) },
  unauthorized: { by: () => send({ ...list(), accessToken: MARKER }) },
  forbidden: { by: async () => send({ ...list(), accessToken: await kontor.addAccessToken(['accounts']) }) },
  notfound: { by: () => send({ ...list(), path: `/online/${MARKER}` }) },
  methodnotallowed: { by: () => send({ ...list(), method: 'DELETE' }) },
  notacceptable: { by: () => send(withHeaders(list(), { accept: `text/${MARKER}` })) },
  unsupportedmediatype: { by: () => send(withHeaders(list(), { 'content-encoding': MARKER })) },
  payloadtoolarge: {
    by: () => send({ ...list('archives'), method: 'PATCH', body: MARKER.repeat(10_000) }),
  },
  uritoolong: { by: () => send({ ...list(), path: `/${MARKER.repeat(600)}` }) },
  headertoolarge: { by: () => send(withHeaders(list(), { 'x-long': MARKER.repeat(3000) })) },
  requesttimeout: { inTest: 'test/edge/slow.test.ts' },
  conflict: { inTest: 'test/accounts/external.test.ts' },
  referencereused: { inTest: 'test/accounts/idempotency.test.ts' },
  paymenttokeninactive: { inTest: 'test/payments/tokens.test.ts' },
  toomanyrequests: { inTest: 'test/edge/limits.test.ts' },
  systemerror: { by: withoutTable },
  unavailable: { inTest: 'test/edge/outage.test.ts' },
  notimplemented: {
    by: () =>
      send(withHeaders({ ...list('archives'), method: 'PATCH' }, { 'transfer-encoding': `${MARKER}, chunked` })),
  },
  httpversionnotsupported: { inTest: 'test/edge/health.test.ts' },
  gatewaytimeout: { inTest: 'test/accounts/external.test.ts' },
  noacquirer: { inTest: 'test/payments/page-production.test.ts' },
};

const codes = Object.keys(PROBLEMS) as ProblemCode[];
const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

function list(collection = 'tokens'): RouteRequest {
  return {
    method: 'GET',
    path: `/online/payer/payees/${kontor.payeeId}/payers/anna/${collection}`,
    accessToken: kontor.accessToken,
    headers: { 'session-id': SESSION_ID },
    body: undefined,
  };
}

/** A fault of ours: the statement meets a table that is not there. */
async function withoutTable(): Promise<RawAnswer> {
  await kontor.database.asAdmin('alter table payer_token rename to payer_token_elsewhere');
  try {
    return await send(list());
  } finally {
    await kontor.database.asAdmin('alter table payer_token_elsewhere rename to payer_token');
  }
}

describe('every problem', () => {
  test.each(codes)('%s is produced by a request', async (code) => {
    const producer = PRODUCERS[code];
    if ('inTest' in producer) {
      const source = readFileSync(join(ROOT, producer.inTest), 'utf8');
      expect(source, `${producer.inTest} produces ${code}`).toMatch(new RegExp(`['/]${code}\\b`));
      return;
    }
    const answer = await producer.by();
    expect(codeOf(answer)).toBe(code);
    checkProblemBody(answer);
    expect(answer.text).not.toContain(MARKER);
    expect(answer.text, 'neither SQL nor a stack leaves').not.toMatch(/select|relation|payer_token|\.ts|node:/i);
  });

  test.each([
    ...Object.entries<ProblemKind>(PROBLEMS),
    ...Object.entries<ProblemKind>(CARD_PROBLEMS).map(([code, kind]) => [`creditcard/${code}`, kind] as const),
  ])('%s has a page, for people and for programs, at its type', async (code, kind) => {
    const { status, title, retryable, meaning, when, next } = kind;
    const address = `${kontor.baseUrl}/errordetail/${code}`;
    for (const accept of ['application/json', '*/*', 'application/problem+json']) {
      const forPrograms = await kontor.send('GET', address, { accessToken: null, headers: { accept } });
      expect(forPrograms.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(forPrograms.body).toEqual({ type: address, title, status, retryable, meaning, when, next });
    }
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const forPeople = await kontor.send('GET', address, { accessToken: null, headers: { accept } });
    expect(forPeople.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(forPeople.headers.get('content-security-policy')).toContain("default-src 'none'");
    const words = forPeople.text.replace(/<[^>]+>/g, '');
    for (const text of [title, meaning, when, next]) expect(words).toContain(asHtml(text));
  });

  test('is documented, and nothing else is', () => {
    const text = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
    const rows = codes.map((code) => {
      const { status, title, retryable } = PROBLEMS[code];
      return `| [\`${code}\`](#${code}) | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`;
    });
    expect(text.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows);
    const sections = text.split(/^## /m).slice(1);
    const documented = sections.map((section) => section.split('\n')[0]);
    expect(documented.filter((heading) => /^[a-z]+$/.test(heading ?? ''))).toEqual(codes);
    for (const code of codes) {
      const section = sections.find((candidate) => candidate.startsWith(`${code}\n`));
      for (const part of ['meaning', 'when', 'next'] as const) expect(section).toContain(PROBLEMS[code][part]);
    }
  });
});

test('an unknown code has no page', async () => {
  const unknown = [MARKER, 'constructor', '__proto__'];
  const swapped = ['carddeclined', 'creditcard/inputerror'];
  for (const code of [...unknown, 'INPUTERROR/', ...unknown.map((each) => `creditcard/${each}`), ...swapped]) {
    const answer = await send({ ...list(), path: `/errordetail/${code}` });
    expect(codeOf(answer)).toBe('notfound');
    checkProblemBody(answer);
    expect(answer.text).not.toContain(MARKER);
  }
});

function asHtml(text: string): string {
  return text
    .replaceAll('`', '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;');
}

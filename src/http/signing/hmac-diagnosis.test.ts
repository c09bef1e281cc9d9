import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import type { PayeeId } from '../../kit/ids.ts';
import type { SignatureFault } from '../../kit/refused-caller.ts';
import { Secret } from '../../kit/secret.ts';
import type { SignedRequest } from './hmac-check.ts';
import { DIAGNOSIS_BODY_BYTES, diagnose } from './hmac-diagnosis.ts';
import { FAULTS } from './hmac-faults.ts';

const payeeId = '0198a000-0000-7000-8000-000000000001' as PayeeId;
const USER = 'hk_0123456789abcdef';
const NONCE = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const TIME = '2026-01-31T12:00:00.208257Z';
const secret = new Secret(`hs_${'aB3'.repeat(14)}x`);
const around = {
  baseUrl: 'https://pay.shop.example/gate',
  host: 'pay.shop.example',
  date: 'Sat, 31 Jan 2026 12:00:01 GMT',
  prefixes: [],
};

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly transmissionTime: string | undefined;
  readonly body: string;
}
const SENT: Sent = {
  method: 'POST',
  url: '/api/payments/a%20B/ping?x=1',
  transmissionTime: TIME,
  body: '{"description":"Kjøp €","a/b":[1,2]}',
};

/** How a client signs; by default as it should. */
interface Way {
  readonly sent?: Partial<Sent>;
  readonly lines?: readonly string[];
  readonly lineEnd?: string;
  readonly lastLineEnd?: string;
  readonly body?: string | Buffer;
  readonly key?: string | Buffer;
  readonly algorithm?: string;
  readonly write?: (digest: Buffer) => string;
  readonly header?: (user: string, digest: string) => string;
}

const LINES = ['POST', '/api/payments/a%20B/ping', USER, NONCE, TIME];
const line = (number: number, text: string) => LINES.map((other, index) => (index + 1 === number ? text : other));

function signed(way: Way): SignedRequest {
  const sent = { ...SENT, ...way.sent };
  const { lineEnd = '\n', lastLineEnd = lineEnd, algorithm = 'sha512', key = secret.reveal() } = way;
  const digest = createHmac(algorithm, key)
    .update((way.lines ?? LINES).map((text) => text + lineEnd).join(''))
    .update(way.body ?? sent.body)
    .update(lastLineEnd)
    .digest();
  const text = way.write?.(digest) ?? digest.toString('base64');
  const hmac = way.header?.(USER, text) ?? `HmacSHA512 ${USER}:${NONCE}:${text}`;
  return { payeeId, ...sent, hmac, body: Buffer.from(sent.body) };
}

const explain = (way: Way, fault: SignatureFault = 'wrong-digest') => diagnose(signed(way), { fault, secret }, around);

const WITHOUT_TIME = { transmissionTime: undefined };
const [FIRST, PATH = '', ...REST] = LINES;
const hex = (algorithm: string) => createHash(algorithm).update(SENT.body).digest('hex');

/** Name of the mistake, the line that it spoils first, and the client's way. */
const MISTAKES: readonly (readonly [string, number | null, Way])[] = [
  ['no-last-line-feed', 6, { lastLineEnd: '' }],
  ['no-last-line-feed', 6, { sent: { body: '' }, lastLineEnd: '' }],
  ['path-with-query', 2, { lines: line(2, SENT.url) }],
  ['path-with-host', 2, { lines: line(2, `https://pay.shop.example${PATH}`) }],
  ['path-with-host', 2, { lines: line(2, `http://pay.shop.example${SENT.url}`) }],
  ['path-with-host', 2, { lines: line(2, `https://pay.shop.example/gate${PATH}`) }],
  ['path-with-host', 2, { lines: line(2, `pay.shop.example${PATH}`) }],
  ['path-with-prefix', 2, { lines: line(2, `/gate${PATH}`) }],
  ['path-with-prefix', 2, { lines: line(2, `/payment-api${PATH}`) }],
  ['path-with-prefix', 2, { lines: line(2, '/gate/api/payments/a B/ping') }],
  ['path-without-prefix', 2, { lines: line(2, PATH.slice('/api'.length)) }],
  ['path-without-prefix', 2, { lines: line(2, PATH.slice('/api/payments'.length)) }],
  ['path-without-prefix', 2, { lines: line(2, PATH.slice(1)) }],
  ['path-spelt-otherwise', 2, { lines: line(2, PATH.toLowerCase()) }],
  ['path-spelt-otherwise', 2, { lines: line(2, `${PATH}/`) }],
  ['path-spelt-otherwise', 2, { lines: line(2, PATH.replace('%20', '+')) }],
  ['path-spelt-otherwise', 2, { lines: line(2, encodeURIComponent(PATH)) }],
  ['path-spelt-otherwise', 2, { sent: { url: '/api/%c3%a5' }, lines: line(2, '/api/%C3%A5') }],
  ['path-spelt-otherwise', 2, { sent: { url: '/api/%C3%A5' }, lines: line(2, '/api/%c3%a5') }],
  ['time-left-out', 5, { lines: line(5, '') }],
  ['time-left-out', 5, { lines: LINES.slice(0, 4) }],
  ['time-not-sent', 5, { sent: WITHOUT_TIME, lines: LINES.slice(0, 4) }],
  ['time-not-sent', 5, { sent: WITHOUT_TIME, lines: line(5, around.date) }],
  ['other-date-text', 5, { lines: line(5, '2026-01-31T12:00:00.208Z') }],
  ['other-date-text', 5, { lines: line(5, '2026-01-31T12:00:00Z') }],
  ['other-date-text', 5, { lines: line(5, '2026-01-31T12:00:00.208+00:00') }],
  ['other-date-text', 5, { lines: line(5, '2026-01-31T12:00:00.208257') }],
  ['other-date-text', 5, { lines: line(5, '2026-01-31 12:00:00.208257Z') }],
  ['other-date-text', 5, { lines: line(5, 'Sat, 31 Jan 2026 12:00:00 GMT') }],
  ['other-date-text', 5, { lines: line(5, around.date) }],
  ['other-date-text', 5, { lines: line(5, '1769860800') }],
  ['other-date-text', 5, { lines: line(5, '1769860800208') }],
  ['body-left-out', 6, { body: '' }],
  ['body-serialised-again', 6, { body: '{"description": "Kjøp €", "a/b": [1, 2]}' }],
  ['body-serialised-again', 6, { body: '{\n  "description": "Kjøp €",\n  "a/b": [\n    1,\n    2\n  ]\n}' }],
  ['body-serialised-again', 6, { sent: { body: '{ "a" : 1 }' }, body: '{"a":1}' }],
  ['body-serialised-again', 6, { body: '{"description":"Kj\\u00f8p \\u20ac","a/b":[1,2]}' }],
  ['body-serialised-again', 6, { body: SENT.body.replace('/', '\\/') }],
  ['body-serialised-again', 6, { body: JSON.stringify(SENT.body) }],
  ['body-serialised-again', 6, { sent: { body: '' }, body: '{}' }],
  ['body-with-other-ends', 6, { body: `${SENT.body}\n` }],
  ['body-with-other-ends', 6, { sent: { body: `${SENT.body}\r\n` }, body: SENT.body }],
  ['body-with-other-ends', 6, { sent: { body: '{\r\n"a":1\r\n}x' }, body: '{\n"a":1\n}x' }],
  [
    'body-in-other-encoding',
    6,
    { body: Buffer.from(SENT.body.replace('€', '¤'), 'latin1'), sent: { body: SENT.body.replace('€', '¤') } },
  ],
  ['body-in-other-encoding', 6, { body: Buffer.from(SENT.body).toString('latin1') }],
  ['body-digested', 6, { body: hex('sha256') }],
  ['body-digested', 6, { body: Buffer.from(hex('sha512'), 'hex').toString('base64') }],
  ['method-in-small-letters', 1, { lines: line(1, 'post') }],
  ['other-line-ends', 1, { lineEnd: '\r\n' }],
  ['other-line-ends', 1, { lineEnd: '\r\n', lastLineEnd: '' }],
  ['other-line-ends', 1, { lineEnd: '\\n' }],
  ['other-line-ends', 1, { lineEnd: '' }],
  ['secret-altered', null, { key: `${secret.reveal()}\n` }],
  ['secret-altered', null, { key: secret.reveal().slice(3) }],
  ['secret-altered', null, { key: Buffer.from(secret.reveal(), 'base64') }],
  ['other-algorithm', null, { algorithm: 'sha256' }],
  ['other-algorithm', null, { algorithm: 'sha1' }],
  ['digest-in-hex', null, { write: (digest) => digest.toString('hex') }],
  ['digest-in-hex', null, { write: (digest) => digest.toString('hex').toUpperCase() }],
  ['digest-encoded-twice', null, { write: (digest) => Buffer.from(digest.toString('hex')).toString('base64') }],
  ['digest-in-base64url', null, { write: (digest) => digest.toString('base64url') }],
  ['digest-without-padding', null, { write: (digest) => digest.toString('base64').replace('==', '') }],
  ['other-scheme', null, { header: (user, digest) => `HMAC-SHA512 ${user}:${NONCE}:${digest}` }],
  ['other-scheme', null, { header: (user, digest) => `HmacSHA512  ${user}:${NONCE}:${digest}` }],
  ['other-scheme', null, { header: (user, digest) => `${user}:${NONCE}:${digest}` }],
  ['other-nonce', 4, { lines: line(4, 'short'), header: (user, digest) => `HmacSHA512 ${user}:short:${digest}` }],
];

describe('a usual mistake', () => {
  it.each(MISTAKES.map(([code, where, way], index) => [code, index, where, way] as const))(
    'is called %s (%i)',
    (code, _index, where, way) => {
      const diagnosis = explain(way);
      expect(diagnosis.causes).toEqual([code]);
      expect(diagnosis.line).toBe(where);
      expect(diagnosis.explanation).not.toBe('');
    },
  );

  test('has an example here, each of them', () => {
    const tried = new Set(MISTAKES.map(([code]) => code));
    expect(FAULTS.map(({ code }) => code).filter((code) => !tried.has(code))).toEqual([]);
  });

  test('has a name of its own', () => {
    expect(new Set(FAULTS.map(({ code }) => code)).size).toBe(FAULTS.length);
  });
});

describe('two mistakes at once', () => {
  it.each([
    [['path-with-query', 'no-last-line-feed'], 2, { lines: line(2, SENT.url), lastLineEnd: '' }],
    [['no-last-line-feed', 'other-date-text'], 5, { lines: line(5, '2026-01-31T12:00:00Z'), lastLineEnd: '' }],
    [['digest-in-hex', 'no-last-line-feed'], 6, { lastLineEnd: '', write: (digest: Buffer) => digest.toString('hex') }],
    [
      ['other-algorithm', 'path-with-host'],
      2,
      { algorithm: 'sha256', lines: line(2, `https://${around.host}${PATH}`) },
    ],
    [['path-with-prefix', 'body-left-out'], 2, { lines: line(2, `/gate${PATH}`), body: '' }],
  ] as const)('are %s', (causes, where, way) => {
    const diagnosis = explain(way);
    expect([...diagnosis.causes].sort()).toEqual([...causes].sort());
    expect(diagnosis.line).toBe(where);
  });

  test('are not looked for in a large body', () => {
    const sent = { body: JSON.stringify({ description: 'x'.repeat(DIAGNOSIS_BODY_BYTES) }) };
    expect(explain({ sent, lastLineEnd: '' }).causes).toEqual(['no-last-line-feed']);
    expect(explain({ sent, lines: line(2, SENT.url), lastLineEnd: '' }).causes).toEqual(['wrong-secret-or-body']);
  });
});

describe('what no mistake explains', () => {
  it.each([
    ['another secret', ['wrong-secret-or-body'], 6, explain({ key: 'another secret' })],
    ['another secret, without a body', ['wrong-secret'], null, explain({ sent: { body: '' }, key: 'another' })],
    ['a body that was changed under way', ['wrong-secret-or-body'], 6, explain({ body: '{"amount":1}' })],
    ['no header', ['no-header'], null, diagnose({ ...signed({}), hmac: '' }, { fault: 'missing' }, around)],
    ['an unknown user', ['unknown-user'], 3, diagnose(signed({}), { fault: 'unknown-key' }, around)],
    ['a clock that is wrong', ['wrong-clock'], 5, explain({}, 'wrong-time')],
    ['a time that is none', ['no-timestamp'], 5, explain({ sent: { transmissionTime: 'now' } }, 'wrong-time')],
    [
      'another text altogether',
      ['other-scheme', 'other-fields'],
      null,
      diagnose({ ...signed({}), hmac: 'x' }, { fault: 'malformed' }, around),
    ],
    [
      'two fields',
      ['other-fields'],
      null,
      diagnose({ ...signed({}), hmac: 'HmacSHA512 a:b' }, { fault: 'malformed' }, around),
    ],
    ['no digest', ['no-digest'], null, explain({ write: () => 'AAAA' }, 'malformed')],
  ])('is %s', (_what, causes, where, diagnosis) => {
    expect(diagnosis).toMatchObject({ causes, line: where });
    expect(diagnosis.explanation).not.toBe('');
  });
});

describe('the text that we signed', () => {
  const sha256 = hex('sha256');

  it('is shown to the byte, but for the body', () => {
    const { length } = Buffer.from(SENT.body);
    const lines = [...LINES, `<body: ${length} bytes, SHA-256 ${sha256}>`, ''];
    expect(explain({ key: 'wrong' }).signedText).toBe(lines.join('\n'));
  });

  it('has an empty line where no time was sent', () => {
    const { signedText } = explain({ sent: { ...WITHOUT_TIME, body: '' }, key: 'wrong' });
    expect(signedText.split('\n').slice(4)).toEqual(['', expect.stringMatching(/^<body: 0 bytes/), '']);
  });

  it('says what belongs where a header says nothing, and nothing of a body that was not read', () => {
    const { signedText } = diagnose({ ...signed({}), hmac: '' }, { fault: 'missing' }, around);
    expect(signedText).toBe([FIRST, PATH, '<user>', '<nonce>', REST[2], '<body>', ''].join('\n'));
  });

  it('never shows a secret, a body, an access token or a card number', () => {
    const card = '4925000000000004';
    const token = `kt_test_${'0'.repeat(32)}_${'A'.repeat(43)}_abcdef`;
    const ways: Way[] = [
      ...MISTAKES.map(([, , way]) => way),
      { sent: { url: `/api/payments/${card.replaceAll(/./g, '%3$&')}` } },
      { sent: { url: `/api/payments/${card.replaceAll(/.{4}/g, '$&%20')}` } },
      { sent: { url: `/api/payments/${card}`, body: `{"accountKey":"${card}"}` }, key: 'wrong' },
      { header: (_user, digest) => `HmacSHA512 ${secret.reveal()}:${NONCE}:${digest}` },
      { header: (_user, digest) => `HmacSHA512 ${token}:${NONCE}:${digest}` },
      { header: (user, digest) => `HmacSHA512 ${user}:${card}:${digest}` },
      { header: () => `Bearer ${token}` },
    ];
    for (const fault of ['missing', 'malformed', 'unknown-key', 'wrong-digest', 'wrong-time'] as const) {
      for (const way of ways) {
        const text = JSON.stringify(explain(way, fault));
        for (const hidden of [secret.reveal(), token, card, '4925%20', '%34%39', 'Kjøp', 'accountKey'])
          expect(text).not.toContain(hidden);
      }
    }
  });
});

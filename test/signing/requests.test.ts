import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { revokeHmacKey, rotateHmacKey } from '../../src/merchants/hmac-keys/hmac-keys.ts';
import { exchange, openConnection } from '../support/prober/sockets.ts';
import { type SigningCredentials, signatureOf, type TestService, testService } from '../support/service.ts';
import { addHmacKey } from '../support/shop/signing.ts';
import { until } from '../support/until.ts';

const PING = '/api/payments/ping';
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const ping = (hmac?: SigningCredentials) => kontor.send('POST', PING, { body: {}, ...(hmac && { hmac }) });

/** What a request is made of, byte for byte, and what is signed of it where that differs. */
interface Wire {
  readonly method?: string;
  readonly target?: string;
  readonly signedPath?: string;
  readonly body?: Buffer;
  readonly signedBody?: Buffer;
  readonly headers?: readonly string[];
  readonly accessToken?: string;
}

function bytesOf(wire: Wire): Buffer {
  const { method = 'POST', target = PING, body = Buffer.from('{}'), headers = [] } = wire;
  const path = wire.signedPath ?? Buffer.from(target.split('?', 1)[0] ?? '', 'latin1').toString();
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${wire.accessToken ?? kontor.accessToken}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Hmac: ${signatureOf(kontor.hmac, { method, path, body: wire.signedBody ?? body })}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

async function send(wire: Wire) {
  const answer = await exchange(kontor.baseUrl, bytesOf(wire));
  return { status: answer.status, answer: JSON.parse(answer.body), headers: answer.headers };
}

describe('ping', () => {
  it('answers what was sent, and what can be done', async () => {
    const { status, body } = await kontor.send('POST', PING, { body: { description: 'Kjøp €' } });
    const href = `${kontor.baseUrl}${PING}`;
    const link = { href, type: 'application/json', templated: false };
    expect(status).toBe(200);
    expect(body).toEqual({
      _links: [
        { ...link, rel: 'self' },
        { ...link, rel: 'ping' },
      ],
      state: 'OK',
      description: 'Kjøp €',
      operations: [{ method: 'POST', href, rel: 'ping', contentType: 'application/json' }],
    });
  });

  it('needs no description, nor one that is empty, and takes none that is blank, too long or a card number', async () => {
    expect((await ping()).body).not.toHaveProperty('description');
    const empty = await kontor.send('POST', PING, { body: { description: '' } });
    expect(empty.status).toBe(200);
    expect(empty.body).not.toHaveProperty('description');
    for (const description of ['  ', 'x'.repeat(256), '4925000000000004', 7]) {
      const { status, body } = await kontor.send('POST', PING, { body: { description } });
      expect(status).toBe(400);
      expect(body.problems).toEqual([{ name: 'description', description: expect.any(String) }]);
    }
  });

  it('has no effect, so a request that comes twice is answered twice', async () => {
    const bytes = bytesOf({});
    expect((await exchange(kontor.baseUrl, bytes)).status).toBe(200);
    expect((await exchange(kontor.baseUrl, bytes)).status).toBe(200);
  });
});

describe('the path', () => {
  it.each([
    ['as on the wire', { target: '/api/payments/p%69ng' }],
    ['decoded', { target: '/api/payments/p%69ng', signedPath: PING }],
    ['in capitals', { target: '/API/Payments/PING' }],
    ['without its query', { target: `${PING}?$expand=x&a=%2F` }],
  ])('is signed %s', async (_form, wire) => {
    expect((await send(wire)).status).toBe(200);
  });

  it.each([
    ['with its query', { target: `${PING}?a=b`, signedPath: `${PING}?a=b` }, 'path-with-query'],
    ['in other letters', { target: '/API/payments/ping', signedPath: PING }, 'path-spelt-otherwise'],
  ])('is not signed %s', async (_form, wire, cause) => {
    const { status, answer } = await send(wire);
    expect({ status, causes: answer.diagnosis.causes }).toEqual({ status: 401, causes: [cause] });
  });

  it.each(['/api/payments/pi%2Fng', '/api/payments/pi%2fng', '/api/payments/%5C', '/api/payments/pi%5cng?x'])(
    'has no encoded separator, for any caller: %s',
    async (target) => {
      for (const accessToken of [kontor.accessToken, 'nobody']) {
        const { status, answer } = await send({ target, accessToken });
        expect(status).toBe(400);
        expect(answer.problems).toEqual([{ name: 'path', description: expect.any(String) }]);
      }
    },
  );

  it('of another endpoint may have one', async () => {
    const { status } = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/payers/a%2Fb/tokens`);
    expect(status).toBe(200);
  });
});

describe('an address below /api/payments that there is not', () => {
  it.each([
    ['GET', '/api/payments', 404],
    ['GET', '/api/payments/nowhere', 404],
    ['POST', '/api/payments/nowhere', 404],
    ['GET', PING, 405],
    ['HEAD', PING, 405],
    ['DELETE', PING, 405],
    ['GET', '/api/payments/gift-card/get-new-gift-card', 405],
    ['HEAD', '/api/payments/gift-card/pre-deposit?any=1', 405],
    ['PUT', '/api/payments/gift-card/pre-deposit', 405],
  ])('%s %s is 401 unsigned, then %i', async (method, path, expected) => {
    const unsigned = await kontor.send(method, path, { hmac: null });
    expect(unsigned.status).toBe(401);
    expect(unsigned.headers.get('www-authenticate')).toBe('HmacSHA512 realm="kontor"');
    const body = method === 'POST' ? { body: { any: 'body' } } : {};
    const { status, headers } = await kontor.send(method, path, body);
    expect([status, headers.get('allow')]).toEqual([expected, expected === 405 ? 'POST' : null]);
    const foreign = await addHmacKey(kontor.service, (await kontor.addPayee()).payeeId);
    expect((await kontor.send(method, path, { hmac: foreign })).status).toBe(401);
  });
});

describe('the body', () => {
  it.each([
    ['blanks and line ends', '{ \r\n\t"description" : "x"\n}\n', 200],
    ['characters beyond ASCII', '{"description":"Kjøp € 𝄞"}', 200],
    ['no JSON', '{"description":', 400],
    ['nothing', '', 400],
  ])('is signed as it is sent: %s', async (_what, text, status) => {
    expect((await send({ body: Buffer.from(text) })).status).toBe(status);
    const changed = { body: Buffer.from(text), signedBody: Buffer.from(`${text} `) };
    expect((await send(changed)).status).toBe(401);
  });

  it('is signed as it is sent: bytes that are no text', async () => {
    expect((await send({ body: Buffer.from([0xff, 0x00]) })).status).toBe(400);
    expect((await send({ body: Buffer.from([0xff]), signedBody: Buffer.from([0xfe]) })).status).toBe(401);
  });

  it('may come in pieces', async () => {
    const body = Buffer.from('{"description":"in pieces"}');
    const head = bytesOf({ body })
      .toString('latin1')
      .split('\r\n\r\n')[0]
      ?.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const chunks = ['{"descr', 'iption":"in pieces"}'].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`);
    const answer = await exchange(kontor.baseUrl, `${head}\r\n\r\n${chunks.join('')}0\r\n\r\n`);
    expect(JSON.parse(answer.body).description).toBe('in pieces');
  });

  it('that is too large cannot be checked, and says only that', async () => {
    const body = Buffer.alloc(BODY_BYTES + 1, ' ');
    expect((await send({ body, signedBody: Buffer.from('other') })).status).toBe(413);
    const accessToken = await kontor.addAccessToken(['tokens:read']);
    expect((await send({ body, accessToken })).status).toBe(403);
  });

  it('is asked for only of a request that has a signature', async () => {
    const connection = await openConnection(kontor.baseUrl);
    const bytes = bytesOf({ headers: ['Expect: 100-continue'] }).toString('latin1');
    const [head = '', body = ''] = bytes.split(/(?<=\r\n\r\n)/);
    connection.write(head);
    await until(() => connection.received().includes('100 Continue'));
    connection.write(body);
    const [, answer] = await connection.answers(2);
    connection.destroy();
    expect(answer?.status).toBe(200);
    const unsigned = await exchange(kontor.baseUrl, head.replace(/Hmac:.*\r\n/, ''));
    expect(unsigned).toMatchObject({ status: 401, isClosed: true });
  });

  it('that says to be of no kind is judged after its signature', async () => {
    for (const type of ['nonsense', 'text/plain', 'application/json; version=9']) {
      const headers = { 'content-type': type };
      expect((await kontor.send('POST', PING, { body: '{}', headers })).status, type).toBe(415);
      const foreign = await addHmacKey(kontor.service, (await kontor.addPayee()).payeeId);
      expect((await kontor.send('POST', PING, { body: '{}', headers, hmac: foreign })).status, type).toBe(401);
    }
  });
});

describe('Transmission-Time', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const sendAt = (text: string) => kontor.send('POST', PING, { body: {}, headers: { 'transmission-time': text } });

  it.each([0, 290, -290])('%i seconds away is near enough', async (seconds) => {
    expect((await sendAt(at(seconds))).status).toBe(200);
  });

  it.each([310, -310])('%i seconds away is too far', async (seconds) => {
    const { status, body } = await sendAt(at(seconds));
    expect({ status, causes: body.diagnosis.causes }).toEqual({ status: 401, causes: ['wrong-clock'] });
  });

  it('is no other text', async () => {
    const { status, body } = await sendAt(new Date().toUTCString());
    expect({ status, causes: body.diagnosis.causes }).toEqual({ status: 401, causes: ['no-timestamp'] });
  });

  it('is not sent twice', async () => {
    const headers = ['Transmission-Time: 2026-01-31T12:00:00Z', 'Transmission-Time: 2026-01-31T12:00:00Z'];
    expect((await send({ headers })).status).toBe(401);
  });
});

describe('keys', () => {
  const transact: TestService['service']['database']['transact'] = (work) => kontor.service.database.transact(work);

  it('of a payee work side by side, and those of others not at all', async () => {
    const { payeeId, accessToken } = await kontor.addPayee();
    const keys = [await addHmacKey(kontor.service, payeeId), await addHmacKey(kontor.service, payeeId)];
    for (const hmac of keys) {
      expect((await kontor.send('POST', PING, { accessToken, hmac, body: {} })).status).toBe(200);
      expect((await ping(hmac)).status).toBe(401);
    }
    expect((await kontor.send('POST', PING, { accessToken, body: {} })).status).toBe(401);
  });

  it('stop within a second once they are revoked', async () => {
    const hmac = await addHmacKey(kontor.service, kontor.payeeId);
    expect((await ping(hmac)).status).toBe(200);
    const command = { payeeId: kontor.payeeId, keyId: hmac.user, actor: COMMAND_LINE };
    await transact((transaction) => revokeHmacKey(transaction, command));
    await until(async () => (await ping(hmac)).status === 401, 1_000);
  });

  it('that are rotated work on beside their successors', async () => {
    const old = await addHmacKey(kontor.service, kontor.payeeId);
    expect((await ping(old)).status).toBe(200);
    const { merchants } = kontor.service;
    const command = { payeeId: kontor.payeeId, keyId: old.user, overlap: '1h', actor: COMMAND_LINE };
    const fresh = await transact((transaction) => rotateHmacKey(transaction, merchants, command));
    expect((await ping({ user: fresh.user, secret: fresh.secret.reveal() })).status).toBe(200);
    await database.expire(old.user);
    await until(async () => (await ping(old)).status === 401, 1_000);
    expect((await ping({ user: fresh.user, secret: fresh.secret.reveal() })).status).toBe(200);
  });

  const database = {
    expire: (keyId: string) =>
      kontor.database.asAdmin(
        `update hmac_key set created_at = kontor_now() - interval '1 day', expires_at = kontor_now() where key_id = '${keyId}'`,
      ),
  };
});

describe('the diagnosis', () => {
  it('shows what was signed, the body by its length and digest alone', async () => {
    const body = Buffer.from('{"description":"hidden"}');
    const { answer } = await send({ body, signedBody: Buffer.from('{"description": "hidden"}') });
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(answer.diagnosis).toEqual({
      signedText: expect.stringMatching(/^POST\n\/api\/payments\/ping\nhk_\w+\n[\w-]{36}\n\n<body: /),
      line: 6,
      causes: ['body-serialised-again'],
      explanation: expect.stringContaining('Make the bytes once'),
    });
    expect(answer.diagnosis.signedText).toContain(`<body: ${body.length} bytes, SHA-256 ${sha256}>\n`);
    expect(JSON.stringify(answer)).not.toContain('hidden');
  });

  it('finds a key by a header that is malformed', async () => {
    const bytes = bytesOf({}).toString('latin1');
    const hex = bytes.replace(
      /:([A-Za-z0-9+/]{86}==)/,
      (_, digest) => `:${Buffer.from(digest, 'base64').toString('hex')}`,
    );
    const answer = await exchange(kontor.baseUrl, hex);
    expect(JSON.parse(answer.body).diagnosis.causes).toEqual(['digest-in-hex']);
  });
});

import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { serverOf } from '../support/prober/routes-server.ts';
import { exchange, openConnection, requestText } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let path: string;
let bearer: string;
beforeAll(async () => {
  kontor = await testService();
  path = `/online/payer/payees/${kontor.payeeId}/payers/anna/archives`;
  bearer = `Authorization: Bearer ${kontor.accessToken}`;
});
afterAll(() => kontor.stop());

const HOST = 'Host: localhost';
const JSON_TYPE = 'Content-Type: application/json';
const BODY = '{"reason":"x","updatedBy":"PAYEE"}';
const EXPECT = 'Expect: 100-continue';

describe('a client that takes its time', () => {
  test('is refused when its headers are not there in time', async () => {
    const { app } = await serverOf(kontor);
    onTestFinished(() => app.close());
    // Ten seconds, as the next test says: nothing else is different here.
    app.server.headersTimeout = 200;
    const connection = await openConnection(await app.listen({ host: '127.0.0.1', port: 0 }));
    connection.write(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
    await connection.closed(15_000);
    const [answer] = await connection.answers(1);
    expect(answer && codeOf(answer)).toBe('requesttimeout');
    if (answer !== undefined) checkProblemBody(answer);
  });

  test('has fifteen seconds for the whole request, and 65 for the next one', async () => {
    const { app } = await serverOf(kontor);
    expect(app.server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
      maxRequestsPerSocket: 1_000,
      timeout: 30_000,
    });
  });

  test('who reads nothing of a large answer is cut off', async () => {
    const { app } = await serverOf(kontor);
    onTestFinished(() => app.close());
    app.server.timeout = 200;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const ended = new Promise<void>((resolve) =>
      app.server.once('connection', (socket) => socket.once('close', () => resolve())),
    );
    const socket = connect(port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    for (let sent = 0; sent < 200; sent++) socket.write(requestText(['GET /openapi.json HTTP/1.1', HOST]));
    await ended;
  });

  test('may send a request byte by byte', async () => {
    const connection = await openConnection(kontor.baseUrl);
    const text = requestText(
      [`PATCH ${path} HTTP/1.1`, HOST, bearer, JSON_TYPE, `Content-Length: ${BODY.length}`],
      BODY,
    );
    for (const byte of text) {
      connection.write(byte);
      await new Promise(setImmediate);
    }
    const [answer] = await connection.answers(1);
    expect(answer?.status).toBe(200);
    connection.destroy();
  });

  test('may leave in the middle: the service goes on', async () => {
    for (const text of [
      `GET ${path} HT`,
      requestText([`GET ${path} HTTP/1.1`, HOST, bearer]).slice(0, -2),
      requestText([`PATCH ${path} HTTP/1.1`, HOST, bearer, JSON_TYPE, 'Content-Length: 100'], BODY),
      requestText([`PATCH ${path} HTTP/1.1`, HOST, bearer, JSON_TYPE, 'Transfer-Encoding: chunked'], '22\r\n{"rea'),
      requestText([`GET ${path} HTTP/1.1`, HOST, bearer]),
    ]) {
      const connection = await openConnection(kontor.baseUrl);
      connection.write(text);
      connection.destroy();
    }
    expect((await kontor.send('GET', path)).status).toBe(200);
    expect((await kontor.send('GET', '/health/ready', { accessToken: null })).status).toBe(200);
  });

  test('that leaves before its body is asked for is not waited for, and is no fault of ours', async () => {
    const alarms: string[] = [];
    const { app } = await serverOf(kontor, pino({ level: 'error' }, { write: (line) => void alarms.push(line) }));
    onTestFinished(() => app.close());
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
    const began = new Promise<ServerResponse>((resolve) =>
      app.server.once('request', (request, response) => {
        request.socket.destroy();
        resolve(response);
      }),
    );
    const connection = await openConnection(baseUrl);
    const lines = [`PATCH ${path} HTTP/1.1`, HOST, bearer, JSON_TYPE, `Content-Length: ${BODY.length}`];
    connection.write(requestText(lines, BODY));
    const response = await began;
    await until(() => response.writableEnded);
    expect(alarms).toEqual([]);
    connection.destroy();
  });

  test('is no fault of ours when it leaves in the middle of a body', async () => {
    const alarms: string[] = [];
    const { app } = await serverOf(kontor, pino({ level: 'error' }, { write: (line) => void alarms.push(line) }));
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
    const ended = new Promise<void>((resolve) => app.server.on('connection', (socket) => socket.on('close', resolve)));
    const connection = await openConnection(baseUrl);
    connection.write(requestText(['POST /oauth/token HTTP/1.1', HOST, 'Content-Length: 100'], 'half'));
    const began = new Promise<void>((resolve) => app.server.once('request', () => resolve()));
    await began;
    connection.destroy();
    await ended;
    expect((await exchange(baseUrl, requestText(['GET /health/live HTTP/1.1', HOST]))).status).toBe(200);
    await app.close();
    expect(alarms).toEqual([]);
  });
});

describe('a client in a hurry', () => {
  test('gets the answers to many requests on one connection in their order', async () => {
    const sessionIds = Array.from({ length: 30 }, () => crypto.randomUUID());
    const connection = await openConnection(kontor.baseUrl);
    connection.write(
      sessionIds
        .map((sessionId, index) => {
          const line = index % 3 === 0 ? 'GET /online/nowhere HTTP/1.1' : `GET ${path} HTTP/1.1`;
          return requestText([line, HOST, bearer, `Session-Id: ${sessionId}`]);
        })
        .join(''),
    );
    const answers = await connection.answers(sessionIds.length);
    expect(answers.map(({ headers }) => headers['session-id'])).toEqual(sessionIds);
    expect(answers.map(({ status }) => status)).toEqual(sessionIds.map((_id, index) => (index % 3 === 0 ? 404 : 200)));
    connection.destroy();
  });
});

describe('a client that asks before it sends', () => {
  const ask = (...lines: string[]) =>
    requestText([`PATCH ${path} HTTP/1.1`, HOST, JSON_TYPE, `Content-Length: ${BODY.length}`, EXPECT, ...lines]);

  test('is told to, once it is known', async () => {
    const connection = await openConnection(kontor.baseUrl);
    connection.write(ask(bearer));
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([100]);
    connection.write(BODY);
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([100, 200]);
    connection.destroy();
  });

  test('is told to by the OAuth endpoints, which read who it is from the body', async () => {
    const connection = await openConnection(kontor.baseUrl);
    const form = 'Content-Type: application/x-www-form-urlencoded';
    connection.write(requestText(['POST /oauth/token HTTP/1.1', HOST, form, 'Content-Length: 3', EXPECT]));
    expect((await connection.answers(1)).map(({ status }) => status)).toEqual([100]);
    connection.write('a=b');
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([100, 401]);
    connection.destroy();
  });

  test('is never told to when it is refused, and the connection ends: whether the body comes is not known', async () => {
    const large = `Content-Length: ${BODY_BYTES + 1}`;
    const requests = [
      [ask(), 401],
      [ask('Authorization: Bearer nonsense'), 401],
      [ask(`Authorization: Bearer ${await kontor.addAccessToken(['accounts'])}`), 403],
      [requestText([`PATCH ${path} HTTP/1.1`, HOST, bearer, JSON_TYPE, large, EXPECT]), 413],
      [requestText(['PATCH /online/nowhere HTTP/1.1', HOST, bearer, 'Content-Length: 2', EXPECT]), 404],
    ] as const;
    for (const [request, status] of requests) {
      const answer = await exchange(kontor.baseUrl, request);
      expect([answer.status, answer.isClosed]).toEqual([status, true]);
    }
  });
});

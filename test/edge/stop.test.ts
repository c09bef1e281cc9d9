import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

test('a stop lets the request under way finish, closes idle connections, and takes no new ones', async () => {
  const path = `/online/payer/payees/${kontor.payeeId}/payers/anna/archives`;
  const body = '{"reason":"x","updatedBy":"PAYEE"}';
  const lines = ['Host: localhost', `Authorization: Bearer ${kontor.accessToken}`];
  const idle = await openConnection(kontor.baseUrl);
  idle.write(requestText([`GET ${path} HTTP/1.1`, ...lines]));
  expect((await idle.answers(1)).map(({ status }) => status)).toEqual([200]);

  // Under way: the caller is known and was told to send the body, of which one half is there.
  const underWay = await openConnection(kontor.baseUrl);
  const type = 'Content-Type: application/json';
  underWay.write(
    requestText([`PATCH ${path} HTTP/1.1`, ...lines, type, `Content-Length: ${body.length}`, 'Expect: 100-continue']),
  );
  expect((await underWay.answers(1)).map(({ status }) => status)).toEqual([100]);
  underWay.write(body.slice(0, 10));

  const stopped = kontor.running.stop();
  await idle.closed();
  await expect(openConnection(kontor.baseUrl)).rejects.toThrow('ECONNREFUSED');

  underWay.write(body.slice(10));
  const [, answer] = await underWay.answers(2);
  expect(answer?.status).toBe(200);
  expect(answer?.headers['connection']).toBe('close');
  await underWay.closed();
  await stopped;
  // Stopping again does nothing, and does not wait for anything.
  await kontor.running.stop();
});

test('a client that keeps its connections alive gets a refused connection afterwards, not a broken one', async () => {
  const agent = new Agent({ keepAlive: true });
  const failure = await new Promise<NodeJS.ErrnoException>((resolve) => {
    request(`${kontor.baseUrl}/health/live`, { agent }).on('error', resolve).end();
  });
  expect(failure.code).toBe('ECONNREFUSED');
  agent.destroy();
});

import { expect, test } from 'vitest';
import type { AnsweredRequest } from '../http/edge/edge.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { requestLine } from './log.ts';

const TIME = '2026-11-22T20:00:00.000Z';
const REQUEST: AnsweredRequest = {
  method: 'GET',
  route: '/things/:thingId',
  status: 200,
  milliseconds: 1.2345,
  sessionId: '7f9c24e8-3b12-4fef-91e0-5b2d3c6f7a80',
  trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true },
  caller: {
    payeeId: '0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' as PayeeId,
    credential: { kind: 'access-token', id: '0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c' } as const,
    scopes: new Set(),
  },
  address: '192.0.2.1',
};

test('the line of a request is one JSON object with what names it', () => {
  const line = requestLine(TIME, REQUEST, []);
  expect(line.endsWith('}\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: TIME,
    sessionId: REQUEST.sessionId,
    traceId: REQUEST.trace?.traceId,
    spanId: REQUEST.trace?.spanId,
    method: 'GET',
    route: '/things/:thingId',
    status: 200,
    milliseconds: 1.23,
    payeeId: REQUEST.caller?.payeeId,
    credential: 'access-token:0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
    address: '192.0.2.1',
    msg: 'request',
  });
});

test('leaves out what is not known', () => {
  const unknown = { sessionId: undefined, trace: undefined, caller: undefined, address: undefined };
  expect(JSON.parse(requestLine(TIME, { ...REQUEST, ...unknown }, []))).toEqual({
    level: 'info',
    time: TIME,
    method: 'GET',
    route: '/things/:thingId',
    status: 200,
    milliseconds: 1.23,
    msg: 'request',
  });
});

test('masks card numbers in what callers choose', () => {
  const chosen = {
    sessionId: '49250000-0000-0004-0000-000000000000',
    trace: { traceId: '00000000000000004925000000000004', spanId: '00f067aa0ba902b7', isSampled: false },
    address: '4925:0000:0000:0004::',
  };
  const line = requestLine(TIME, { ...REQUEST, ...chosen }, []);
  expect(line.replace(/\D/g, '')).not.toContain('4925000000000004');
  expect(JSON.parse(line)).toMatchObject({
    sessionId: expect.stringContaining('*'),
    traceId: expect.stringContaining('*'),
  });
});

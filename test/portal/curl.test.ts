import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from '../../portal/src/calls/curl.ts';

const CALL = {
  callId: '1',
  at: '2026-11-21T10:00:00.000Z',
  sessionId: '0192f1c0-7b0a-4c3e-9d55-2f6f0c1f8a11',
  method: 'POST',
  route: '/psp/creditcard/payments',
  operationId: 'createCardPayment',
  status: 200,
  durationMs: 12,
  credential: 'access-token:1',
  problem: null,
  resourceId: null,
  address: '/psp/creditcard/payments?$expand=prices',
  headers: [
    { name: 'authorization', value: '***' },
    { name: 'host', value: 'pay.example' },
    { name: 'content-type', value: 'application/json' },
  ],
  requestBody: '{"payment":{"description":"Anna\'s $(reboot) `id` order"}}',
  answerBody: 'null',
};

/** What a shell would hand to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a call is copied as a line that a shell takes as it is meant, with a placeholder in the token’s place', () => {
  expect(argumentsOf(curlOf(CALL, 'https://pay.example'))).toEqual([
    '-X',
    'POST',
    'https://pay.example/psp/creditcard/payments?$expand=prices',
    '-H',
    'Authorization: Bearer <access token>',
    '-H',
    'content-type: application/json',
    '--data-raw',
    CALL.requestBody,
  ]);
});

test('a call without a body is copied without one', () => {
  const line = curlOf({ ...CALL, method: 'GET', requestBody: 'null' }, 'https://pay.example');
  expect(argumentsOf(line)).not.toContain('--data-raw');
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { FinishedCall } from '../../src/kit/work/finished-call.ts';
import { listCalls } from '../../src/portal/calls/browse-calls.ts';
import { forgetCalls, keepCalls } from '../../src/portal/calls/keep-calls.ts';
import { maskCall } from '../../src/portal/calls/mask-call.ts';
import {
  type CallRecorder,
  LOGGED_CALLS_PER_SECOND,
  LOGGED_CALLS_WAITING,
  startRecordingCalls,
} from '../../src/portal/calls/record-calls.job.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee, newId } from '../support/database/ledger.ts';
import { jobsOn } from '../support/shop/events.ts';

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

const call = (status: number): FinishedCall => ({
  at: Date.now(),
  payeeId,
  sessionId: newId(),
  method: 'GET',
  route: '/events',
  operationId: 'listEvents',
  status,
  durationMs: 1.4,
  credential: 'access-token:1',
  params: {},
  query: {},
  headers: {},
  bodyForm: undefined,
  answerForm: undefined,
  body: undefined,
  rawBody: undefined,
  answer: { type: 'https://x/errordetail/notfound' },
});

/** What could not be kept: nothing in these tests. */
let failures: readonly unknown[] = [];
afterEach(() => expect(failures).toEqual([]));

function record(now: () => number): CallRecorder {
  const { failures: failed, ...jobs } = jobsOn(database);
  failures = failed;
  return startRecordingCalls({ ...jobs, newId, now, maskCardNumbers: (text) => text, hours: 72 });
}

const stored = async () => (await listCalls(database.read, payeeId, { limit: '100' })).rows.length;

describe('keeping calls', () => {
  test('keeps so many a second, of more only those that failed, and counts the rest', async () => {
    let now = 0;
    const recorder = record(() => now);
    const wanted = (status: number, times: number) =>
      Array.from({ length: times }, () => recorder.wants({ payeeId, status })).filter(Boolean).length;
    expect(wanted(200, LOGGED_CALLS_PER_SECOND + 30)).toBe(LOGGED_CALLS_PER_SECOND);
    expect(wanted(404, 3)).toBe(3);
    expect(wanted(200, 1)).toBe(0);
    now = 1000;
    expect(wanted(200, 1)).toBe(1);
    await recorder.stop();
    expect((await listCalls(database.read, payeeId, {})).skipped).toBe(31);
  });

  test('keeps no more in memory than its room, and writes what is left when it ends', async () => {
    const recorder = record(() => 5000);
    const before = await stored();
    for (let count = 0; count < LOGGED_CALLS_WAITING + 10; count++) {
      if (recorder.wants({ payeeId, status: 500 })) recorder.note(call(500));
    }
    expect(recorder.wants({ payeeId, status: 500 })).toBe(false);
    await recorder.stop();
    expect(before).toBe(0);
    const [{ count } = {}] = await database.asAdmin(`select count(*)::int as count from api_call`);
    expect(count).toBe(LOGGED_CALLS_WAITING);
  });
});

test('old calls and those beyond the number are deleted, the oldest first', async () => {
  await database.asAdmin('delete from api_call');
  const hour = 3_600_000;
  const ids = [100, 80, 3, 2, 1].map((hours) => uuidAt(Date.now() - hours * hour));
  const calls = ids.map((callId) => maskCall(call(200), { callId, maskCardNumbers: (text) => text }));
  await database.transact((transaction) => keepCalls(transaction, { calls, skipped: [] }));
  expect(await database.transact((transaction) => forgetCalls(transaction, payeeId, 72))).toBe(true);
  expect(await database.transact((transaction) => forgetCalls(transaction, payeeId, 72))).toBe(false);
  const left = (await listCalls(database.read, payeeId, {})).rows.map(({ callId }) => callId);
  expect(left).toEqual(ids.slice(2).reverse());
});

/** An id that was made then. */
function uuidAt(unixMs: number): string {
  const time = unixMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${newId().slice(15)}`;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { brokenInvariants } from '../support/crash/books.ts';
import { type Answers, differences, type RecordedAnswer, readAnswers, writeAnswers } from './answers.ts';
import { askAll } from './asking.ts';
import { runAll } from './commands.ts';
import { digestOfRows } from './digest.ts';
import { openRecorded, type Recorded } from './opened.ts';
import { NOT_ASKED } from './questions.ts';
import { keptFile } from './rows.ts';
import { missingStates } from './states.ts';

// A database that an older version has filled gives the same answers under this one. docs/testing.md says how both are recorded.

/** `TEST_RECORD=answers`: what is answered now is kept, in the place of what was recorded. */
const RECORDS = process.env['TEST_RECORD'] === 'answers';
/** Differences that are shown of all that there are. */
const SHOWN = 40;
/** Where the amount of an order stands in this version, for a control that changes it. */
const TABLE_OF_ORDERS = { name: 'payment_order', amount: 'amount' };

let recorded: Recorded;
let digest: string;
let missing: readonly string[];
let answers: Map<string, readonly RecordedAnswer[]>;
beforeAll(async () => {
  recorded = await openRecorded(async (database) => {
    digest = await digestOfRows(database);
    missing = await missingStates(database);
  });
  const { database, payee, address, questions, service, commands } = recorded;
  answers = await askAll(database, payee, address, questions);
  answers.set('commands', await runAll(service, payee.payeeId, commands));
  if (RECORDS) {
    process.stdout.write(`${differences(readAnswers(), answers).join('\n')}\n`);
    writeAnswers(answers);
  }
}, 300_000);
afterAll(() => recorded.close());

test('what is answered is what was recorded', () => {
  const found = differences(readAnswers(), answers);
  expect(found.slice(0, SHOWN), `${found.length} differences`).toEqual([]);
});

test('each question is one that is answered, or refused for what the object is', () => {
  const odd = [...answers.values()].flat().filter(({ status }) => ![200, 403, 404].includes(status));
  expect(odd.map(({ ask, status }) => `${status} ${ask}`).slice(0, SHOWN)).toEqual([]);
});

test('the rows have every state of `states.ts`', () => {
  expect(missing).toEqual([]);
});

test('every GET of the API and the portal is asked, but for those that say why not', () => {
  const { apiRoutes, portalRoutes } = describeRoutes();
  const routes = [...apiRoutes, ...portalRoutes].filter(({ method }) => method === 'GET');
  const asked = new Set(
    [...answers.values()].flat().flatMap(({ operationId, status }) => (status === 200 ? operationId : [])),
  );
  const left = routes.map(({ operationId }) => operationId).filter((name) => !asked.has(name));
  expect(left.toSorted()).toEqual(Object.keys(NOT_ASKED).toSorted());
});

test('the rows are those that were counted when they were kept', () => {
  if (RECORDS) writeFileSync(keptFile('digest.txt'), digest);
  expect(digest).toBe(readFileSync(keptFile('digest.txt'), 'utf8'));
});

test('the books are in order', async () => {
  expect(await brokenInvariants(recorded)).toEqual({});
});

describe('a difference is found', () => {
  test('of an amount in one row', async () => {
    const { database, payee, address, questions } = recorded;
    const order = questions.find(({ operationId, as }) => operationId === 'getPaymentOrder' && as === '3.1');
    if (order === undefined) throw new Error('there are orders');
    const about = (some: Answers): Answers =>
      new Map([['order', [...some.values()].flat().filter(({ ask, as }) => ask === order.path && as === order.as)]]);
    await database.asAdmin(`
      set session_replication_role = replica;
      update ${TABLE_OF_ORDERS.name} set ${TABLE_OF_ORDERS.amount} = ${TABLE_OF_ORDERS.amount} + 1`);
    const now = await askAll(database, payee, address, [order]);
    expect(differences(about(readAnswers()), about(now))).toContainEqual(
      expect.stringMatching(/\(3\.1\): \.body\.paymentOrder\.amount was (\d+), is \d+$/),
    );
  });

  test('of the name of a member, of the order of members, of an answer that is missing and of one more', () => {
    const answer = {
      ask: '/x',
      as: 'program',
      operationId: 'x',
      status: 200,
      type: 'json',
      body: { a: { b: 1, c: 2 } },
    } as const;
    const found = (body: unknown) => differences(new Map([['x', [answer]]]), new Map([['x', [{ ...answer, body }]]]));
    expect(found({ a: { b: 1, d: 2 } })).toEqual([
      '/x (program): .body.a.c was 2, is nothing',
      '/x (program): .body.a.d was nothing, is 2',
    ]);
    expect(found({ a: { c: 2, b: 1 } })).toEqual(['/x (program): .body.a has its members in another order']);
    expect(found({ a: { b: 1, c: 2 } })).toEqual([]);
    const none = new Map();
    const one = new Map([['x', [answer]]]);
    expect([differences(one, none), differences(none, one)]).toEqual([
      ['/x (program): is not asked any more'],
      ['/x (program): was not recorded'],
    ]);
  });
});

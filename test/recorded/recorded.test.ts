import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../support/crash/books.ts';
import { type Answers, differences, readAnswers, writeAnswers } from './answers.ts';
import { askAll } from './asking.ts';
import { digestOfRows } from './digest.ts';
import { openRecorded, type Recorded } from './opened.ts';
import { keptFile } from './rows.ts';

// A database that an older version has filled gives the same answers under this one. docs/testing.md says how both are recorded.

/** `TEST_RECORD=answers`: what is answered now is kept, in the place of what was recorded. */
const RECORDS = process.env['TEST_RECORD'] === 'answers';
/** Differences that are shown of all that there are. */
const SHOWN = 40;

let recorded: Recorded;
let digest: string;
let answers: Answers;
beforeAll(async () => {
  recorded = await openRecorded(async (database) => {
    digest = await digestOfRows(database);
  });
  answers = await askAll(recorded.database, recorded.payee, recorded.address, recorded.questions);
  if (RECORDS) writeAnswers(answers);
}, 120_000);
afterAll(() => recorded.close());

test('what is answered is what was recorded', () => {
  const found = differences(readAnswers(), answers);
  expect(found.slice(0, SHOWN), `${found.length} differences`).toEqual([]);
});

test('each question is one that is answered, or refused for what the object is', () => {
  const odd = [...answers.values()].flat().filter(({ status }) => ![200, 403, 404].includes(status));
  expect(odd.map(({ ask, status }) => `${status} ${ask}`).slice(0, SHOWN)).toEqual([]);
});

test('the rows are those that were counted when they were kept', () => {
  if (RECORDS) writeFileSync(keptFile('digest.txt'), digest);
  expect(digest).toBe(readFileSync(keptFile('digest.txt'), 'utf8'));
});

test('the books are in order', async () => {
  expect(await brokenInvariants(recorded)).toEqual({});
});

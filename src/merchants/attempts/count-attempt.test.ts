import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { Refusal } from '../../kit/errors.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { randomSecret, sha256 } from '../../kit/secret.ts';
import type { AttemptSubject } from '../merchants.types.ts';
import { checkAttempts, countAttempt } from './count-attempt.ts';
import { forgetStale } from './forget-stale.ts';

const LIMIT = { kind: 'test', attempts: 5, windowSeconds: 600, refusal: 'Too many.' };
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const newSubject = (): AttemptSubject => ({ payeeId: OPERATOR, digest: sha256(randomSecret()) });
const count = (subject: AttemptSubject, limit = LIMIT) =>
  database.transact((transaction) => countAttempt(transaction, subject, limit));
const check = (subject: AttemptSubject, limit = LIMIT) =>
  database.transact((transaction) => checkAttempts(transaction, subject, limit));
const endWindows = () =>
  database.asAdmin(
    `update attempt set window_starts_at = kontor_now() - interval '1 hour', window_ends_at = kontor_now()`,
  );

describe('counting attempts', () => {
  it('lets exactly as many through as the limit says, for 20 counters at the same moment', async () => {
    const subject = newSubject();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => count(subject)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'toomanyrequests' });
    }
  });

  it('says how long to wait', async () => {
    const subject = newSubject();
    for (let attempt = 0; attempt < 5; attempt++) await count(subject);
    const refusal = await check(subject).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    const { retryAfterSeconds } = refusal as Refusal;
    expect(retryAfterSeconds).toBeGreaterThan(590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(600);
  });

  it('looks without counting', async () => {
    const subject = newSubject();
    for (let look = 0; look < 10; look++) await check(subject);
    for (let attempt = 0; attempt < 4; attempt++) await count(subject);
    await check(subject);
    await count(subject);
    await expect(check(subject)).rejects.toBeInstanceOf(Refusal);
  });

  it('keeps subjects and kinds apart', async () => {
    const subject = newSubject();
    for (let attempt = 0; attempt < 5; attempt++) await count(subject);
    await count(newSubject());
    await check(subject, { ...LIMIT, kind: 'another' });
    await count(subject, { ...LIMIT, kind: 'another' });
    await expect(count(subject)).rejects.toBeInstanceOf(Refusal);
  });

  it('begins anew when the window is over', async () => {
    const subject = newSubject();
    for (let attempt = 0; attempt < 5; attempt++) await count(subject);
    await endWindows();
    await check(subject);
    for (let attempt = 0; attempt < 5; attempt++) await count(subject);
    await expect(count(subject)).rejects.toBeInstanceOf(Refusal);
  });

  it('is forgotten when the window is over, and not before', async () => {
    await count(newSubject());
    await endWindows();
    const subject = newSubject();
    for (let attempt = 0; attempt < 5; attempt++) await count(subject);
    const forgotten = await database.transact(forgetStale);
    expect(forgotten.attempts).toBeGreaterThan(0);
    await expect(check(subject)).rejects.toBeInstanceOf(Refusal);
    expect(await database.transact(forgetStale)).toEqual({ accessTokens: 0, hmacKeys: 0, attempts: 0, more: false });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { jobsOn } from '../../test/support/shop/events.ts';
import { until } from '../../test/support/until.ts';
import { OPERATOR } from '../kit/ids.ts';
import { randomSecret, sha256 } from '../kit/secret.ts';
import { createBackground } from '../kit/work/background.ts';
import { countAttempt } from '../merchants/attempts/count-attempt.ts';
import { forgetStale } from '../merchants/attempts/forget-stale.ts';
import { startForgetting } from './forgetting.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function attempts(): Promise<number> {
  const statement = { name: 'test-count', text: 'select count(*) as count from attempt' };
  const { rows } = await database.read<{ count: number }>(statement, []);
  return rows[0]?.count ?? 0;
}

describe('the work that forgets what is stale', () => {
  it('goes on after a failure, until it is stopped', async () => {
    const limit = { kind: 'test', attempts: 5, windowSeconds: 600, refusal: 'Too many.' };
    for (let subject = 0; subject < 3; subject++) {
      const digest = sha256(randomSecret());
      await database.transact((transaction) => countAttempt(transaction, { payeeId: OPERATOR, digest }, limit));
    }
    await database.asAdmin(
      `update attempt set window_starts_at = kontor_now() - interval '1 hour', window_ends_at = kontor_now() - interval '1 minute'`,
    );
    const failures: unknown[] = [];
    let rounds = 0;
    const stop = startForgetting(
      {
        ...jobsOn(database),
        transact: (work) => (++rounds === 1 ? Promise.reject(new Error('away')) : database.transact(work)),
        background: createBackground((_, error) => void failures.push(error)),
      },
      { work: 'forget-stale', forget: async (transaction) => (await forgetStale(transaction)).more, intervalMs: 1 },
    );
    await until(async () => (await attempts()) === 0);
    await stop();
    expect(failures).toEqual([new Error('away')]);
    expect(rounds).toBeGreaterThan(1);
  });
});

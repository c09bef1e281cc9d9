import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { type Instance, instance, keyFolder } from '../../../test/support/keys.ts';
import { until } from '../../../test/support/until.ts';
import { switchKey } from '../switch-key.ts';
import { loadWriteKeys } from './load-write-keys.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof keyFolder>>;
let one: Instance;
let other: Instance;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), keyFolder()]);
  [one, other] = [instance(database, folder.path('keys.json')), instance(database, folder.path('keys.json'))];
  await one.start();
  await other.start();
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

const currentOf = (by: Instance) =>
  database.transact(async (transaction) => (await loadWriteKeys(transaction, by.keyRing)).current['card-data']);
const isAnybodyWaiting = async () => {
  const { rows } = await database.background.read<{ waiting: number }>(
    {
      name: 'test-waiting',
      text: `select count(*) as waiting from pg_locks
             where not granted and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    },
    [],
  );
  return (rows[0]?.waiting ?? 0) > 0;
};

describe('a writer and a switch of keys', () => {
  it('wait for each other: a writer that had to wait gets the new key, and no other', async () => {
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    let hasSwitched = false;
    const switching = database.transact(async (transaction) => {
      const change = await switchKey(transaction, one, 'card-data');
      hasSwitched = true;
      await mayFinish;
      return change;
    });
    await until(() => hasSwitched);
    const writing = currentOf(other);
    await until(isAnybodyWaiting);
    finish();
    const { to } = await switching;
    expect(await writing).toBe(to);
  });

  it('wait for each other: a switch begins when the last writer with the old key is done', async () => {
    await database.asAdmin(`update key_check set state = 'Retired' where state = 'Previous'`);
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    let [isWriting, isDone] = [false, false];
    const writing = database.transact(async (transaction) => {
      const keys = await loadWriteKeys(transaction, other.keyRing);
      isWriting = true;
      await mayFinish;
      isDone = true;
      return keys.current['card-data'];
    });
    await until(() => isWriting);
    const switching = database.transact(async (transaction) => {
      const change = await switchKey(transaction, one, 'card-data');
      expect(isDone).toBe(true);
      return change;
    });
    await until(isAnybodyWaiting);
    finish();
    expect((await switching).from).toBe(await writing);
  });

  it('hinder no transaction that only writes', async () => {
    await database.transact(async (transaction) => {
      await loadWriteKeys(transaction, one.keyRing);
      expect(await currentOf(other)).toBe(await currentOf(one));
    });
  });
});

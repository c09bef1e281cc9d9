import { chmod, copyFile, readFile, rm, stat } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { type Instance, instance, keyFolder } from '../../../test/support/keys.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { loadWriteKeys } from './load-write-keys.ts';
import { firstKeyId, KEY_PURPOSES } from './ring.rules.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof keyFolder>>;
let path: string;
let count = 0;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), keyFolder()]);
});
beforeEach(async () => {
  path = folder.path(`keys-${count++}.json`);
  await database.asAdmin('truncate key_check');
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

const known = async () =>
  (
    await database.read<{ id: string; state: string }>(
      { name: 'test-known', text: 'select key_id as id, state from key_check order by key_id' },
      [],
    )
  ).rows;
const FIRST_KEYS = KEY_PURPOSES.map((purpose) => ({ id: firstKeyId(purpose), state: 'Current' })).sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
/** What a start is refused with. */
async function refusal(starting: Instance): Promise<string> {
  const error = await starting.start().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Trouble);
  return String(error);
}
/** Keys of the file, in the clear. */
const inFile = async (file: string) =>
  JSON.parse(await readFile(file, 'utf8')).keys as { id: string; material: string }[];

describe('a start', () => {
  it('makes a ring where the database knows no key, and says so for the audit trail', async () => {
    const events = await instance(database, path).start();
    expect(events).toEqual(KEY_PURPOSES.map((purpose) => ({ action: 'activate-key', objectId: firstKeyId(purpose) })));
    expect(await known()).toEqual(FIRST_KEYS);
    expect((await stat(path)).mode & 0o777).toBe(0o400);
    expect(new Set((await inFile(path)).map(({ material }) => material)).size).toBe(KEY_PURPOSES.length);
  });

  it('changes nothing the second time', async () => {
    await instance(database, path).start();
    const before = await readFile(path, 'utf8');
    expect(await instance(database, path).start()).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('makes one ring when twenty do it at once', async () => {
    const instances = Array.from({ length: 20 }, () => instance(database, path));
    const events = await Promise.all(instances.map((one) => one.start()));
    expect(events.filter((made) => made.length > 0)).toHaveLength(1);
    expect(await known()).toEqual(FIRST_KEYS);
    const checks = instances.map(({ keyRing }) => keyRing.held().map(({ checkValue }) => checkValue.toString('hex')));
    expect(new Set(checks.map(String)).size).toBe(1);
  });

  it('takes an existing ring over where the database knows none', async () => {
    await instance(database, path).start();
    const before = await readFile(path, 'utf8');
    await database.asAdmin('truncate key_check');
    await instance(database, path).start();
    expect(await known()).toEqual(FIRST_KEYS);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('adds a purpose that neither ring nor database has, and leaves the other keys as they are', async () => {
    await instance(database, path).start();
    const before = await inFile(path);
    await database.asAdmin(`delete from key_check where purpose = 'identity'`);
    await instance(database, path).keyProvider.replace(await withoutKey(path, 'identity-2'));
    expect(await instance(database, path).start()).toEqual([{ action: 'activate-key', objectId: 'identity-2' }]);
    const after = await inFile(path);
    expect(after).toEqual(expect.arrayContaining(before.filter(({ id }) => id !== 'identity-2')));
    expect(await known()).toEqual(FIRST_KEYS);
  });

  it('is refused without the ring, and makes none', async () => {
    await instance(database, path).start();
    await rm(path);
    const message = await refusal(instance(database, path));
    for (const { id } of FIRST_KEYS) expect(message).toContain(id);
    expect(message).toContain(path);
    expect(message).toContain('there is nothing there');
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('is refused with the ring of another installation, which stays as it is', async () => {
    const other = folder.path(`other-${count}.json`);
    await instance(database, other).start();
    await database.asAdmin('truncate key_check');
    await instance(database, path).start();
    await rm(path);
    await copyFile(other, path);
    const before = await readFile(path, 'utf8');
    const message = await refusal(instance(database, path));
    expect(message).toContain('another key of that name: card-data-1 (card-data)');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('is refused where one key is missing, and names it', async () => {
    const first = instance(database, path);
    await first.start();
    await first.keyProvider.replace(await withoutKey(path, 'fingerprint-1'));
    const message = await refusal(instance(database, path));
    expect(message).toContain('missing: fingerprint-1 (fingerprint)');
    expect(message).not.toContain('card-data-1');
  });

  it('is refused where a single bit of a key has changed, and does not print the key', async () => {
    const first = instance(database, path);
    await first.start();
    const keys = await inFile(path);
    const [key] = keys;
    const bytes = Buffer.from(key?.material ?? '', 'base64');
    bytes.writeUInt8(bytes.readUInt8(31) ^ 1, 31);
    const altered = (await readFile(path, 'utf8')).replace(key?.material ?? '', bytes.toString('base64'));
    await first.keyProvider.replace(new Secret(altered));
    const message = await refusal(instance(database, path));
    expect(message).toContain(`another key of that name: ${key?.id}`);
    expect(message).not.toContain(bytes.toString('base64'));
  });

  it('is refused where others may read the ring', async () => {
    await instance(database, path).start();
    await chmod(path, 0o440);
    expect(await refusal(instance(database, path))).toContain('chmod 0400');
  });
});

describe('a running instance', () => {
  it('is refused a key that its ring does not have, and says which', async () => {
    const one = instance(database, path);
    await one.start();
    await database.asAdmin(
      `insert into key_check (key_id, purpose, state, check_value)
       values ('card-data-9', 'card-data', 'Previous', sha256('x'))`,
    );
    const writing = database.transact((transaction) => loadWriteKeys(transaction, one.keyRing));
    await expect(writing).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('missing: card-data-9 (card-data)') },
    });
  });

  it('is refused a key that is another one than the database knows', async () => {
    const one = instance(database, path);
    await one.keyRing.refresh();
    await one.start();
    await database.asAdmin(`update key_check set check_value = sha256('x') where purpose = 'fingerprint'`);
    const fresh = instance(database, path);
    await fresh.keyRing.refresh();
    const writing = database.transact((transaction) => loadWriteKeys(transaction, fresh.keyRing));
    await expect(writing).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('another key of that name: fingerprint-1') },
    });
  });
});

/** The text of a ring without one of its keys. */
async function withoutKey(file: string, id: string): Promise<Secret> {
  const ring = JSON.parse(await readFile(file, 'utf8'));
  const text = JSON.stringify({ ...ring, keys: ring.keys.filter((key: { id: string }) => key.id !== id) });
  return new Secret(text);
}

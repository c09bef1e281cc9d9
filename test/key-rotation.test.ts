import { copyFile, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { passphraseExport } from '../src/keys/export/key-export.adapter.ts';
import { exportFiles } from '../src/keys/export/key-file.adapter.ts';
import { keyCommands } from '../src/keys/keys.cli.ts';
import type { KeysRuntime } from '../src/keys/keys.types.ts';
import { COMMAND_LINE } from '../src/kit/caller.ts';
import { OPERATOR, type PayeeId, uuidV7 } from '../src/kit/ids.ts';
import { KEY_MOVE_ROWS } from '../src/kit/limits.ts';
import { Secret } from '../src/kit/secret.ts';
import { Trouble } from '../src/kit/work/trouble.ts';
import { HMAC_KEY_USE } from '../src/merchants/hmac-keys/hmac-keys.ts';
import { INSTRUMENT_KEY_USES } from '../src/vault/key-uses.ts';
import { holdInstrumentKeys, openInstrument } from '../src/vault/open-instrument.ts';
import { storeInstruments } from '../src/vault/store-instruments.ts';
import type { InstrumentDraft, SealedInstrument } from '../src/vault/vault.types.ts';
import { auditKeysBy } from '../src/wiring/slices.ts';
import { type TestDatabase, testDatabase } from './support/database/database.ts';
import { type Instance, instance, keyFolder } from './support/keys.ts';
import { testCardNumber } from './support/numbers.ts';
import { runCommand } from './support/run-command.ts';
import { until } from './support/until.ts';

const PASSPHRASE = new Secret('a passphrase for tests');
let folder: Awaited<ReturnType<typeof keyFolder>>;
let database: TestDatabase;
let payeeId: PayeeId;
let path: string;
let service: Instance;

beforeAll(async () => {
  folder = await keyFolder();
});
// Each test rotates in a database of its own: keys are for all payees.
beforeEach(async () => {
  database = await testDatabase();
  payeeId = uuidV7(Date.now()) as PayeeId;
  path = folder.path(`keys-${payeeId}.json`);
  await database.asAdmin(`insert into payee (payee_id, name) values ('${payeeId}', 'Shop')`);
  service = instance(database, path);
  await service.start();
  return () => database.drop();
});
afterAll(() => folder.remove());

const card = (index: number): InstrumentDraft => ({
  kind: 'Card',
  number: new Secret(testCardNumber(index)),
  range: undefined,
});
const store = (by: Instance, ...drafts: InstrumentDraft[]) =>
  database.transact((transaction) => storeInstruments(transaction, by, payeeId, drafts));
const rows = async () =>
  (
    await database.read<SealedInstrument & { cardDataKeyId: string; fingerprintKeyId: string }>(
      {
        name: 'test-instruments',
        text: `
          select payee_id as "payeeId", instrument_id as "instrumentId", kind, sealed,
            card_data_key_id as "cardDataKeyId", fingerprint_key_id as "fingerprintKeyId"
          from instrument`,
      },
      [],
    )
  ).rows;
const states = async () =>
  Object.fromEntries(
    (
      await database.read<{ id: string; state: string }>(
        { name: 'test-states', text: 'select key_id as id, state from key_check order by key_id' },
        [],
      )
    ).rows.map(({ id, state }) => [id, state]),
  );

/** Opens all instruments with the keys that this instance can get at. */
async function numbersBy(reader: Instance): Promise<string[]> {
  const stored = await rows();
  await holdInstrumentKeys(reader.keyRing, stored);
  return stored.map((row) => {
    const content = openInstrument(reader.keyRing, row);
    return content.kind === 'Card' ? content.number.reveal() : content.kind;
  });
}

/** Runs a command as the operator would, with a ring in this file; answers what it printed. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
async function kontor(file: string, ...words: string[]): Promise<any> {
  return JSON.parse((await runCommand(keyCommands, runtime(file), [...words, '--json'])).join('\n'));
}

function runtime(file: string, more: Partial<KeysRuntime> = {}): Omit<KeysRuntime, 'print'> {
  const { keyRing, keyProvider } = instance(database, file);
  return {
    withService: (work) =>
      work({
        keyRing,
        keyProvider,
        transact: database.transact,
        keyUses: [...INSTRUMENT_KEY_USES, HMAC_KEY_USE],
        audit: auditKeysBy(COMMAND_LINE),
      }),
    keyExport: passphraseExport,
    exportFiles,
    passphrase: async () => PASSPHRASE,
    passphraseFile: (location) => ({ location, read: async () => PASSPHRASE }),
    progress: () => undefined,
    pause,
    ...more,
  };
}

const indexes = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const numbers = (from: number, to: number) => indexes(from, to).map(testCardNumber).sort();

describe('a rotation of the card-data key', () => {
  it('moves every row, retires the old key and says so in the audit trail', async () => {
    await store(service, ...indexes(0, KEY_MOVE_ROWS + 20).map(card));
    expect(await kontor(path, 'rotate')).toEqual({
      purpose: 'card-data',
      from: 'card-data-1',
      to: 'card-data-2',
      ...{ isResumed: false, isEnding: false },
      moved: KEY_MOVE_ROWS + 20,
    });
    expect(await states()).toMatchObject({ 'card-data-1': 'Retired', 'card-data-2': 'Current' });
    expect(new Set((await rows()).map(({ cardDataKeyId }) => cardDataKeyId))).toEqual(new Set(['card-data-2']));
    // The running service has never heard of the new key, and finds it in the file.
    expect((await numbersBy(service)).sort()).toEqual(numbers(0, KEY_MOVE_ROWS + 20));
    const audit = await database.read<{ action: string; objectId: string }>(
      {
        name: 'test-audit',
        text: `select action, object_id as "objectId" from audit where payee_id = $1 order by audit_id`,
      },
      [OPERATOR],
    );
    expect(audit.rows).toEqual([
      { action: 'activate-key', objectId: 'card-data-2' },
      { action: 'retire-key', objectId: 'card-data-1' },
    ]);
  });

  it('shows how far it is', async () => {
    await store(service, ...indexes(0, KEY_MOVE_ROWS + 1).map(card));
    const shown: (string | undefined)[] = [];
    await runCommand(keyCommands, runtime(path, { progress: (text) => shown.push(text) }), ['rotate']);
    expect(shown[0]).toMatch(/ 0 %, 0 of 501$/);
    expect(shown).toContainEqual(expect.stringMatching(/ 99 %, 500 of 501$/));
    expect(shown.at(-1)).toBeUndefined();
  });

  it('goes on beside instances that read and write all the time, one with a copy of the ring', async () => {
    const copy = folder.path(`copy-${payeeId}.json`);
    expect(await kontor(path, 'rotate', '--prepare')).toEqual({ prepared: 'card-data-2', isNew: true });
    expect(await kontor(path, 'rotate', '--prepare')).toEqual({ prepared: 'card-data-2', isNew: false });
    await copyFile(path, copy);
    const other = instance(database, copy);
    await other.start();
    await store(service, ...indexes(0, 700).map(card));
    expect(new Set((await rows()).map(({ cardDataKeyId }) => cardDataKeyId))).toEqual(new Set(['card-data-1']));

    let isRotating = true;
    let next = 700;
    const work = async (by: Instance) => {
      while (isRotating) {
        await store(by, card(next++), card(next % 700));
        await numbersBy(by);
      }
    };
    const workers = [service, other, service, other].map(work);
    await until(() => next > 710);
    const rotation = await kontor(path, 'rotate').finally(() => {
      isRotating = false;
    });
    await Promise.all(workers);

    expect(rotation).toMatchObject({ from: 'card-data-1', to: 'card-data-2' });
    const stored = await rows();
    expect(new Set(stored.map(({ cardDataKeyId }) => cardDataKeyId))).toEqual(new Set(['card-data-2']));
    expect((await numbersBy(other)).sort()).toEqual(numbers(0, next));
  });

  it('is finished by the next run where the first one was cut off', async () => {
    await store(service, ...indexes(0, 2 * KEY_MOVE_ROWS).map(card));
    const stop = new Error('cut off');
    let steps = 0;
    const cutOff = runtime(path, {
      progress: () => {
        if (steps++ === 1) throw stop;
      },
    });
    await expect(runCommand(keyCommands, cutOff, ['rotate'])).rejects.toBe(stop);
    expect(await states()).toMatchObject({ 'card-data-1': 'Previous', 'card-data-2': 'Current' });
    expect((await numbersBy(service)).sort()).toEqual(numbers(0, 2 * KEY_MOVE_ROWS));

    expect(await kontor(path, 'rotate')).toMatchObject({ isResumed: true, to: 'card-data-2', moved: KEY_MOVE_ROWS });
    expect(await states()).toMatchObject({ 'card-data-1': 'Retired', 'card-data-2': 'Current' });
  });

  it('waits for a row that another session has locked', async () => {
    await store(service, ...indexes(0, 3).map(card));
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holder = database.transact(async (transaction) => {
      await transaction.run({ name: 'test-lock', text: 'select from instrument limit 1 for update' }, []);
      await held;
    });
    // The first pause means that two rows are moved and one is left.
    const patient = runtime(path, {
      pause: async () => {
        release();
        await holder;
      },
    });
    const printed = await runCommand(keyCommands, patient, ['rotate', '--json']);
    expect(JSON.parse(printed.join())).toMatchObject({ moved: 3 });
  });

  it('does not begin with a ring that lacks a key', async () => {
    await kontor(path, 'rotate', '--prepare');
    const old = folder.path(`old-${payeeId}.json`);
    await copyFile(path, old);
    await kontor(path, 'rotate');
    await kontor(path, 'rotate');
    await expect(kontor(old, 'rotate')).rejects.toThrow('missing: card-data-3');
  });

  it('lets twenty rotations at once come to the same end', async () => {
    await store(service, ...indexes(0, 10).map(card));
    await Promise.all(Array.from({ length: 20 }, () => kontor(path, 'rotate')));
    const keys = Object.entries(await states()).filter(([id]) => id.startsWith('card-data'));
    expect(keys.filter(([, state]) => state === 'Current')).toHaveLength(1);
    expect(keys.filter(([, state]) => state === 'Previous')).toEqual([]);
    expect((await numbersBy(service)).sort()).toEqual(numbers(0, 10));
  });
});

describe('a rotation of the fingerprint key', () => {
  it('stores no card twice, however many are stored meanwhile', async () => {
    const other = instance(database, path);
    await other.start();
    await store(service, ...indexes(0, 600).map(card));
    let isRotating = true;
    let rounds = 0;
    const work = async (by: Instance, seed: number) => {
      for (let index = seed; isRotating; index += 7, rounds++) {
        await store(by, card(index % 600), card((index + 1) % 600), card(600 + (index % 50)));
      }
    };
    const workers = [work(service, 0), work(other, 300), work(service, 450), work(other, 150)];
    await until(() => rounds > 10);
    const rotation = await kontor(path, 'rotate', '--purpose', 'fingerprint').finally(() => {
      isRotating = false;
    });
    await Promise.all(workers);

    expect(rotation).toMatchObject({ from: 'fingerprint-1', to: 'fingerprint-2' });
    await store(service, ...indexes(0, 650).map(card));
    expect((await numbersBy(service)).sort()).toEqual(numbers(0, 650));
    expect(new Set((await rows()).map(({ fingerprintKeyId }) => fingerprintKeyId))).toEqual(new Set(['fingerprint-2']));
  });

  it('finds a card by its old fingerprint while the rows are being moved', async () => {
    const [before] = await store(service, card(1));
    const stop = new Error('cut off');
    const cutOff = runtime(path, {
      progress: () => {
        throw stop;
      },
    });
    await expect(runCommand(keyCommands, cutOff, ['rotate', '--purpose', 'fingerprint'])).rejects.toBe(stop);
    const [after, fresh] = await store(service, card(1), card(2));
    expect(after?.instrumentId).toBe(before?.instrumentId);
    const keys = Object.fromEntries((await rows()).map((row) => [row.instrumentId, row.fingerprintKeyId]));
    expect(keys).toEqual({
      [after?.instrumentId ?? '']: 'fingerprint-1',
      [fresh?.instrumentId ?? '']: 'fingerprint-2',
    });
  });
});

describe('keys that are retired', () => {
  it('leave the ring when they are destroyed, and their names are not given again', async () => {
    await store(service, card(1));
    await kontor(path, 'rotate');
    const times = { key: 'card-data-1', from: expect.any(String), to: expect.any(String) };
    // Backups of the last days may still be wanted.
    expect(await kontor(path, 'rotate', '--destroy-retired')).toEqual({ destroyed: [], unreadable: [], kept: [times] });
    await database.asAdmin(`update key_check set changed_at = changed_at - interval '31 days' where state = 'Retired'`);
    const destroyed = await kontor(path, 'rotate', '--destroy-retired');
    expect(destroyed).toEqual({ destroyed: ['card-data-1'], unreadable: [times], kept: [] });
    expect(await readFile(path, 'utf8')).not.toContain('card-data-1');
    expect((await stat(path)).mode & 0o777).toBe(0o400);
    expect(await kontor(path, 'rotate', '--destroy-retired')).toMatchObject({ destroyed: [] });
    expect(await numbersBy(service)).toEqual([testCardNumber(1)]);
    // A new start does not want it any more.
    expect(await instance(database, path).start()).toEqual([]);
    expect(await kontor(path, 'rotate')).toMatchObject({ to: 'card-data-3' });
    expect(await kontor(path, 'list')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'card-data-1', state: 'Destroyed', isHeld: false }),
        expect.objectContaining({ id: 'card-data-2', state: 'Retired', isHeld: true }),
        expect.objectContaining({ id: 'card-data-3', state: 'Current', isHeld: true, isDue: false }),
      ]),
    );
  });

  it('leave the ring at the next run where the first one was cut off before it wrote the file', async () => {
    await kontor(path, 'rotate');
    await database.asAdmin(`update key_check set state = 'Destroyed' where key_id = 'card-data-1'`);
    expect(await kontor(path, 'rotate', '--destroy-retired')).toMatchObject({
      destroyed: ['card-data-1'],
      unreadable: [],
    });
    expect(await readFile(path, 'utf8')).not.toContain('card-data-1');
  });

  it('are wanted until then', async () => {
    const old = folder.path(`old-${payeeId}.json`);
    await kontor(path, 'rotate');
    await copyFile(path, old);
    await rm(path);
    await expect(instance(database, path).start()).rejects.toThrow('missing: card-data-1');
  });
});

describe('an exported ring', () => {
  it('brings every key back where the ring is lost', async () => {
    await store(service, card(1));
    await kontor(path, 'rotate');
    const out = `${path}.sealed`;
    expect(await kontor(path, 'export', '--out', out)).toEqual({ file: out });
    const sealed = await readFile(out, 'utf8');
    for (const { material } of JSON.parse(await readFile(path, 'utf8')).keys) expect(sealed).not.toContain(material);
    const ring = await readFile(path, 'utf8');
    await rm(path);
    const { added } = await kontor(path, 'import', out);
    expect(added).toEqual(expect.arrayContaining(['card-data-1', 'card-data-2', 'fingerprint-1']));
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(JSON.parse(ring));
    expect(await kontor(path, 'import', out)).toEqual({ added: [] });
    const restarted = instance(database, path);
    await restarted.start();
    expect(await numbersBy(restarted)).toEqual([testCardNumber(1)]);
  });

  it('does not bring a destroyed key back', async () => {
    await kontor(path, 'rotate');
    const out = `${path}.sealed`;
    await kontor(path, 'export', '--out', out);
    await kontor(path, 'rotate', '--destroy-retired', '--retired-for', '0');
    await rm(path);
    expect((await kontor(path, 'import', out)).added).not.toContain('card-data-1');
  });

  it('is refused where it is too old, or of another installation, and nothing is written', async () => {
    const out = `${path}.sealed`;
    await kontor(path, 'export', '--out', out);
    await kontor(path, 'rotate');
    const ring = await readFile(path, 'utf8');
    await rm(path);
    await expect(kontor(path, 'import', out)).rejects.toThrow('missing: card-data-2');
    await expect(stat(path)).rejects.toThrow('ENOENT');

    await database.asAdmin('truncate key_check');
    await service.keyProvider.create(new Secret(ring));
    const another = folder.path(`another-${payeeId}.json`);
    await instance(database, another).start();
    await expect(kontor(another, 'import', out)).rejects.toThrow(Trouble);
  });
});

it('refuses a purpose whose keys cannot be rotated', async () => {
  await expect(kontor(path, 'rotate', '--purpose', 'identity')).rejects.toMatchObject({ code: 'inputerror' });
});

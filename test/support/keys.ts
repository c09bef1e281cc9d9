import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { keyStorage } from '../../src/keys/compose.ts';
import type { KeyEvent, KeyRing, KeyStorage } from '../../src/keys/keys.types.ts';
import { startKeys } from '../../src/keys/ring/start-keys.ts';
import { uuidV7 } from '../../src/kit/ids.ts';
import { randomDigits, randomKey, randomSecret } from '../../src/kit/secret.ts';
import type { Kontor } from '../../src/kontor.types.ts';
import type { TestDatabase } from './database/database.ts';

/** One process of the service as far as keys go: its own memory, and a ring that others may share or have a copy of. */
export interface Instance extends Kontor, KeyStorage {
  /** What a start of the service does with the keys. */
  start(): Promise<readonly KeyEvent[]>;
}

/** What all slices share, of a sandbox on a test's database. */
export function kontorOn(database: TestDatabase, keyRing: KeyRing): Kontor {
  return {
    config: readConfig({ KONTOR_MODE: 'sandbox', KONTOR_DATABASE_URL: database.appUrl }),
    database,
    keyRing,
    newId: () => uuidV7(Date.now()),
    newSecret: randomSecret,
    newRandom: randomKey,
    randomDigits,
    cardPrefixes: () => [],
    notePrefix: () => undefined,
  };
}

/** A folder for key rings; remove it in `afterAll`. */
export async function keyFolder(): Promise<{ path(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-keys-'));
  return { path: (name) => join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** An instance whose ring is in this file. It has not started yet. */
export function instance(database: TestDatabase, path: string): Instance {
  const { keyProvider, keyRing } = keyStorage({ keyFile: path });
  return {
    ...kontorOn(database, keyRing),
    keyProvider,
    start: () => database.transact((transaction) => startKeys(transaction, { keyRing, keyProvider })),
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyStorage } from '../../src/keys/compose.ts';
import type { KeyEvent, KeyProvider, KeyRing, KeyStorage } from '../../src/keys/keys.types.ts';
import { startKeys } from '../../src/keys/ring/start-keys.ts';
import { uuidV7 } from '../../src/kit/ids.ts';
import type { VaultContext } from '../../src/vault/vault.types.ts';
import type { TestDatabase } from './database/database.ts';

/** One process of the service as far as keys go: its own memory, and a ring that others may share or have a copy of. */
export interface Instance extends KeyStorage, VaultContext {
  readonly keyRing: KeyRing;
  readonly keyProvider: KeyProvider;
  /** What a start of the service does with the keys. */
  start(): Promise<readonly KeyEvent[]>;
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
    keyProvider,
    keyRing,
    newId: () => uuidV7(Date.now()),
    start: () => database.transact((transaction) => startKeys(transaction, { keyRing, keyProvider })),
  };
}

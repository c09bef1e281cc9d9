import type { Database } from '../../../src/db/server/database.types.ts';
import type { KeyProvider, KeyStorage } from '../../../src/keys/keys.types.ts';
import { createKeyRing } from '../../../src/keys/ring/key-ring.adapter.ts';
import { loadRing } from '../../../src/keys/ring/load-ring.ts';
import { startKeys } from '../../../src/keys/ring/start-keys.ts';
import type { Secret } from '../../../src/kit/secret.ts';
import type { Kontor } from '../../../src/kontor.types.ts';
import type { TestDatabase } from '../database/database.ts';
import { kontorOn } from '../keys.ts';

/** What the verbs of merchants need, on a test's database, with a key ring that lives in memory. */
export async function merchantsContext(database: TestDatabase): Promise<Kontor & KeyStorage> {
  const keyProvider = memoryKeys();
  const keyRing = createKeyRing(() => loadRing(keyProvider));
  await database.transact((transaction) => startKeys(transaction, { keyRing, keyProvider }));
  return { ...kontorOn(database, keyRing), keyProvider };
}

/** The same, whose look-ups are made so. */
export function findingBy(context: Kontor, find: Database['find']): Kontor {
  return { ...context, database: { ...context.database, find } };
}

/** Looks rows up, and tells of each. */
export function counting(database: Database, count: () => void): Database['find'] {
  return (statement) => {
    const ask = database.find(statement);
    return (key) => {
      count();
      return ask(key) as never;
    };
  };
}

function memoryKeys(): KeyProvider {
  let ring: Secret | undefined;
  return {
    location: 'memory',
    read: async () => ring,
    async create(text) {
      if (ring !== undefined) return false;
      ring = text;
      return true;
    },
    async replace(text) {
      ring = text;
    },
    sealWith: async () => undefined,
  };
}

import type { KeyProvider, KeyStorage } from '../../../src/keys/keys.types.ts';
import { createKeyRing } from '../../../src/keys/ring/key-ring.adapter.ts';
import { loadRing } from '../../../src/keys/ring/load-ring.ts';
import { startKeys } from '../../../src/keys/ring/start-keys.ts';
import { uuidV7 } from '../../../src/kit/ids.ts';
import { randomSecret, type Secret } from '../../../src/kit/secret.ts';
import type { MerchantsContext } from '../../../src/merchants/merchants.types.ts';
import type { TestDatabase } from '../database/database.ts';

/** What the verbs of merchants need, on a test's database, with a key ring that lives in memory. */
export async function merchantsContext(database: TestDatabase): Promise<MerchantsContext & KeyStorage> {
  const keyProvider = memoryKeys();
  const keyRing = createKeyRing(() => loadRing(keyProvider));
  await database.transact((transaction) => startKeys(transaction, { keyRing, keyProvider }));
  return {
    mode: 'sandbox',
    newId: () => uuidV7(Date.now()),
    newSecret: randomSecret,
    cardPrefixes: () => [],
    keyRing,
    keyProvider,
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

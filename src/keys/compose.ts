import type { Database } from '../db/server/database.types.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import { passphraseExport } from './export/key-export.adapter.ts';
import { ringFile } from './export/key-file.adapter.ts';
import { passphraseFile } from './export/passphrase-file.adapter.ts';
import { ringIn } from './export/sealed-ring.ts';
import type { KeyRing, KeyStorage, KeysOfPortal, KeysService, KeyUse } from './keys.types.ts';
import { createKeyRing } from './ring/key-ring.adapter.ts';
import { loadRing } from './ring/load-ring.ts';
import { sharedUses } from './shared-uses.ts';

/** Where the key ring is kept. */
export interface RingPlace {
  readonly keyFile: string;
  /** What holds the passphrase that it is sealed with. */
  readonly keyPassphraseFile?: string | undefined;
}

/** Where the key ring is kept, and the ring, which is loaded from there. */
export function keyStorage({ keyFile, keyPassphraseFile }: RingPlace): KeyStorage {
  const passphrase = keyPassphraseFile === undefined ? undefined : passphraseFile(keyPassphraseFile);
  const keyProvider = ringIn({ ringFile: ringFile(keyFile), keyExport: passphraseExport, passphrase });
  const keyRing: KeyRing = createKeyRing(() => loadRing(keyProvider));
  return { keyProvider, keyRing };
}

/** What the keys of an installation are composed of. */
export interface KeysParts extends KeyStorage {
  readonly database: Database;
  /** Every table whose rows use a key of the ring: what a rotation moves. */
  readonly keyUses: () => readonly KeyUse[];
  /** Writes down what this one does to keys. */
  readonly auditBy: KeysOfPortal['auditBy'];
}

/** Composes the keys. */
export function composeKeys({ database, keyRing, keyProvider, keyUses: ownUses, auditBy }: KeysParts) {
  const { transact } = database.background;
  const keyUses = () => [...ownUses(), ...sharedUses(ownUses())];
  return {
    transact,
    keyRing,
    keyProvider,
    keyUses,
    auditBy,
    commands: {
      keys: (): KeysService => ({
        transact,
        keyRing,
        keyProvider,
        keyUses: keyUses(),
        audit: auditBy(COMMAND_LINE),
      }),
    },
  };
}

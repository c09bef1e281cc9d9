import type { Database } from '../db/server/open-database.ts';
import { INSTRUMENT_KEY_USES } from './key-uses.ts';
import type { VaultService } from './vault.types.ts';

/** Composes the vault. */
export function composeVault({ database }: { readonly database: Pick<Database, 'background'> }) {
  const { transact } = database.background;
  return {
    transact,
    keyUses: INSTRUMENT_KEY_USES,
    commands: { vault: (): VaultService => ({ transact }) },
  };
}

import type { Kontor } from '../kontor.types.ts';
import { INSTRUMENT_KEY_USES } from './key-uses.ts';
import type { VaultService } from './vault.types.ts';

/** Composes the vault. */
export function composeVault({ database }: Kontor) {
  const { transact } = database.background;
  return {
    transact,
    keyUses: INSTRUMENT_KEY_USES,
    commands: { vault: (): VaultService => ({ transact }) },
  };
}

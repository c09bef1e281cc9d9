import type { Kontor } from '../kontor.types.ts';
import { INSTRUMENT_KEY_USES } from './key-uses.ts';
import type { VaultService } from './vault.types.ts';

/** Composes the vault. */
export function composeVault(context: Kontor) {
  return {
    context,
    keyUses: INSTRUMENT_KEY_USES,
    commands: { vault: (): VaultService => context.database.background },
  };
}

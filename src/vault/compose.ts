import type { Database } from '../db/server/open-database.ts';
import { INSTRUMENT_KEY_USES } from './key-uses.ts';
import type { VaultService } from './vault.types.ts';

/** Composes the vault: what operators see of it, and the command that loads card ranges. */
export function composeVault({ database }: { readonly database: Pick<Database, 'background'> }) {
  const { transact } = database.background;
  return {
    keyUses: INSTRUMENT_KEY_USES,
    routes: async () => {
      const { cardRangeRoute } = await import('./card-ranges.http.ts');
      return { portalRoutes: [cardRangeRoute({ transact })] };
    },
    commands: { vault: (): VaultService => ({ transact }) },
  };
}

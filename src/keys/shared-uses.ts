import type { KeyUse } from './keys.types.ts';
import { loadWriteKeys } from './ring/load-write-keys.ts';
import { SHARED_KEY, WAS_SHARED } from './ring/ring.rules.ts';

/**
 * What uses the key that several purposes shared: all of their rows from before. A rotation of `identity` takes each to the key of its own
 * purpose.
 */
export function sharedUses(uses: readonly KeyUse[]): readonly KeyUse[] {
  return uses
    .filter(({ purpose }) => WAS_SHARED.includes(purpose))
    .map((use) => ({
      ...use,
      purpose: 'identity',
      count: async (transaction, keyId) => (keyId === SHARED_KEY ? use.count(transaction, keyId) : 0),
      move: async (transaction, keyRing, { from }) => {
        if (from !== SHARED_KEY) return 0;
        const { current } = await loadWriteKeys(transaction, keyRing);
        return use.move(transaction, keyRing, { from, to: current[use.purpose] });
      },
    }));
}

import type { KeyRing } from './keys.types.ts';

/**
 * Makes sure that the keys of these sealed values are in memory: another process may have rotated them since. One look
 * at each value's first bytes; the ring is loaded again only where a key is new.
 */
export async function holdKeys(keyRing: KeyRing, sealed: readonly Buffer[]): Promise<void> {
  const isHeld = sealed.every((value) => {
    const keyId = keyRing.sealedWith(value);
    return keyId === undefined || keyRing.holds(keyId);
  });
  if (!isHeld) await keyRing.refresh();
}

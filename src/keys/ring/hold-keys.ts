import { keyAbsent } from '../../kit/errors.ts';
import type { KeyRing } from '../keys.types.ts';

/**
 * Makes sure that the keys of these sealed values are in memory: another process may have rotated them since. One look
 * at each value's first bytes; the ring is loaded again only where a key is new.
 *
 * @throws Refusal `unavailable` where the ring lacks one
 */
export async function holdKeys(keyRing: KeyRing, sealed: readonly Buffer[]): Promise<void> {
  const areHeld = () =>
    sealed.every((value) => {
      const keyId = keyRing.sealedWith(value);
      return keyId === undefined || keyRing.holds(keyId);
    });
  if (areHeld()) return;
  await fetchKeys(keyRing);
  if (!areHeld()) throw keyAbsent();
}

/**
 * Loads the ring again, for keys that this process lacks.
 *
 * @throws Refusal `unavailable` where it cannot be loaded
 */
export async function fetchKeys(keyRing: Pick<KeyRing, 'refresh'>): Promise<void> {
  await keyRing.refresh().catch((error: unknown) => {
    throw keyAbsent(error);
  });
}

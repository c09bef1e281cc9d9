import type { Key, KeyProvider } from '../keys.types.ts';
import { parseRing } from './ring-text.rules.ts';

/**
 * Reads the ring from where it is kept.
 *
 * @returns undefined where there is none
 * @throws Trouble where it must not be used (a file that others can read) or is no ring
 */
export async function loadRing(keyProvider: KeyProvider): Promise<readonly Key[] | undefined> {
  const text = await keyProvider.read();
  return text === undefined ? undefined : parseRing(text, keyProvider.location);
}

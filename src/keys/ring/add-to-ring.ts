import { Trouble } from '../../kit/work/trouble.ts';
import type { Key, KeyStorage } from '../keys.types.ts';
import { loadRing } from './load-ring.ts';
import { printRing } from './ring-text.rules.ts';

/**
 * Adds keys to the ring where it is kept, makes it if there is none, and loads it anew. Only for a caller that holds
 * `lockKeys`: two who add at once would lose one of the keys.
 *
 * @throws Trouble where a ring came into being meanwhile by other hands, or cannot be written
 */
export async function addToRing({ keyRing, keyProvider }: KeyStorage, added: readonly Key[]): Promise<void> {
  const keys = await loadRing(keyProvider);
  const text = printRing([...(keys ?? []), ...added]);
  if (keys !== undefined) await keyProvider.replace(text);
  else if (!(await keyProvider.create(text))) {
    throw new Trouble(`Somebody else has just put a key ring in ${keyProvider.location}. Start again.`);
  }
  await keyRing.refresh();
}

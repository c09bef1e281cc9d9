import type { Read } from '../../db/transaction.types.ts';
import { selectKeys } from '../keys.store.ts';
import type { KeyStorage } from '../keys.types.ts';
import { describeMisfit } from './ring.rules.ts';

/**
 * Whether this process has every key that rows are written with, those included that another instance has made since. It
 * loads the ring again where it lacks one, so copying the file into its place is enough.
 *
 * @returns what is missing and where it was looked for, in words for the operator; undefined where nothing is
 */
export async function findMisfit(read: Read, { keyRing, keyProvider }: KeyStorage): Promise<string | undefined> {
  const known = await selectKeys({ run: read });
  const used = known.filter(({ state }) => state === 'Current' || state === 'Previous');
  const missing = () => used.filter(({ id }) => !keyRing.holds(id));
  if (missing().length === 0) return undefined;
  const failure = await keyRing.refresh().then(
    () => undefined,
    (error: unknown) => `${keyProvider.location}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const fit = { missing: missing(), altered: [], toRegister: [], toMake: [] };
  return failure ?? describeMisfit(fit, keyProvider.location, keyRing.held().length > 0);
}

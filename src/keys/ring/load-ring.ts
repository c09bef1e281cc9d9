import type { Read, Transaction } from '../../db/transaction.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { selectKeys } from '../keys.store.ts';
import type { Key, KeyProvider, KeyStorage, KnownKey } from '../keys.types.ts';
import { describeMisfit, fitRing, type RingFit, writeKeys } from './ring.rules.ts';
import { parseRing, printRing } from './ring-text.rules.ts';

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
    throw new Trouble(`Another process has just put a key ring in ${keyProvider.location}. Start again.`);
  }
  await keyRing.refresh();
}

/** What the database knows, and how the ring fits it. */
interface CheckedRing extends RingFit {
  readonly known: readonly KnownKey[];
}

/**
 * Loads the ring anew and holds it against the database. For a caller that holds `lockKeys`: without it, either may
 * change before the other is read.
 *
 * @throws Trouble where a key is missing or another one has its name
 */
export async function checkRing(transaction: Transaction, { keyRing, keyProvider }: KeyStorage): Promise<CheckedRing> {
  const known = await selectKeys(transaction);
  await keyRing.refresh();
  const held = keyRing.held();
  const fit = fitRing(known, held);
  const misfit = describeMisfit(fit, keyProvider.location, held.length > 0);
  if (misfit !== undefined) throw new Trouble(misfit);
  return { ...fit, known };
}

/**
 * Whether this process has every key that rows are written with, those included that another instance has made since. It
 * loads the ring again where it lacks one, so copying the file into its place is enough. Keys that were destroyed meanwhile leave its memory.
 *
 * @returns what is missing and where it was looked for, in words for the operator; undefined where nothing is
 */
export async function findMisfit(read: Read, { keyRing, keyProvider }: KeyStorage): Promise<string | undefined> {
  const known = await selectKeys({ run: read });
  keyRing.forget(known.flatMap(({ id, state }) => (state === 'Destroyed' ? id : [])));
  const used = known.filter(({ state }) => state === 'Current' || state === 'Previous');
  const missing = () => used.filter(({ id }) => !keyRing.holds(id));
  if (missing().length === 0) {
    // What only looks up and digests asks no database for keys: it hears here of those that were rotated.
    const fit = fitRing(used, keyRing.held());
    if (used.length > 0 && fit.missing.length + fit.altered.length === 0) keyRing.trust(used, writeKeys(used));
    return undefined;
  }
  const failure = await keyRing.refresh().then(
    () => undefined,
    (error: unknown) => `${keyProvider.location}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const fit = { missing: missing(), altered: [], toRegister: [], toMake: [] };
  return failure ?? describeMisfit(fit, keyProvider.location, keyRing.held().length > 0);
}

import { type Command, InvalidArgumentError } from 'commander';
import type { Transaction } from '../db/transaction.types.ts';
import { inputError, Refusal } from '../kit/errors.ts';
import { progressBar } from '../kit/work/progress.ts';
import { type GivenUp, giveUpRetiredKeys, removeDestroyedKeys } from './destroy-retired-keys.ts';
import { exportKeys, importKeys, sealRing } from './export/carry-keys.ts';
import type { KeyId, KeyPurpose, KeysRuntime, KeysService } from './keys.types.ts';
import { type PreparedKey, prepareKey } from './prepare-key.ts';
import { beginRotation, countRows, endRotation, hasRowsToMove, moveRows, type Rotating } from './rotate-key.ts';
import { KEY_ROTATION_DAYS, type ShownKey, showKeys } from './show-keys.ts';
import type { KeySwitch } from './switch-key.ts';

/** Times that a key rotation looks again for rows that others hold, and the milliseconds between: half a minute. */
const KEY_MOVE_TRIES = 120;
const KEY_MOVE_PAUSE_MS = 250;
/** Times that it asks for the lock that waits for every writer; each time it waits as long as any lock is waited for. */
const KEY_LOCK_TRIES = 10;

/** Days for which a retired key stays in the ring: about as long as backups of the database are kept. */
const RETIRED_DAYS = 30;

interface RotateOptions {
  readonly purpose: string;
  readonly prepare?: boolean;
  readonly destroyRetired?: boolean;
  readonly retiredFor: number;
  readonly json?: boolean;
}

interface SealOptions {
  readonly passphraseFile: string;
  readonly json?: boolean;
}

/** Adds `kontor keys list|rotate|export|seal|import`. */
export function keyCommands(program: Command, runtime: KeysRuntime): void {
  const keys = program.command('keys').description('the keys that stored card data and secrets are encrypted with');
  keys
    .command('list')
    .description('show which keys there are, without what is in them')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => list(runtime, options));
  keys
    .command('rotate')
    .description('write with a new key from now on, and move all rows to it; run it again to finish an interrupted run')
    .option('--purpose <purpose>', 'which key, by its purpose; keys list shows them', 'card-data')
    .option('--prepare', 'only add the new key to the ring, to be brought to other instances first')
    .option('--destroy-retired', 'instead, take keys out of the ring that no row uses any more')
    .option(
      '--retired-for <days>',
      'how long such a key is kept for backups that need it; 0: not',
      readDays,
      RETIRED_DAYS,
    )
    .option('--json', 'print JSON')
    .action((options: RotateOptions) => rotate(runtime, options));
  keys
    .command('export')
    .description('write a copy of the ring that opens with a passphrase (KONTOR_PASSPHRASE, or typed)')
    .requiredOption('--out <file>', 'a new file')
    .option('--json', 'print JSON')
    .action((options: { out: string; json?: boolean }) => exportRing(runtime, options));
  keys
    .command('seal')
    .description(
      'seal the ring where it lies, so that a start needs its passphrase too; again: with another passphrase',
    )
    .requiredOption('--passphrase-file <file>', 'what holds the passphrase, and KONTOR_KEY_PASSPHRASE_FILE will name')
    .option('--json', 'print JSON')
    .action((options: SealOptions) => seal(runtime, options));
  keys
    .command('import')
    .description('put the keys of an exported ring back')
    .argument('<file>', 'what `kontor keys export` wrote')
    .option('--json', 'print JSON')
    .action((file: string, options: { json?: boolean }) => importRing(runtime, file, options));
}

async function seal(runtime: KeysRuntime, { passphraseFile, json = false }: SealOptions): Promise<void> {
  const passphrase = runtime.passphraseFile(passphraseFile);
  const location = await runtime.withService((service) =>
    service.transact(async (transaction) => {
      const sealed = await sealRing(transaction, service, passphrase);
      await service.audit(
        transaction,
        sealed.map((objectId) => ({ action: 'seal-key', objectId })),
      );
      return service.keyProvider.location;
    }),
  );
  if (json) return runtime.print(JSON.stringify({ file: location, passphraseFile: passphrase.location }));
  runtime.print(
    `${location} is sealed. Start with KONTOR_KEY_PASSPHRASE_FILE=${passphrase.location} from now on, and destroy copies of the ring from before.`,
  );
}

async function list(runtime: KeysRuntime, { json = false }: { json?: boolean }): Promise<void> {
  const keys = await runtime.withService((service) =>
    service.transact((transaction) => showKeys(transaction, service, service.keyUses)),
  );
  if (json) return runtime.print(JSON.stringify(keys));
  for (const key of keys) runtime.print(describeKey(key));
}

function describeKey({ id, state, isHeld, usedSince, isDue, rowsLeft }: ShownKey): string {
  return [
    `${id.padEnd(20)} ${state}`,
    ...(usedSince === null ? [] : [`in use since ${usedSince.slice(0, 10)}`]),
    ...(isDue ? [`older than ${KEY_ROTATION_DAYS} days: rotate it`] : []),
    ...(rowsLeft ? [`${rowsLeft} rows left`] : []),
    ...(isHeld || state === 'Destroyed' ? [] : ['missing in the ring']),
  ].join(', ');
}

async function rotate(runtime: KeysRuntime, options: RotateOptions): Promise<void> {
  const { json = false } = options;
  const print = (result: object, sentence: string) => runtime.print(json ? JSON.stringify(result) : sentence);
  await runtime.withService(async (service) => {
    if (options.destroyRetired === true) {
      const { destroyed, unreadable, kept } = await destroyRetired(service, options.retiredFor);
      return print({ destroyed, unreadable, kept }, sayDestroyed({ destroyed, unreadable, kept }));
    }
    const purpose = rotatable(service, options.purpose);
    if (options.prepare === true) {
      const { key, isNew } = await prepare(service, purpose);
      return print(
        { prepared: key.id, isNew },
        `${key.id} is in the ring${isNew ? '' : ' already'}. Bring the ring to every instance, then run keys rotate.`,
      );
    }
    const result = await rotateKeys(runtime, service, purpose);
    print(result, sayRotated(result));
  });
}

function sayRotated({ from, to, moved, isEnding }: Rotation): string {
  if (!isEnding) return `${from} is retired, ${to} has taken over; ${moved} rows were moved.`;
  return `${to} has taken over from ${from}; ${moved} rows were moved. What cannot be moved is still found with ${from}: the service retires it when that has ended.`;
}

/** A purpose whose rows can be moved; the others' keys cannot be rotated yet. */
function rotatable(service: KeysService, name: string): KeyPurpose {
  const use = service.keyUses.find(({ purpose }) => purpose === name);
  const purposes = [...new Set(service.keyUses.map(({ purpose }) => purpose))];
  if (use === undefined) throw inputError('purpose', `must be one of ${purposes.join(', ')}`);
  return use.purpose;
}

function prepare(service: KeysService, purpose: KeyPurpose): Promise<PreparedKey> {
  return service.transact((transaction) => prepareKey(transaction, service, purpose));
}

/** What was destroyed, of which time backups cannot be read any more, and what was retired too lately. */
interface Destruction {
  readonly destroyed: readonly KeyId[];
  readonly unreadable: readonly BackupTimes[];
  readonly kept: readonly BackupTimes[];
}

/** A key, and the backups that hold rows under it: those of the database between two times. */
interface BackupTimes {
  readonly key: KeyId;
  readonly from: string;
  readonly to: string;
}

async function destroyRetired(service: KeysService, days: number): Promise<Destruction> {
  const { givenUp, kept } = await service.transact(async (transaction) => {
    const result = await giveUpRetiredKeys(transaction, days);
    await service.audit(
      transaction,
      result.givenUp.map(({ id: objectId }) => ({ action: 'destroy-key', objectId })),
    );
    return result;
  });
  const destroyed = await service.transact((transaction) => removeDestroyedKeys(transaction, service));
  const timesOf = ({ id: key, createdAt: from, retiredAt: to }: GivenUp['kept'][number]) => ({ key, from, to });
  return { destroyed, unreadable: givenUp.map(timesOf), kept: kept.map(timesOf) };
}

function sayDestroyed({ destroyed, unreadable, kept }: Destruction): string {
  if (destroyed.length + kept.length === 0) return 'No key is retired.';
  return [
    ...(destroyed.length === 0 ? [] : [`Destroyed: ${destroyed.join(', ')}.`]),
    ...unreadable.map(
      ({ key, from, to }) =>
        `Backups of the database from ${from} to ${to} hold rows under ${key}: they cannot be read any more, but with an export of the ring that has it.`,
    ),
    ...kept.map(
      ({ key, from, to }) =>
        `Kept: ${key}, retired at ${to}. Backups of the database from ${from} to then need it. --retired-for DAYS says how long it is kept.`,
    ),
  ].join('\n');
}

function readDays(text: string): number {
  if (/^[0-9]{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a number of days from 0 to 9999.');
}

/** What a rotation did. */
export interface Rotation extends KeySwitch {
  readonly purpose: KeyPurpose;
  /** Rows that this run moved to the new key. */
  readonly moved: number;
  /** Whether the key before is still looked up with, until what cannot be moved has ended: a job retires it then. */
  readonly isEnding: boolean;
}

/**
 * Switches to a new key, moves every row to it in small steps while the service goes on, and retires the old key. Each
 * step commits, so an interrupted run is finished by the next one.
 *
 * @throws Refusal `unavailable` where others hold rows or locks for too long: run it again
 */
export async function rotateKeys(
  runtime: Pick<KeysRuntime, 'pause' | 'progress'>,
  service: KeysService,
  purpose: KeyPurpose,
): Promise<Rotation> {
  const change = await patiently(runtime, service, (transaction) => beginRotation(transaction, service, purpose));
  const rotating = { purpose, change };
  let moved = 0;
  let total = 0;
  for (let idleRounds = 0; idleRounds < KEY_MOVE_TRIES; ) {
    // A count stops at a million rows, so after those there may be more.
    if (moved >= total) total = moved + (await countLeft(service, rotating));
    runtime.progress(`${progressBar(total === 0 ? 1 : Math.min(moved / total, 1))}, ${moved} of ${total}`);
    const step = await service.transact((transaction) => moveRows(transaction, service, rotating));
    moved += step;
    if (step > 0) {
      idleRounds = 0;
      continue;
    }
    if (await patiently(runtime, service, (transaction) => endRotation(transaction, service, rotating))) {
      runtime.progress(undefined);
      return { purpose, ...change, moved, isEnding: false };
    }
    if (!(await service.transact((transaction) => hasRowsToMove(transaction, service, rotating)))) {
      runtime.progress(undefined);
      return { purpose, ...change, moved, isEnding: true };
    }
    // Rows are left, and others hold them.
    idleRounds++;
    await runtime.pause(KEY_MOVE_PAUSE_MS);
  }
  throw new Refusal(
    'unavailable',
    `Some rows that use ${change.from} are locked. Run the rotation again to finish it.`,
  );
}

function countLeft(service: KeysService, { purpose, change }: Rotating): Promise<number> {
  const keyUses = service.keyUses.filter((use) => use.endsByItself !== true);
  return service.transact((transaction) => countRows(transaction, keyUses, { purpose, keyId: change.from }));
}

/** The lock that the switch needs waits for every writer; where one takes too long, it is tried again. */
async function patiently<Result>(
  runtime: Pick<KeysRuntime, 'pause'>,
  service: KeysService,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.transact(work);
    } catch (error) {
      const isBusy = error instanceof Refusal && error.code === 'unavailable';
      if (!isBusy || attempt === KEY_LOCK_TRIES) throw error;
      await runtime.pause(KEY_MOVE_PAUSE_MS);
    }
  }
}

async function exportRing(runtime: KeysRuntime, { out, json = false }: { out: string; json?: boolean }): Promise<void> {
  await runtime.withService(async (service) => {
    const passphrase = await runtime.passphrase({ isNew: true });
    const text = await exportKeys(service.keyProvider, runtime.keyExport, passphrase);
    await service.transact((transaction) =>
      service.audit(
        transaction,
        service.keyRing.held().map(({ id }) => ({ action: 'export-key', objectId: id })),
      ),
    );
    await runtime.exportFiles.writeNew(out, text);
  });
  runtime.print(
    json
      ? JSON.stringify({ file: out })
      : `The ring is in ${out}. Keep it apart from the database and from its passphrase.`,
  );
}

async function importRing(runtime: KeysRuntime, file: string, { json = false }: { json?: boolean }): Promise<void> {
  const passphrase = await runtime.passphrase({ isNew: false });
  const text = await runtime.keyExport.open(await runtime.exportFiles.read(file), passphrase);
  const added = await runtime.withService((service) =>
    service.transact(async (transaction) => {
      const ids = await importKeys(transaction, service, text);
      await service.audit(
        transaction,
        ids.map((objectId) => ({ action: 'import-key', objectId })),
      );
      return ids;
    }),
  );
  if (json) return runtime.print(JSON.stringify({ added }));
  runtime.print(added.length === 0 ? 'The ring has all of these keys already.' : `Added: ${added.join(', ')}.`);
}

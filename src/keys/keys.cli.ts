import type { Transaction } from '../db/transaction.types.ts';
import { type Command, command, flag, needed, usually } from '../kit/command.ts';
import { inputError, Refusal } from '../kit/errors.ts';
import { progressBar } from '../kit/work/progress.ts';
import { Trouble } from '../kit/work/trouble.ts';
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

const list = command({
  name: 'list',
  about: 'show which keys there are, without what is in them',
  json: 'print JSON',
  run: ({ withService }: KeysRuntime) =>
    withService((service) => service.transact((transaction) => showKeys(transaction, service, service.keyUses))),
  show: (keys) => keys.map(describeKey),
});

const rotate = command({
  name: 'rotate',
  about: 'write with a new key from now on, and move all rows to it; run it again to finish an interrupted run',
  takes: {
    purpose: usually('<purpose>', 'which key, by its purpose; keys list shows them', 'card-data'),
    prepare: flag('only add the new key to the ring, to be brought to other instances first'),
    destroyRetired: flag('instead, take keys out of the ring that no row uses any more'),
    retiredFor: usually(
      '<days>',
      'how long such a key is kept for backups that need it; 0: not',
      RETIRED_DAYS,
      readDays,
    ),
  },
  json: 'print JSON',
  run: (runtime: KeysRuntime, { purpose: name, prepare: isPrepared, destroyRetired: isEnd, retiredFor }) =>
    runtime.withService(async (service): Promise<Said> => {
      if (isEnd) {
        const destruction = await destroyRetired(service, retiredFor);
        return { result: destruction, sentence: sayDestroyed(destruction) };
      }
      const purpose = rotatable(service, name);
      if (!isPrepared) {
        const rotation = await rotateKeys(runtime, service, purpose);
        return { result: rotation, sentence: sayRotated(rotation) };
      }
      const { key, isNew } = await prepare(service, purpose);
      return {
        result: { prepared: key.id, isNew },
        sentence: `${key.id} is in the ring${isNew ? '' : ' already'}. Bring the ring to every instance, then run keys rotate.`,
      };
    }),
  asJson: ({ result }) => result,
  show: ({ sentence }) => sentence,
});

/** What came of a command, for programs and for people. */
interface Said {
  readonly result: object;
  readonly sentence: string;
}

const exportRing = command({
  name: 'export',
  about: 'write a copy of the ring that opens with a passphrase (KONTOR_PASSPHRASE, or typed)',
  takes: { out: needed('<file>', 'a new file') },
  json: 'print JSON',
  run: async (runtime: KeysRuntime, { out: file }) => {
    await runtime.withService(async (service) => {
      const passphrase = await runtime.passphrase({ isNew: true });
      const text = await exportKeys(service.keyProvider, runtime.keyExport, passphrase);
      await service.transact((transaction) =>
        service.audit(
          transaction,
          service.keyRing.held().map(({ id }) => ({ action: 'export-key', objectId: id })),
        ),
      );
      await runtime.exportFiles.writeNew(file, text);
    });
    return { file };
  },
  show: ({ file }) => `The ring is in ${file}. Keep it apart from the database and from its passphrase.`,
});

const seal = command({
  name: 'seal',
  about: 'seal the ring where it lies, so that a start needs its passphrase too; again: with another passphrase',
  takes: {
    passphraseFile: needed('<file>', 'what holds the passphrase, and KONTOR_KEY_PASSPHRASE_FILE will name'),
  },
  json: 'print JSON',
  run: async (runtime: KeysRuntime, { passphraseFile }) => {
    const passphrase = runtime.passphraseFile(passphraseFile);
    const file = await runtime.withService((service) =>
      service.transact(async (transaction) => {
        const sealed = await sealRing(transaction, service, passphrase);
        await service.audit(
          transaction,
          sealed.map((objectId) => ({ action: 'seal-key', objectId })),
        );
        return service.keyProvider.location;
      }),
    );
    return { file, passphraseFile: passphrase.location };
  },
  show: ({ file, passphraseFile }) =>
    `${file} is sealed. Start with KONTOR_KEY_PASSPHRASE_FILE=${passphraseFile} from now on, and destroy copies of the ring from before.`,
});

const importRing = command({
  name: 'import',
  about: 'put the keys of an exported ring back',
  args: ['file'],
  takes: { file: needed('<file>', 'what `kontor keys export` wrote') },
  json: 'print JSON',
  run: async (runtime: KeysRuntime, { file }) => {
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
    return { added };
  },
  show: ({ added }) => (added.length === 0 ? 'The ring has all of these keys already.' : `Added: ${added.join(', ')}.`),
});

/** `keys …`. */
export const keyCommands: readonly Command<KeysRuntime>[] = [list, rotate, exportRing, seal, importRing];

function describeKey({ id, state, isHeld, usedSince, isDue, rowsLeft }: ShownKey): string {
  return [
    `${id.padEnd(20)} ${state}`,
    ...(usedSince === null ? [] : [`in use since ${usedSince.slice(0, 10)}`]),
    ...(isDue ? [`older than ${KEY_ROTATION_DAYS} days: rotate it`] : []),
    ...(rowsLeft ? [`${rowsLeft} rows left`] : []),
    ...(isHeld || state === 'Destroyed' ? [] : ['missing in the ring']),
  ].join(', ');
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
  throw new Trouble('It is a number of days from 0 to 9999.');
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

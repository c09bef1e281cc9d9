import { chown, type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { ExportFiles, RingFile } from '../keys.types.ts';

/** The ring is read-only even for its owner: a change makes it anew. */
const RING_MODE = 0o400;
const OTHERS = 0o077;

/**
 * The file of a key ring.
 *
 * @param path absolute
 */
export function ringFile(path: string): RingFile {
  return {
    location: path,
    read: () => readRing(path),
    async create(text) {
      await makeFolder(dirname(path));
      return withTemporary(path, text.reveal(), async (temporary) => {
        try {
          // Unlike a rename, a link fails where the file exists: no ring is ever overwritten by a new one.
          await link(temporary, path);
          return true;
        } catch (error) {
          if (codeOf(error) === 'EEXIST') return false;
          throw error;
        }
      });
    },
    replace: (text) => withTemporary(path, text.reveal(), (temporary) => putInPlace(temporary, path)),
  };
}

/** Exported rings, which are sealed, in files of the operator's choice. */
export const exportFiles: ExportFiles = {
  async writeNew(path, text) {
    const file = await openFile(path, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  async read(path) {
    const file = await openFile(path, 'r');
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  },
};

async function readRing(path: string): Promise<Secret | undefined> {
  const file = await openFile(path, 'r').catch((error: unknown) => {
    if (error instanceof Trouble && codeOf(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    // Of the open file and not of the path, which could be another file a moment later. Windows has no such modes.
    const stats = await file.stat();
    if (stats.isDirectory())
      throw new Trouble(`${path} is a folder. Name the file in it: KONTOR_KEY_FILE=${join(path, 'keys.json')}`);
    if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0) {
      throw new Trouble(`Others than its owner may use the key ring ${path}. Run: chmod 0400 ${path}`);
    }
    return new Secret(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

/** Writes a durable file beside the ring, gives it to the work, and removes what is left of it. */
async function withTemporary<Result>(
  path: string,
  text: string,
  work: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = `${path}.${process.pid}.new`;
  await rm(temporary, { force: true });
  const file = await openFile(temporary, 'wx', RING_MODE);
  try {
    await file.writeFile(text);
    // A key must have reached the disk before the first row is written with it.
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    const result = await work(temporary);
    await syncFolder(dirname(path));
    return result;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A command run by root must not take the ring away from the service's own user. */
async function putInPlace(temporary: string, path: string): Promise<void> {
  const [before, now] = [await stat(path), await stat(temporary)];
  if (before.uid !== now.uid || before.gid !== now.gid) await chown(temporary, before.uid, before.gid);
  await rename(temporary, path);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new Trouble(`${path}, the folder for the key ring, cannot be made (${codeOf(error)}).`, { cause: error });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function openFile(path: string, flags: string, mode?: number): Promise<FileHandle> {
  try {
    return await open(path, flags, mode);
  } catch (error) {
    throw new Trouble(`${path} ${troubleWith(codeOf(error), flags === 'r')}`, { cause: error });
  }
}

function troubleWith(code: string, isRead: boolean): string {
  if (code === 'EEXIST') return 'is there already, and keys are never written over others: name a new file.';
  if (code === 'ENOENT' && !isRead) return 'cannot be written: its folder is not there. Make it, or name another one.';
  return `cannot be ${isRead ? 'read' : 'written'} (${code}).`;
}

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as NodeJS.ErrnoException).code) : '';
}

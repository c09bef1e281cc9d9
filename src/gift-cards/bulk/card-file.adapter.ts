import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { CardFile } from './bulk.types.ts';

const OTHERS = 0o077;

/**
 * Opens a file for issued cards, for its owner only: a new one, or one that a run has left.
 *
 * @throws Trouble where it can be neither, or others may read it
 */
export async function openCardFile(path: string): Promise<CardFile> {
  const file = await openFile(path);
  try {
    const { mode } = await file.stat();
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new Trouble(`Others than its owner may use ${path}. Run: chmod 0600 ${path}`);
    }
    // The name of a new file has to be on the disk before its cards exist.
    await syncFolder(dirname(path));
    // Digits, ids and dates are the same in every encoding; in this one a byte is a character.
    const content = await file.readFile('latin1');
    return writer(file, path, content);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(path, error);
  }
  return open(path, 'r+').catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function writer(file: FileHandle, path: string, content: string): CardFile {
  let confirmed = content.length;
  let written = content.length;
  const cutTo = async (bytes: number) => {
    const { size } = await file.stat();
    if (size !== written)
      throw new Trouble(`Another program writes to ${path}. Nothing was added to it; run this again.`);
    if (size !== bytes) await file.truncate(bytes);
    written = bytes;
  };
  return {
    content: new Secret(content),
    async cut(bytes) {
      await cutTo(bytes);
      confirmed = bytes;
    },
    async append(text) {
      await cutTo(confirmed);
      const bytes = Buffer.from(text.reveal(), 'latin1');
      written += bytes.length;
      await writeAll(file, bytes, confirmed);
      await file.sync();
    },
    confirm() {
      confirmed = written;
    },
    close: () => file.close(),
  };
}

/** A write may take a part only, on a disk that is nearly full. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

function cannotWrite(path: string, error: unknown): Trouble {
  return new Trouble(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
}

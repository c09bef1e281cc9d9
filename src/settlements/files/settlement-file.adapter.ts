import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Trouble } from '../../kit/work/trouble.ts';
import type { OpenFile } from './files.types.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * The files that a path names: itself, or those of a folder, by their names. Folders in it, and files whose names begin with a dot,
 * are left.
 *
 * @throws Trouble where it cannot be read
 */
export async function settlementFilesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${path} cannot be read (${error.code}).`);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  return names.sort().map((name) => join(path, name));
}

/**
 * A file of an acquirer's, which is read from its beginning each time.
 *
 * @throws Trouble where it cannot be read
 */
export async function openSettlementFile(path: string): Promise<OpenFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${path} cannot be read (${error.code}).`);
  });
  if (!found.isFile()) throw new Trouble(`${path} is no file.`);
  return {
    name: basename(path),
    chunks: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    newDigest: () => createHash('sha256'),
  };
}

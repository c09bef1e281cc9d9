import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refuseExposed } from '../../kit/exposed-file.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { RingPassphrase } from '../keys.types.ts';

/**
 * The file that holds the passphrase of a ring. What is no regular file (`/dev/fd/3`) is read once: a pipe has nothing to say a
 * second time.
 */
export function passphraseFile(path: string): RingPassphrase {
  const location = resolve(path);
  let heard: Secret | undefined;
  return {
    location,
    read: async () => {
      if (heard !== undefined) return heard;
      const { text, isOnce } = await readText(location);
      if (isOnce) heard = text;
      return text;
    },
  };
}

async function readText(path: string): Promise<{ text: Secret; isOnce: boolean }> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw new Trouble(`${path}, which holds the passphrase of the key ring, cannot be read (${cause.code}).`, {
      cause,
    });
  });
  try {
    // Of the open file and not of the path, which could be another file a moment later.
    const stats = await file.stat();
    if (stats.isDirectory()) throw new Trouble(`${path} is a folder. Name the file that holds the passphrase.`);
    if (stats.isFile()) refuseExposed(path, stats);
    return { text: new Secret(await file.readFile('utf8')), isOnce: !stats.isFile() };
  } finally {
    await file.close();
  }
}

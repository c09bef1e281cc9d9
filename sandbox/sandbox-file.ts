import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Trouble } from '../src/kit/work/trouble.ts';

/** Where the sandbox tells its addresses and credentials. */
export function sandboxFile(dataDir: string): string {
  return join(dataDir, 'sandbox.json');
}

/**
 * What an earlier start has written; undefined where there is no file.
 *
 * @throws Trouble where the file is no JSON object: a person has edited it, and overwriting it could lose what they
 *   added
 */
export async function readSandboxFile(dataDir: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = sandboxFile(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Trouble(`${path} cannot be read (${error.code}).`);
  });
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through: the message of the parser would show a piece of a secret.
  }
  throw new Trouble(`${path} is not a JSON object. Correct it, or delete it: the next start makes a new one.`);
}

/** Writes the file in one step, for its owner only: it holds secrets. */
export async function writeSandboxFile(dataDir: string, content: Readonly<Record<string, unknown>>): Promise<void> {
  const path = sandboxFile(dataDir);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path).catch(async (error) => {
    await rm(temporary, { force: true });
    throw error;
  });
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CHECKOUT } from './embedded.ts';
import type { TestService } from './service.ts';

/** How a command ended. */
export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ImportEnded extends Ended {
  /** What `--json` printed; undefined where it printed nothing. */
  readonly summary: ImportCounts | undefined;
  /** The lines of the file beside, read as JSON. */
  readonly rejected: readonly Rejected[];
  /** The same file as it is; undefined where there is none. */
  readonly rejectedText: string | undefined;
}

export interface ImportCounts {
  readonly lines: number;
  readonly imported: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface Rejected {
  readonly line: number;
  readonly member: string;
  readonly reason: string;
}

let isBuilt = false;

/** The built command line; builds it where it is older than its sources. */
export function builtCommand(): string {
  if (!isBuilt) {
    execFileSync(process.execPath, [join(CHECKOUT, 'scripts/ensure-built.mjs')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  isBuilt = true;
  return join(CHECKOUT, 'dist/main.js');
}

/** Runs `kontor` to its end, in an environment without settings but these. */
export async function kontor(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  return run(process.execPath, [builtCommand(), ...args], settings);
}

/** Runs any program likewise. */
export async function run(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

/** The settings that lead a command to a test's database and keys. */
export function settingsOf({ config }: TestService): Readonly<Record<string, string>> {
  return {
    KONTOR_DATABASE_URL: config.databaseUrl ?? '',
    KONTOR_DATABASE_OWNER_URL: config.databaseOwnerUrl ?? '',
    KONTOR_DATA_DIR: config.dataDir,
  };
}

/** Writes a migration file, imports it with `--json`, and removes it again. */
export async function importFile(
  content: string | Uint8Array,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ImportEnded> {
  const folder = await mkdtemp('/tmp/kontor-import-');
  const path = join(folder, 'tokens.ndjson');
  try {
    await writeFile(path, content);
    const ended = await kontor(['tokens', 'import', path, '--json', ...args], settings);
    const rejectedText = await readFile(`${path}.rejected`, 'utf8').catch(() => undefined);
    const rejected = (rejectedText ?? '').split('\n').filter((line) => line !== '');
    return {
      ...ended,
      summary: ended.stdout === '' ? undefined : JSON.parse(ended.stdout),
      rejected: rejected.map((line) => JSON.parse(line)),
      rejectedText,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ended, runBuilt, runProcess } from '../command-host.ts';
import { CHECKOUT } from '../database/embedded.ts';
import type { TestService } from '../service.ts';

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
export function kontor(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  return runBuilt(builtCommand(), args, { environment: withPath(settings), folder: CHECKOUT });
}

/** Runs any program likewise, in a process of its own. */
export function run(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runProcess(program, args, { environment: withPath(settings), folder: CHECKOUT });
}

const withPath = (settings: Readonly<Record<string, string>>) => ({ PATH: process.env['PATH'] ?? '', ...settings });

/** The settings that lead a command to a test's database and keys. */
export function settingsOf({ config }: TestService): Readonly<Record<string, string>> {
  return {
    KONTOR_MODE: 'sandbox',
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

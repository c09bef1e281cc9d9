import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type AsAdmin,
  end,
  gone,
  kill,
  postgresTree,
  queryEmbedded,
  type Settings,
  spawnKontor,
  startKillableService,
} from '../support/crash/crash.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { type ImportCounts, kontor, type Rejected } from '../support/shop/tokens-command.ts';
import { cardLine, fileOf } from '../support/shop/tokens-lines.ts';
import { until } from '../support/until.ts';
import { renameUntilCut } from './tokens-client.ts';

/** Who is killed, with signal 9. */
export type Victim = 'service' | 'import' | 'postgres';

/** An installation with a database of its own, whose processes are killed in the middle of an import. */
export interface CrashSite {
  /**
   * Imports a new file while a client renames tokens, kills the victims after so many more answers, starts everything
   * again and looks at what is there.
   */
  round(options: RoundOptions): Promise<Findings>;
  /** Runs a statement as the database's superuser. */
  readonly asAdmin: AsAdmin;
  stop(): Promise<void>;
}

export interface RoundOptions {
  /** Different for each round: names its payers and cards. */
  readonly number: number;
  readonly lines: number;
  readonly victims: readonly Victim[];
  /** Answers that the client still gets between the first written batch and the kill. */
  readonly answersBeforeKill: number;
}

/** What a round found. */
export interface Findings {
  /** Each promise that was broken, in words; none is what we want. */
  readonly broken: readonly string[];
  /** Good lines that the import got, those of them that were there after the restart, and lines that it had said were written. */
  readonly fed: number;
  readonly recovered: number;
  readonly acknowledgedLines: number;
  readonly acknowledgedRenames: number;
  /** Requests that had no answer yet when the signal was sent. */
  readonly openRenames: number;
}

/** Lines between two that are refused. A refusal is written down after its batch has committed, so it vouches for it. */
const REFUSED_EVERY = 50;
/** How much of a file the import gets before the kill: it waits for the rest, so that none is through, however fast it is. */
const FED_SHARE = 0.95;
/** Tokens that the client renames, each in a loop of its own. */
const RENAMED_TOKENS = 8;

/** Sets an installation up in an empty directory. */
export async function openCrashSite(dataDir: string): Promise<CrashSite> {
  const settings = { KONTOR_DATA_DIR: dataDir, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'silent' };
  let service = await startKillableService(settings);
  const asAdmin = (sql: string) => queryEmbedded(dataDir, sql);
  return {
    asAdmin,
    stop: async () => {
      await end(service.process, 'SIGTERM');
    },
    round: async (options) => {
      const renamed = await storeRenamed(dataDir, settings, options.number);
      const file = await writeRoundFile(dataDir, options);
      const feed = await feedPart(file.path, options.lines * FED_SHARE);
      const importing = spawnKontor(['tokens', 'import', feed.path, '--json'], settings);
      const client = renameUntilCut(await shopOf(dataDir, service.baseUrl), renamed);
      await until(async () => (await readRefused(feed.path)).length > 0, 60_000);
      const enough = client.renames.acknowledged() + options.answersBeforeKill;
      await until(() => client.renames.acknowledged() >= enough || client.isOver(), 60_000);
      const targets = await processesOf(options.victims, { service: service.process, importing, dataDir });
      const openRenames = client.renames.unknown();
      await kill(targets);
      client.stop();
      feed.end();
      await Promise.all([client.over, gone(importing)]);
      await end(service.process, 'SIGKILL');
      const acknowledgedLines = (await readRefused(feed.path)).at(-1)?.line ?? 0;
      service = await startKillableService(settings);
      const recovered = await countLines(asAdmin, options.number);
      const broken = [
        ...(await findLostLines(asAdmin, file, acknowledgedLines)),
        ...(await client.findLost(asAdmin)),
        ...(await findDisorder(asAdmin)),
        ...(await resume(asAdmin, settings, { file, recovered, number: options.number })),
      ];
      const fed = file.guids.slice(0, options.lines * FED_SHARE).filter((guid) => guid !== undefined).length;
      const acknowledgedRenames = client.renames.acknowledged();
      return { broken, fed, recovered, acknowledgedLines, acknowledgedRenames, openRenames };
    },
  };
}

async function shopOf(dataDir: string, baseUrl: string) {
  const { payeeId, accessToken } = readSandbox(dataDir);
  return { baseUrl, payeeId, accessToken };
}

/** Stores the tokens that the client is going to rename. */
async function storeRenamed(dataDir: string, settings: Settings, number: number): Promise<string[]> {
  const guids = Array.from({ length: RENAMED_TOKENS }, () => randomUUID());
  const lines = guids.map((token, index) => cardLine(index, { payerReference: `renamed-${number}`, token }));
  const path = join(dataDir, `renamed-${number}.ndjson`);
  await writeFile(path, fileOf(lines));
  const { code, stderr } = await kontor(['tokens', 'import', path], settings);
  if (code !== 0) throw new Error(`The first import failed: ${stderr}`);
  return guids;
}

interface RoundFile {
  readonly path: string;
  /** By their place in the file; undefined for the lines that are refused. */
  readonly guids: readonly (string | undefined)[];
}

async function writeRoundFile(dataDir: string, { number, lines }: RoundOptions): Promise<RoundFile> {
  const guids = Array.from({ length: lines }, (_, index) =>
    (index + 1) % REFUSED_EVERY === 0 ? undefined : randomUUID(),
  );
  const path = join(dataDir, `round-${number}.ndjson`);
  const written = guids.map((token, index) =>
    token === undefined ? {} : cardLine(index, { payerReference: `round-${number}/${index % 100}`, token }),
  );
  await writeFile(path, fileOf(written));
  return { path, guids };
}

/** Makes a pipe beside a file that gives out its first lines, and no end. */
async function feedPart(file: string, lines: number): Promise<{ readonly path: string; end(): void }> {
  const path = `${file}.pipe`;
  await promisify(execFile)('mkfifo', [path]);
  const script = 'exec > "$3"; head -n "$2" "$1"; exec sleep 600';
  const feeding = spawn('sh', ['-c', script, 'sh', file, String(lines), path], { stdio: 'ignore' });
  return { path, end: () => void feeding.kill('SIGKILL') };
}

/** The refusals so far. The last line may be half written. */
async function readRefused(path: string): Promise<Rejected[]> {
  const text = await readFile(`${path}.rejected`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function processesOf(
  victims: readonly Victim[],
  processes: { readonly service: ChildProcess; readonly importing: ChildProcess; readonly dataDir: string },
): Promise<number[]> {
  const ids: Record<Victim, readonly number[]> = {
    service: [processes.service.pid ?? 0],
    import: [processes.importing.pid ?? 0],
    postgres: await postgresTree(processes.dataDir),
  };
  const targets = victims.flatMap((victim) => ids[victim]);
  if (targets.length === 0 || targets.includes(0)) throw new Error('a victim does not run');
  return targets;
}

async function countLines(asAdmin: AsAdmin, number: number): Promise<number> {
  const [row] = await asAdmin(
    `select count(*)::int as count from payer_token where payer_reference like 'round-${number}/%'`,
  );
  return Number(row?.['count']);
}

/** Every line up to the last refusal that was written down was committed, so it must be there. */
async function findLostLines(asAdmin: AsAdmin, { guids }: RoundFile, acknowledged: number): Promise<string[]> {
  const rows = await asAdmin('select token from payer_token');
  const stored = new Set(rows.map(({ token }) => token));
  const lost = guids.slice(0, acknowledged).filter((guid) => guid !== undefined && !stored.has(guid));
  return lost.length === 0 ? [] : [`${lost.length} of ${acknowledged} acknowledged lines are lost`];
}

/** What must hold of the whole database at any time: tokens, instruments and audit rows belong together. */
async function findDisorder(asAdmin: AsAdmin): Promise<string[]> {
  const [row] = await asAdmin(`
    select
      (select count(*)::int from payer_token t where 1 <> (
        select count(*) from audit a
        where a.payee_id = t.payee_id and a.object_kind = 'token' and a.object_id = t.token || '-' || t.token_type
          and a.action = 'import-token'
      )) as "tokens without exactly one audit row",
      (select count(*)::int from audit a where a.action = 'import-token' and not exists (
        select from payer_token t where t.payee_id = a.payee_id and t.token = left(a.object_id, 36)::uuid
      )) as "audit rows without a token",
      (select count(*)::int from instrument i where not exists (
        select from payer_token t where t.payee_id = i.payee_id and t.instrument_id = i.instrument_id
      )) as "instruments without a token",
      (select count(*)::int from (
        select from payer_token group by payee_id, payer_reference, identity_digest having count(*) > 1
      ) doubled) as "lines that are there twice"`);
  return Object.entries(row ?? {}).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
}

/** Runs the import again to its end, and once more. */
async function resume(
  asAdmin: AsAdmin,
  settings: Settings,
  { file, recovered, number }: { readonly file: RoundFile; readonly recovered: number; readonly number: number },
): Promise<string[]> {
  const good = file.guids.filter((guid) => guid !== undefined).length;
  const rejected = file.guids.length - good;
  const rest = { lines: file.guids.length, imported: good - recovered, unchanged: recovered, rejected };
  const nothing = { ...rest, imported: 0, unchanged: good };
  const broken: string[] = [];
  for (const [which, expected] of [['the resumed', rest] as const, ['the third', nothing] as const]) {
    const args = ['tokens', 'import', file.path, '--json', '--allow-refused'];
    const { code, stdout, stderr } = await kontor(args, settings);
    const found: ImportCounts | undefined = code === 0 ? JSON.parse(stdout) : undefined;
    if (JSON.stringify(found) === JSON.stringify(expected)) continue;
    broken.push(`${which} import says ${stdout}${stderr} instead of ${JSON.stringify(expected)}`);
  }
  const stored = await countLines(asAdmin, number);
  if (stored !== good) broken.push(`${stored} lines are there instead of ${good}`);
  return [...broken, ...(await findDisorder(asAdmin))];
}

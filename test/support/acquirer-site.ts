import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquirersBooks, differences, type JournalLine, journalLines, namedTwice, ownBooks } from './acquirer-books.ts';
import { type Acquiring, acquiring, agreed, simulated } from './acquiring.ts';
import type { Started } from './kontor.ts';
import { type Switchboard, switchboard } from './switchboard.ts';
import { until } from './until.ts';

/** Who is killed, with signal 9. */
export type AcquirerVictim = 'kontor' | 'acquirer';

/** An acquirer in a process of its own, behind a switchboard. */
export interface SiteAcquirer {
  readonly id: string;
  readonly board: Switchboard;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** To its process, as to stop it for a while. */
  signal(signal: NodeJS.Signals): void;
  journal(): readonly JournalLine[];
}

/** A production installation and its acquirers, all of them processes that can be killed. */
export interface AcquirerSite {
  readonly kontor: Acquiring;
  readonly acquirers: readonly SiteAcquirer[];
  /** Instances that run. */
  readonly instances: readonly Instance[];
  /** Starts one more instance. */
  serve(): Promise<Instance>;
  /** Where payers may go: to one of the instances that run, each in turn. */
  where(): { readonly baseUrl: string; readonly accessToken: string };
  /** Has all that waits for its time be due now: the process that asked was killed. */
  hurry(): Promise<void>;
  /** Waits until no attempt waits for its acquirer any more. */
  settled(deadlineMs?: number): Promise<void>;
  /** What is wrong with the books of both sides; nothing where all is well. Nothing may be under way. */
  broken(acknowledged: readonly string[]): Promise<string[]>;
  /** Ends all processes, and answers all that they have written. */
  outputs(): Promise<string>;
  remove(): Promise<void>;
}

/** One instance of the service. */
export interface Instance {
  readonly baseUrl: string;
  readonly process: Started['process'];
  kill(): Promise<void>;
}

/** Milliseconds: short, so that nothing waits long for what was killed. */
export const LINE = { answerMs: 1_500, sendMs: 200 };

/**
 * Installs it, with an agreement of one payee with each acquirer. Visa is for the first two, the first one first; the
 * third has Mastercard alone.
 *
 * @param script what an acquirer does with which messages, as JSON lines
 */
export async function acquirerSite(script: readonly object[] = []): Promise<AcquirerSite> {
  const kontor = await acquiring({
    KONTOR_REQUESTS_PER_MINUTE: '0',
    KONTOR_LOG_LEVEL: 'trace',
    NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2',
  });
  const all: Started[] = [];
  const ids = ['north', 'south', 'east'];
  const acquirers = await Promise.all(ids.map((id) => siteAcquirer(kontor, { id, script, all })));
  kontor.configure({
    acquirers: acquirers.map(({ id, board }) => simulated(board.port, { id, name: id, ...LINE })),
    agreements: acquirers.map(({ id }, index) =>
      agreed(kontor.payeeId, {
        id: `at-${id}`,
        acquirer: id,
        priority: index + 1,
        terminalIds: [`WEB0000${index + 1}`],
        brands: [id === 'east' ? 'Mastercard' : 'Visa'],
      }),
    ),
  });
  const instances: Instance[] = [];
  let turn = 0;
  const journals = () => acquirers.map(({ journal }) => journal());
  return {
    kontor,
    acquirers,
    instances,
    async serve() {
      const { baseUrl, started } = await kontor.serve();
      all.push(started);
      const instance: Instance = {
        baseUrl,
        process: started.process,
        kill: async () => {
          instances.splice(instances.indexOf(instance), 1);
          await killed(started);
        },
      };
      instances.push(instance);
      return instance;
    },
    where() {
      const instance = instances[turn++ % instances.length];
      return { baseUrl: instance?.baseUrl ?? 'http://127.0.0.1:1', accessToken: kontor.accessToken };
    },
    hurry: async () => {
      await kontor.database.asAdmin(`
        update issuer_attempt set due_at = kontor_now() where due_at is not null;
        update row_at_work set not_before = kontor_now() where is_under_way`);
    },
    settled: (deadlineMs = 60_000) => until(async () => (await open(kontor)) === 0, deadlineMs),
    async broken(acknowledged) {
      const own = await ownBooks(kontor.database);
      const paid = await kontor.database.asAdmin('select payment_id::text from card_payment where paid_by is not null');
      const ids = new Set(paid.map(({ payment_id: id }) => id));
      const verified = await kontor.installation.kontor(['ledger', 'verify']);
      return [
        ...differences(acquirersBooks(...journals()), own),
        ...acknowledged.filter((id) => !ids.has(id)).map((id) => `${id} is lost`),
        ...journals().flatMap(namedTwice),
        ...(verified.status === 0 ? [] : [`ledger verify: ${verified.stdout}${verified.stderr}`]),
      ];
    },
    async outputs() {
      await Promise.all(all.map(killed));
      const ended = await Promise.all(all.map((started) => started.ended));
      return ended.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    },
    async remove() {
      await kontor.remove();
      await Promise.all(acquirers.map(({ board }) => board.close()));
    },
  };
}

/** Attempts that wait; not those whose acquirer says that it does not know them, which it has to say a minute later again. */
async function open({ database }: Acquiring): Promise<number> {
  const [row] = await database.asAdmin(`
    select count(*)::integer as open from issuer_attempt a
    where due_at is not null and not exists (
      select from acquirer_exchange e
      where (e.payee_id, e.attempt_id, e.kind, e.action_code) = (a.payee_id, a.attempt_id, 'TakeBack', '914')
    )`);
  return Number(row?.['open']);
}

async function killed({ process, ended }: Started): Promise<void> {
  process.kill('SIGKILL');
  await ended;
}

async function siteAcquirer(
  kontor: Acquiring,
  { id, script, all }: { readonly id: string; readonly script: readonly object[]; readonly all: Started[] },
): Promise<SiteAcquirer> {
  const board = await switchboard();
  const journal = join(kontor.installation.folder, `${id}.ndjson`);
  const scriptFile = join(kontor.installation.folder, `${id}.script`);
  writeFileSync(scriptFile, script.map((line) => `${JSON.stringify(line)}\n`).join(''));
  let running: Started | undefined;
  return {
    id,
    board,
    journal: () => journalLines(journal),
    async start() {
      const options = ['--answer-ms', String(LINE.answerMs), '--journal', journal, '--script', scriptFile];
      const { port, started } = await kontor.simulate(...options);
      all.push(started);
      running = started;
      board.leadTo(port);
    },
    signal: (signal) => void running?.process.kill(signal),
    async kill() {
      if (running !== undefined) await killed(running);
      // Lines through the switchboard end with the process that they lead to.
      running = undefined;
    },
  };
}

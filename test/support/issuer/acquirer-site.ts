import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acquirersBooks,
  differences,
  type JournalLine,
  journalLines,
  namedTwice,
  ownBooks,
} from '../crash/acquirer-books.ts';
import type { TestDatabase } from '../database/database.ts';
import type { Started } from '../kontor.ts';
import { until } from '../until.ts';
import { type Acquiring, acquiring, agreed, simulated } from './acquiring.ts';
import { type SiteThreeDS, siteThreeDS } from './site-three-ds.ts';
import { type Switchboard, switchboard } from './switchboard.ts';

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
  /** How long the instances that are started from now on wait for the acquirers. */
  waitFor(line: Line): void;
  /** Starts one more instance. */
  serve(): Promise<Instance>;
  /** Where payers may go: to one of the instances that run, each in turn. */
  where(): { readonly baseUrl: string; readonly accessToken: string };
  /**
   * Waits until no attempt waits for its acquirer any more, but for no time: what is to be told again is due now, and the
   * minute is over after which an acquirer has to say again that it does not know what it is to take back. No payer may pay.
   */
  settled(): Promise<void>;
  /** Messages that were named as others had been, by the acquirers' journals; none at any moment. */
  namedTwice(): string[];
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

/** How long an acquirer is waited for, in milliseconds. */
export interface Line {
  readonly answerMs: number;
  readonly sendMs: number;
}
/** Short, so that nothing waits long for what was killed. */
export const LINE: Line = { answerMs: 1_500, sendMs: 200 };
/** The longest that can be set: whatever is under way stays so until a kill ends it. */
export const PATIENT_LINE: Line = { answerMs: 60_000, sendMs: 10_000 };

/**
 * Installs it, with an agreement of one payee with each acquirer. Visa is for the first two, the first one first; the
 * third has Mastercard alone.
 *
 * @param options.script what an acquirer does with which messages, as JSON lines
 * @param options.main the program that serves, where it is not the built one
 * @param options.ids other acquirers than these three
 * @param options.database its own, where that is not one of the server that all files share
 * @param options.withThreeDS whether payers whose banks take part authenticate
 */
export async function acquirerSite({
  script = [],
  main,
  ids = ['north', 'south', 'east'],
  database,
  withThreeDS = false,
}: {
  readonly script?: readonly object[];
  readonly main?: string | undefined;
  readonly ids?: readonly string[];
  readonly database?: TestDatabase;
  readonly withThreeDS?: boolean;
} = {}): Promise<AcquirerSite> {
  const settings = {
    KONTOR_REQUESTS_PER_MINUTE: '0',
    KONTOR_PAGES_PER_MINUTE: '0',
    KONTOR_CARD_TESTING_NUMBERS: '0',
    KONTOR_LOG_LEVEL: 'trace',
    KONTOR_ACQUIRER_TRACE_DAYS: '1',
    NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2',
    KONTOR_ALLOW_MEMORY_DUMPS: 'true',
  };
  const kontor = await acquiring(settings, main, database);
  const all: Started[] = [];
  const acquirers = await Promise.all(ids.map((id) => siteAcquirer(kontor, { id, script, all })));
  const threeDS = withThreeDS ? await siteThreeDS(kontor) : undefined;
  const waitFor = (line: Line) => configureLines(kontor, { acquirers, line, threeDS });
  waitFor(LINE);
  const instances: Instance[] = [];
  let turn = 0;
  const journals = () => acquirers.map(({ journal }) => journal());
  return {
    kontor,
    acquirers,
    instances,
    waitFor,
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
    async settled() {
      let hurriedAt = Number.NEGATIVE_INFINITY;
      await until(async () => {
        if ((await waiting(kontor)) === 0) return true;
        if (performance.now() - hurriedAt < HURRY_MS) return false;
        await hurry(kontor);
        hurriedAt = performance.now();
        return false;
      }, SETTLED_MS).catch(async (error: unknown) => {
        throw new Error([String(error), ...(await waitingFirst(kontor))].join('\n'));
      });
    },
    namedTwice: () => journals().flatMap(namedTwice),
    async broken(acknowledged) {
      const own = await ownBooks(kontor.database);
      const paid = await kontor.database.asAdmin('select payment_id::text from card_payment where paid_by is not null');
      const ids = new Set(paid.map(({ payment_id: id }) => id));
      const verified = await kontor.installation.kontor(['ledger', 'verify']);
      const different = differences(acquirersBooks(...journals()), own);
      return [
        ...(await Promise.all(different.map(async (difference) => difference + (await storyOf(kontor, difference))))),
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

interface Lines extends Pick<AcquirerSite, 'acquirers'> {
  readonly line: Line;
  readonly threeDS: SiteThreeDS | undefined;
}

function configureLines(kontor: Acquiring, { acquirers, line, threeDS }: Lines): void {
  // Also the cards of banks that take no part are charged.
  const withoutShift = threeDS && { withoutShift: 'attempt' };
  kontor.configure({
    acquirers: acquirers.map(({ id, board }) => simulated(board.port, { id, name: id, ...line, ...withoutShift })),
    agreements: acquirers.map(({ id }, index) =>
      agreed(kontor.payeeId, {
        id: `at-${id}`,
        acquirer: id,
        priority: index + 1,
        terminalIds: [`WEB0000${index + 1}`],
        brands: [id === 'east' ? 'Mastercard' : 'Visa'],
        ...(threeDS && { threeDS: threeDS.merchant }),
      }),
    ),
    ...(threeDS && { threeDS: threeDS.file }),
  });
}

/** What was asked of a payment that two books differ about, in order, with what became of it. */
async function storyOf({ database }: Acquiring, difference: string): Promise<string> {
  const rows = await database.asAdmin(`
    select e.operation, e.kind, e.amount::float, e.state, e.action_code as code, a.state as attempt, a.tries, e.stan,
      to_char(e.sent_at, 'HH24:MI:SS') as sent, to_char(e.answered_at, 'HH24:MI:SS') as answered
    from issuer_attempt a join acquirer_exchange e using (payee_id, attempt_id)
    where a.payment_id = (select payment_id from issuer_attempt where attempt_id = '${difference.slice(0, 32)}')
    order by a.created_at, e.sent_at`);
  return rows.map((row) => `\n  ${JSON.stringify(row)}`).join('');
}

/** Milliseconds between two hurries: longer than an acquirer is waited for. */
const HURRY_MS = 4_000;
/** Milliseconds until all has ended: far more than a lease, and what is told again after it, takes here. */
const SETTLED_MS = 300_000;

/** How many attempts wait. */
async function waiting({ database }: Acquiring): Promise<number> {
  const [row] = await database.asAdmin('select count(*)::integer as open from issuer_attempt where due_at is not null');
  return Number(row?.['open']);
}

/** The first attempts that wait, with what was asked of their acquirers. */
async function waitingFirst({ database }: Acquiring): Promise<string[]> {
  const rows = await database.asAdmin(`
    select a.attempt_id, a.state as attempt, a.tries, e.kind, e.operation, e.amount::float, e.state, e.action_code as code
    from issuer_attempt a
    join acquirer_exchange e using (payee_id, attempt_id)
    where a.due_at is not null
    order by a.created_at, e.kind
    limit 10`);
  return rows.map((row) => JSON.stringify(row));
}

/** What an instance that was killed worked at is taken by another one by itself. */
async function hurry({ database }: Acquiring): Promise<void> {
  await database.asAdmin(`
    update acquirer_exchange set answered_at = answered_at - interval '1 minute' where action_code = '914';
    update issuer_attempt set due_at = case when forward_at is null then kontor_now() else due_at end,
      forward_at = case when forward_at is not null then kontor_now() end
    where due_at is not null`);
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

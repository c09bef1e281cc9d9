import { type Connection, connect } from '../../../src/db/server/connection.ts';
import { requireStandby } from '../database/standby.ts';
import { LINE, PATIENT_LINE } from '../issuer/acquirer-site.ts';
import type { Answer } from '../service.ts';
import { until } from '../until.ts';
import { countOf, type OrderKillSite, type OrderVictim } from './order-kill-site.ts';
import { refuteStep, refuteUndone, type Stage, type Step } from './order-kill-steps.ts';

/** A moment between two steps of what is done with an order: it lasts until all are there, and the kill comes. */
export interface Moment {
  readonly name: string;
  /** How far all has come where the service was killed then. */
  readonly stage: Stage;
  /** Of a take-back: the acquirer is not waited for long. */
  readonly isImpatient?: true;
  /** Also what no acquirer is asked for has got there. */
  readonly isForAll?: true;
  /** Each commit waits for a standby that there is not. What travels in one batch is done then, and the rest has failed. */
  readonly holdsCommits?: true;
  hold(holding: Holding): Promise<void>;
}

/** What a moment is made with. */
interface Holding {
  readonly site: OrderKillSite;
  /** Of all that has begun. */
  readonly steps: readonly Step[];
  /** Sends all requests. */
  begin(): void;
  /** Looks whether all is kept apart that has to be: while the acquirer is asked, or until it has taken its part back. */
  look(what: 'reserves' | 'keeps'): Promise<void>;
  /** Keeps everyone from writing to orders, until the kill is over: soon, or what waits gives up. */
  lock(): Promise<void>;
}

const SOON_MS = 60_000;
const asking = (steps: Asking['steps']) => steps.filter(({ asks }) => asks).length;
/** Waits until this part of a statement finds so many rows. */
export const reach = (site: OrderKillSite, from: string, count: number): Promise<void> =>
  until(async () => (await countOf(site.database, from)) >= count, SOON_MS);

const CALLING = `issuer_attempt a join acquirer_exchange e using (payee_id, attempt_id)
  where a.state = 'CALLING' and e.kind = 'Ask'`;
const GIVEN_UP = `issuer_attempt where state in ('REVERSING', 'FORWARDING')`;
const LOCKED = `pg_stat_activity
  where datname = current_database() and application_name = 'kontor' and wait_event_type = 'Lock'`;
/** Transactions that have written to orders, and whose COMMIT waits for a standby. */
export const COMMITTED = `pg_stat_activity join pg_locks l using (pid)
  where wait_event = 'SyncRep' and l.relation = 'payment_order'::regclass and l.mode = 'RowExclusiveLock'`;

/** Answers of the acquirer to what payments are about, and what it has taken back. */
const answered = ({ acquirer }: OrderKillSite) =>
  acquirer.journal().filter(({ event, type }) => event === 'sent' && !type.startsWith('18')).length;
const takenBack = ({ acquirer }: OrderKillSite) =>
  acquirer.journal().filter(({ event, change }) => event === 'books' && change === 'TakeBack').length;

/** What asks the acquirer. */
interface Asking extends Pick<Holding, 'site' | 'begin'> {
  readonly steps: readonly Pick<Step, 'asks'>[];
}

/** Has all questions stored, and the acquirer not read them. */
export async function askUnread({ site, steps, begin }: Asking): Promise<void> {
  site.acquirer.signal('SIGSTOP');
  begin();
  await reach(site, CALLING, asking(steps));
}

/** Has the acquirer decide on all questions, and the service not hear of it. */
export async function askUnheard({ site, steps, begin }: Asking): Promise<void> {
  const before = answered(site);
  site.acquirer.board.holdBack();
  begin();
  await until(() => answered(site) - before >= asking(steps), SOON_MS);
}

/** All moments, in the order in which they come. */
export const MOMENTS: readonly Moment[] = [
  {
    name: 'before the parts are stored',
    stage: 'nothing',
    isForAll: true,
    async hold({ site, begin, lock }) {
      await lock();
      begin();
      await reach(site, LOCKED, 1);
    },
  },
  {
    name: 'stored, and the acquirer not asked',
    stage: 'failed',
    async hold({ site, steps, begin, look }) {
      site.acquirer.board.cut();
      begin();
      await reach(site, CALLING, asking(steps));
      await look('reserves');
    },
  },
  {
    name: 'asked, and not read',
    stage: 'failed',
    async hold(holding) {
      await askUnread(holding);
      await holding.look('reserves');
    },
  },
  {
    name: 'decided by the acquirer, and not heard of',
    stage: 'failed',
    async hold(holding) {
      await askUnheard(holding);
      await holding.look('reserves');
    },
  },
  {
    name: 'answered, and the answer not stored',
    stage: 'failed',
    async hold(holding) {
      const { site, look, lock } = holding;
      await askUnheard(holding);
      await look('reserves');
      await lock();
      site.acquirer.board.letGo();
      await reach(site, LOCKED, 1);
    },
  },
  {
    name: 'committed, and the service not told',
    stage: 'done',
    holdsCommits: true,
    async hold(holding) {
      const { site } = holding;
      await askUnheard(holding);
      await requireStandby(site.adminUrl, 'nobody');
      site.acquirer.board.letGo();
      await reach(site, COMMITTED, 1);
    },
  },
  {
    name: 'done, and not answered',
    stage: 'done',
    isForAll: true,
    async hold({ site, steps, begin }) {
      const done = `order_transaction where state = 'Completed'`;
      const before = await countOf(site.database, done);
      site.clients.holdBack();
      begin();
      await reach(site, done, before + steps.length);
    },
  },
  {
    name: 'given up, and the take-back not sent or not read',
    stage: 'failed',
    isImpatient: true,
    async hold(holding) {
      await askUnread(holding);
      await reach(holding.site, GIVEN_UP, asking(holding.steps));
      await holding.look('keeps');
    },
  },
  {
    name: 'taken back by the acquirer, and not heard of',
    stage: 'failed',
    isImpatient: true,
    async hold(holding) {
      const { site, steps, look } = holding;
      const before = takenBack(site);
      await askUnheard(holding);
      // A cancel is told again in place of it.
      await until(() => takenBack(site) - before >= asking(steps) - 1, SOON_MS);
      await reach(site, GIVEN_UP, asking(steps));
      await look('keeps');
    },
  },
  {
    name: 'taken back, and that not stored',
    stage: 'failed',
    isImpatient: true,
    async hold(holding) {
      const { site, steps, look, lock } = holding;
      await askUnheard(holding);
      await reach(site, GIVEN_UP, asking(steps));
      await look('keeps');
      await lock();
      site.acquirer.board.letGo();
      await reach(site, LOCKED, 1);
    },
  },
];

/** Longer than anything takes here, and short enough to be waited for again and again. */
const IMPATIENT_LINE = { ...LINE, answerMs: 3_000 };

/** Kills at a moment, and what they come into. */
export interface Kills {
  /** Who is killed together, one group after another. */
  readonly groups: readonly (readonly OrderVictim[])[];
  /** Makes all steps ready to begin, for one of these. */
  readonly ready: (site: OrderKillSite, moment: Moment) => Promise<readonly Step[]>;
}

/**
 * Brings all steps to a moment and kills there, once for each group of victims; then payers and payees go on with all of them.
 *
 * @returns each promise that was broken, in words
 */
export async function killAt(site: OrderKillSite, moment: Moment, { groups, ready }: Kills): Promise<string[]> {
  await site.serveWith(PATIENT_LINE);
  // All payers come from one network, and many of them try a card that fails.
  await site.database.asAdmin('delete from attempt');
  const rounds: Round[] = [];
  for (const victims of groups) {
    const steps = await ready(site, moment);
    rounds.push({ victims, steps, stages: victims.includes('service') ? stagesOf(moment) : ANY_STAGE });
  }
  if (moment.isImpatient) await site.serveWith(IMPATIENT_LINE);
  for (const round of rounds) {
    const wrong = await killIn(site, moment, round);
    if (wrong.length > 0) return wrong.map((finding) => `${round.victims}: ${finding}`);
  }
  await site.serveWith(PATIENT_LINE);
  const wrong = await site.broken();
  for (const round of rounds) {
    // Each has an order of its own.
    const each = await Promise.all(round.steps.map((step) => goOn(site, { ...round, steps: [step] })));
    wrong.push(...each.flat().map((finding) => `after ${round.victims}: ${finding}`));
  }
  return wrong;
}

/** One kill, and what it comes into. */
interface Round {
  readonly victims: readonly OrderVictim[];
  readonly steps: readonly Step[];
  /** How far they may have come then. */
  readonly stages: readonly Stage[];
}

async function killIn(site: OrderKillSite, moment: Moment, { victims, steps, stages }: Round): Promise<string[]> {
  const answers: Promise<Answer | undefined>[] = [];
  const wrong: string[] = [];
  let locking: Connection | undefined;
  await site.lineIsThere();
  const begunAt = await nowOf(site);
  await moment.hold({
    site,
    steps,
    begin: () => void answers.push(...steps.map((step) => step.begin().catch(() => undefined))),
    look: async (what) => void wrong.push(...(await refuteReserved(site, steps, what))),
    lock: async () => {
      locking = await lockOrders(site);
    },
  });
  const killedAt = moment.holdsCommits ? await nowOf(site) : begunAt;
  await site.killAll(victims);
  await letGo(site, { victims, locking, holdsCommits: moment.holdsCommits === true });
  const told = await Promise.all(answers);
  await site.settled();
  for (const [index, step] of steps.entries()) {
    const answer = told[index];
    // What is given up has been told that it is not known.
    const isLate = victims.includes('service') && !moment.isImpatient && answer !== undefined;
    if (isLate) wrong.push(`${step.name}: the signal came too late`);
    const wasTold = answer !== undefined && step.saysDone(answer);
    wrong.push(...(await refuteStep(site, step, wasTold ? ['done'] : stages)));
  }
  if (moment.holdsCommits) wrong.push(...(await refuteNoneDone(site, steps, `${begunAt} and ${killedAt}`)));
  return [...wrong, ...(await site.unlikeBooks())];
}

const ANY_STAGE: readonly Stage[] = ['nothing', 'failed', 'done'];
const stagesOf = ({ stage, holdsCommits }: Moment): readonly Stage[] => (holdsCommits ? ['failed', 'done'] : [stage]);

/** Where commits were held back, one of them was there before the kill, and is there now. */
async function refuteNoneDone({ database }: OrderKillSite, steps: readonly Step[], between: string): Promise<string[]> {
  const ids = steps.map(({ id }) => `'${idIn(id)}'`);
  const done = `order_transaction where state = 'Completed' and order_id in (${ids}) and updated_at between ${between}`;
  return (await countOf(database, done)) === 0 ? ['none of all was committed'] : [];
}

/** The id that a path ends with. */
export const idIn = (path: string): string => path.split('/').at(-1) ?? '';
const nowOf = async ({ database }: OrderKillSite) =>
  `'${(await database.asAdmin('select kontor_now()::text as now'))[0]?.['now']}'`;

/** Payers pay and payees ask again until all is done, and give all back in the end. */
async function goOn(site: OrderKillSite, { steps, stages }: Round): Promise<string[]> {
  const [stage] = stages.length === 1 ? stages : [];
  const wrong: string[] = [];
  for (const step of steps) {
    wrong.push(...(await step.goOn(stage)), ...(await refuteStep(site, step, ['done'])));
    await step.undo();
    wrong.push(...(await refuteUndone(site, step)));
  }
  return wrong;
}

async function lockOrders({ adminUrl }: OrderKillSite): Promise<Connection> {
  const locking = await connect(adminUrl);
  await locking.command('begin');
  await locking.command('lock table payment_order in share mode');
  return locking;
}

interface Held {
  readonly victims: readonly OrderVictim[];
  readonly locking: Connection | undefined;
  /** Whether commits wait for a standby. */
  readonly holdsCommits: boolean;
}

/** Ends what has made the moment last, and starts again what was killed. */
export async function letGo(site: OrderKillSite, { victims, locking, holdsCommits }: Held): Promise<void> {
  const { database, acquirer, clients, adminUrl } = site;
  if (victims.includes('service') && !victims.includes('database')) {
    // What waits for a lock has its COMMIT with it: it must not come through in the name of a process that is gone.
    await until(async () => {
      await database.asAdmin(`select pg_terminate_backend(pid) from ${LOCKED}`);
      return (await countOf(database, LOCKED)) === 0;
    });
  }
  await locking?.command('rollback').catch(() => undefined);
  await locking?.end().catch(() => undefined);
  if (holdsCommits) await requireStandby(adminUrl, '');
  clients.letGo();
  acquirer.board.join();
  if (!victims.includes('acquirer')) acquirer.signal('SIGCONT');
  acquirer.board.letGo();
  await site.bringUp(victims);
}

/** What is not kept apart while its outcome is unknown. */
async function refuteReserved(
  site: OrderKillSite,
  steps: readonly Step[],
  what: 'reserves' | 'keeps',
): Promise<string[]> {
  const found = await Promise.all(
    steps.map(async (step) => {
      const [row] = await site.database.asAdmin(
        `select (reserved_hold + reserved_reversal)::integer as reserved from payment_order where order_id = '${idIn(step.id)}'`,
      );
      // A cancellation that was given up counts as done.
      const isDone = what === 'keeps' && step.legs.failed === step.legs.done;
      const reserved = Number(row?.['reserved']);
      return [
        ...(reserved === step[what] ? [] : [`${step.name}: ${reserved} is kept apart, not ${step[what]}`]),
        // A payer's gift cards are held, and nothing else has moved.
        ...(await refuteStep(site, step, [isDone || step.reserves === 0 ? 'failed' : 'nothing'])),
      ];
    }),
  );
  return found.flat();
}

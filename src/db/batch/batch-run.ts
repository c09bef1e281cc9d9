import { Refusal } from '../../kit/errors.ts';
import type { Connection } from '../server/connection.ts';
import { ConnectionLost, StatementFailed } from '../server/failures.ts';
import type { Pool } from '../server/pool.ts';
import { commit, rollBack } from '../transact.ts';
import type { Rows } from '../transaction.types.ts';
import type {
  Answers,
  BatchProgram,
  BatchTimes,
  Call,
  GuardedCall,
  OpenAnswers,
  QueuedCommand,
} from './batch.types.ts';

/** What `decide` made of one command: an answer, or an error of its own. */
export type Verdict<Result> = { readonly result: Result } | { readonly error: unknown };

/** How a batch ended. */
export type BatchOutcome<Command, Result> =
  /** Committed. Commands without a verdict were left out. */
  | { readonly kind: 'committed'; readonly verdicts: ReadonlyMap<Command, Verdict<Result>>; readonly times: BatchTimes }
  /** Nothing was done, and the connection lives: one of the commands is to blame, or all of them. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Nothing was done, because no connection could be had. */
  | { readonly kind: 'away'; readonly error: unknown }
  /** The connection broke, or the commit was not confirmed. */
  | { readonly kind: 'lost'; readonly error: unknown; readonly commitWasSent: boolean };

/** Runs commands as one transaction, in few flights. What goes wrong is told, not thrown. */
export async function runBatch<Command extends QueuedCommand, Workspace, Result>(
  pool: Pool,
  program: BatchProgram<Command, Workspace, Result>,
  commands: readonly Command[],
  wait: boolean,
): Promise<BatchOutcome<Command, Result>> {
  let connection: Connection;
  try {
    connection = await pool.take();
  } catch (error) {
    return { kind: 'away', error };
  }
  const progress = { commitWasSent: false };
  try {
    const outcome = await fly(connection, program, { commands, wait, progress });
    pool.giveBack(connection);
    return outcome;
  } catch (error) {
    const isKnown = !isUnknown(error) && (await rollBack(connection));
    pool.giveBack(
      connection,
      isKnown ? error : new ConnectionLost('a batch ended without an answer', { cause: error }),
    );
    return isKnown
      ? { kind: 'failed', error: named(error) }
      : { kind: 'lost', error, commitWasSent: progress.commitWasSent };
  }
}

interface Flights<Command> {
  readonly commands: readonly Command[];
  readonly wait: boolean;
  readonly progress: { commitWasSent: boolean };
}

async function fly<Command extends QueuedCommand, Workspace, Result>(
  connection: Connection,
  program: BatchProgram<Command, Workspace, Result>,
  { commands, wait, progress }: Flights<Command>,
): Promise<BatchOutcome<Command, Result>> {
  const startedAt = performance.now();
  const { ahead, first } = await beginFlight(connection, program.ahead(commands), program.open(commands, wait));
  const more = await moreFlight(connection, program.openMore(commands, first));
  const begunAt = performance.now();
  const { verdicts, writes } = decideAll(program, commands, { ahead, first, more }, wait);
  const decidedAt = performance.now();
  const areSure = writes.every(({ isSure }) => isSure);
  // What must be counted first keeps the COMMIT back until then.
  if (!areSure) await writeFlight(connection, writes);
  progress.commitWasSent = !connection.lost;
  await commit(connection, areSure ? writes : []);
  const times = {
    size: verdicts.size,
    beginMs: begunAt - startedAt,
    decideMs: decidedAt - begunAt,
    commitMs: performance.now() - decidedAt,
  };
  return { kind: 'committed', verdicts, times };
}

const BEGIN: Call = { statement: { name: 'begin', text: 'begin' }, values: [] };

async function beginFlight(
  connection: Connection,
  ahead: readonly Call[],
  calls: readonly (Call | undefined)[],
): Promise<Pick<OpenAnswers, 'ahead' | 'first'>> {
  const asked = calls.filter((call) => call !== undefined);
  const started = connection.together(() => [
    ...ahead.map((call) => connection.fly([call])),
    connection.fly([BEGIN, ...asked]),
  ]);
  const flights = await settle(started);
  const answers = (flights.at(-1) ?? []).slice(1).values();
  return {
    ahead: flights.slice(0, ahead.length).map(([answer = NO_ROWS]) => answer.rows),
    first: calls.map((call) => (call === undefined ? NO_ROWS : (answers.next().value ?? NO_ROWS)).rows),
  };
}

/** Most batches have no such flight, and save the way to the server and back. */
async function moreFlight(connection: Connection, calls: readonly Call[]): Promise<Answers> {
  if (calls.length === 0) return [];
  return (await connection.fly(calls)).map(({ rows }) => rows);
}

async function writeFlight(connection: Connection, calls: readonly GuardedCall[]): Promise<void> {
  const answers = await connection.fly(calls);
  for (const [index, { statement, expected }] of calls.entries()) {
    const count = answers[index]?.count;
    if (count !== expected) throw new GuardBroken(`${statement.name} touched ${count} rows instead of ${expected}`);
  }
}

/** A change met another state than the one that was decided on. */
class GuardBroken extends Error {
  override readonly name = 'GuardBroken';
}

/** What a sure change fails with: it divides by whether it touched as many rows as it was given. */
const DIVISION_BY_ZERO = '22012';

function named(error: unknown): unknown {
  if (!(error instanceof StatementFailed) || error.code !== DIVISION_BY_ZERO) return error;
  return new GuardBroken(`${error.statement} touched other rows than it was given`, { cause: error });
}

const NO_ROWS: Rows<unknown> = { rows: [], count: 0 };

/** Waits for all, because one that is still under way would run in whatever comes next; then throws the first failure. */
async function settle<Answer>(promises: readonly Promise<Answer>[]): Promise<Answer[]> {
  const [first, ...others] = promises;
  // Most batches have no more than one.
  if (first !== undefined && others.length === 0) return [await first];
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

function decideAll<Command extends QueuedCommand, Workspace, Result>(
  program: BatchProgram<Command, Workspace, Result>,
  commands: readonly Command[],
  answers: OpenAnswers,
  wait: boolean,
): { verdicts: Map<Command, Verdict<Result>>; writes: readonly GuardedCall[] } {
  const { workspace, leftOut } = program.read(commands, answers, wait);
  const verdicts = new Map<Command, Verdict<Result>>();
  for (const command of commands) {
    if (leftOut.has(command)) program.drop(workspace, command);
    else verdicts.set(command, decideOne(program, workspace, command));
  }
  return { verdicts, writes: program.writes(workspace) };
}

function decideOne<Command extends QueuedCommand, Workspace, Result>(
  program: BatchProgram<Command, Workspace, Result>,
  workspace: Workspace,
  command: Command,
): Verdict<Result> {
  try {
    return { result: program.decide(workspace, command) };
  } catch (error) {
    program.drop(workspace, command);
    return { error };
  }
}

/** What `commit` throws where it is not known whether it was stored. */
function isUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'systemerror';
}

import { Client, DatabaseError } from 'pg';
import { isStranger, requireScram } from '../../src/db/server/scram.ts';
import { CONNECT_TIMEOUT_MS } from '../../src/kit/limits.ts';
import { EmbeddedFailure } from './embedded-failure.ts';

/**
 * Our place in the running server: a session that holds advisory locks for as long as our process lives. Two locks say
 * who is there. Each user of the server shares the first; the one that gets it alone is the last, and stops the server.
 * The second belongs to the one service.
 */
export interface Claim {
  /** Settles when the session is over, whatever ended it. */
  readonly ended: Promise<void>;
  /**
   * Gives up both locks, and takes the first one alone if no other process shares it: then the server is ours to stop.
   */
  leave(): Promise<'last' | 'others remain'>;
  /** Ends the session, if the server has not. */
  end(): Promise<void>;
}

/** Why there is no claim yet. */
export type NoClaim =
  /** No server answers, or the connection breaks. */
  | { readonly reason: 'silent'; readonly cause?: unknown }
  /** The server answers that it cannot take sessions now: it starts, recovers or stops. */
  | { readonly reason: 'busy' }
  /** Others have all its sessions. */
  | { readonly reason: 'full' }
  /** Another service has the directory. */
  | { readonly reason: 'owned'; readonly by: string };

/** Advisory locks have two keys: the first says that a lock is Kontor's (the letters "Kont"), the second which one. */
const KONTOR = 0x4b6f6e74;
const IN_USE = 1;
const SERVICE = 2;

const SHARE_USE = `select pg_try_advisory_lock_shared(${KONTOR}, ${IN_USE}) as done`;
const TAKE_SERVICE = `select pg_try_advisory_lock(${KONTOR}, ${SERVICE}) as done`;
const LEAVE = 'select pg_advisory_unlock_all()';
const TAKE_USE_ALONE = `select pg_try_advisory_lock(${KONTOR}, ${IN_USE}) as done`;
const READ_IDENTIFIER = 'select system_identifier::text as identifier from pg_control_system()';
const SERVICE_OWNER = `
  select application_name as name
    from pg_locks join pg_stat_activity using (pid)
   where locktype = 'advisory' and classid = ${KONTOR} and objid = ${SERVICE} and granted`;

/** What a claim is asked with. */
export interface ClaimOptions {
  /** postgres:// address of the superuser, for whom some sessions are kept free. */
  readonly adminUrl: string;
  /** Reads that of our cluster: a server that has another one is not ours. */
  readonly readIdentifier: () => Promise<string>;
  readonly as: 'serve' | 'command';
}

/**
 * Connects as the superuser, makes sure that the server is ours, and takes the locks.
 *
 * @throws EmbeddedFailure where the server is not ours, or answers with anything but "not now"
 */
export async function takeClaim({ adminUrl, readIdentifier, as }: ClaimOptions): Promise<Claim | NoClaim> {
  const session = new Client({
    connectionString: adminUrl,
    application_name: `kontor ${as}, process ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  requireScram(session);
  const ended = new Promise<void>((resolve) => {
    session.once('end', resolve);
    // Without a listener a lost connection would end our process. 'end' follows.
    session.on('error', () => undefined);
  });
  try {
    await session.connect();
    await checkIdentity(session, await readIdentifier());
    const refusal = await takeLocks(session, as);
    if (refusal === undefined) return { ended, leave: () => leave(session), end: () => end(session) };
    await end(session);
    return refusal;
  } catch (error) {
    await end(session);
    return classify(error);
  }
}

async function checkIdentity(session: Client, ours: string): Promise<void> {
  const { rows } = await session.query<{ identifier: string }>(READ_IDENTIFIER);
  if (rows[0]?.identifier !== ours) throw strangerAnswers();
}

async function takeLocks(session: Client, as: 'serve' | 'command'): Promise<NoClaim | undefined> {
  // A process that has this lock alone is stopping the server.
  if (!(await succeeds(session, SHARE_USE))) return { reason: 'busy' };
  if (as === 'command' || (await succeeds(session, TAKE_SERVICE))) return undefined;
  const { rows } = await session.query<{ name: string }>(SERVICE_OWNER);
  return { reason: 'owned', by: rows[0]?.name ?? 'a process that is ending' };
}

async function leave(session: Client): Promise<'last' | 'others remain'> {
  await session.query(LEAVE);
  return (await succeeds(session, TAKE_USE_ALONE)) ? 'last' : 'others remain';
}

async function succeeds(session: Client, statement: string): Promise<boolean> {
  const { rows } = await session.query<{ done: boolean }>(statement);
  return rows[0]?.done === true;
}

async function end(session: Client): Promise<void> {
  await session.end().catch(() => undefined);
}

/** SQLSTATE 57P0x (starting, recovering, stopping) and class 53 (no free session) pass; another one stays. */
function classify(error: unknown): NoClaim {
  if (error instanceof EmbeddedFailure) throw error;
  if (isStranger(error)) throw strangerAnswers(error);
  if (!(error instanceof DatabaseError)) return { reason: 'silent', cause: error };
  if (error.code?.startsWith('57P')) return { reason: 'busy' };
  if (error.code?.startsWith('53')) return { reason: 'full' };
  throw new EmbeddedFailure(
    `PostgreSQL refuses Kontor's own session (SQLSTATE ${error.code}). The files in <data>/postgres belong together: if you ` +
      'restored some of them, restore all of them from the same backup.',
    { cause: error },
  );
}

function strangerAnswers(cause?: unknown): EmbeddedFailure {
  return new EmbeddedFailure(
    'Another server answers where the PostgreSQL of this data directory should. Kontor has sent it no password and does not ' +
      'use it. End that server, or set KONTOR_DATA_DIR to a directory with a path of at most 70 characters, where PostgreSQL ' +
      'needs no port.',
    { cause },
  );
}

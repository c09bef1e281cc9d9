import type { EmbeddedOptions } from './embedded.types.ts';
import { type Claim, type NoClaim, takeClaim } from './embedded-claim.ts';
import { type Host, type Passwords, readSystemIdentifier } from './embedded-cluster.ts';
import { hasSocket } from './embedded-paths.ts';
import { createPatience, failedStart } from './embedded-patience.ts';
import { type LockFile, type RunningServer, readLockFile } from './embedded-process.ts';
import { type SpawnedServer, spawnServer } from './embedded-server.ts';

/** What it takes to join the server, again and again. */
export interface Start {
  readonly host: Host;
  readonly passwords: Passwords;
  readonly as: EmbeddedOptions['as'];
  readonly log: EmbeddedOptions['log'];
}

/** The server, and our claim to it. */
export interface Joined {
  readonly server: RunningServer;
  readonly claim: Claim;
}

/** What one start has done so far. */
interface Attempt {
  spawned: SpawnedServer | undefined;
  /** Whether another process has shown to use the server. */
  isShared: boolean;
}

/**
 * Looks for a server, spawns one where there is none, and asks it for a claim until that is granted or time is up.
 * Of two processes that spawn one at once, PostgreSQL's lock file lets one live, and the other joins it. A start that fails
 * stops the server that it spawned, unless another process uses that one by now.
 *
 * @param port the one to listen on where the server cannot have a socket; undefined: any free one
 * @throws EmbeddedFailure that says why there is no claim
 */
export async function join(start: Start, port: number | undefined): Promise<Joined> {
  const attempt: Attempt = { spawned: undefined, isShared: false };
  try {
    return await tryToJoin(start, port, attempt);
  } catch (error) {
    if (!attempt.isShared) await attempt.spawned?.stop();
    throw error;
  }
}

async function tryToJoin(start: Start, port: number | undefined, attempt: Attempt): Promise<Joined> {
  const { host, log } = start;
  const wait = createPatience(host.paths, log);
  for (;;) {
    const lockFile = await readLockFile(host.paths);
    if (lockFile !== undefined) {
      const answer = await ask(start, lockFile);
      if ('claim' in answer) {
        log(attempt.spawned === undefined ? 'PostgreSQL runs already; joined it.' : 'PostgreSQL has started.');
        return answer;
      }
      attempt.isShared = answer.reason === 'owned' || answer.reason === 'full';
      await wait(answer);
      if (lockFile.alive || answer.reason !== 'silent') continue;
    }
    const ending = await attempt.spawned?.ended();
    if (ending?.isFinal) throw failedStart(host.paths, 'does not start', ending.said);
    if (attempt.spawned === undefined || ending !== undefined) attempt.spawned = await spawnServer(host, port);
    await wait({ reason: 'silent' });
  }
}

async function ask(start: Start, lockFile: LockFile): Promise<Joined | NoClaim> {
  const { paths } = start.host;
  const server = whereToAsk(start.host, lockFile);
  if (server === undefined) return { reason: lockFile.alive && lockFile.isStarting ? 'busy' : 'silent' };
  const claim = await takeClaim({
    adminUrl: databaseUrl(start, server, 'postgres'),
    readIdentifier: () => readSystemIdentifier(paths),
    as: start.as,
  });
  return 'reason' in claim ? claim : { server, claim };
}

/**
 * Where our server listens, if it may do so by now. A socket in the cluster is ours, whatever the lock file says: the file may
 * be half written, or belong to the directory that ours is a copy of. The socket is tried even where we do not see the
 * process, which may run in another container on the same volume: a second server there would destroy the database. A port
 * counts only while the process that has it is our server, because another program may listen there otherwise.
 */
function whereToAsk({ paths, socketNumber }: Host, { processId, alive, port }: LockFile): RunningServer | undefined {
  if (hasSocket(paths)) return { processId, port: socketNumber, socketDirectory: paths.cluster };
  return alive && port !== undefined ? { processId, port, socketDirectory: undefined } : undefined;
}

/**
 * @returns postgres:// URL, with all that the driver would otherwise take from its own defaults; `require_auth` keeps it from
 * giving the password to a server that does not prove to know it
 */
export function databaseUrl({ passwords }: Start, server: RunningServer, role: keyof Passwords): string {
  const { socketDirectory, port } = server;
  const address = `${role}:${passwords[role]}@${socketDirectory === undefined ? `127.0.0.1:${port}` : ''}/kontor`;
  const socket = socketDirectory === undefined ? '' : `&host=${encodeURIComponent(socketDirectory)}&port=${port}`;
  return `postgres://${address}?sslmode=disable&require_auth=scram-sha-256${socket}`;
}

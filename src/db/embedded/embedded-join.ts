import type { EmbeddedOptions } from './embedded.types.ts';
import { type Claim, takeClaim } from './embedded-claim.ts';
import type { Host, Passwords } from './embedded-cluster.ts';
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

/**
 * Looks for a server, spawns one where there is none, and asks it for a claim until that is granted or time is up.
 * Of two processes that spawn one at once, PostgreSQL's lock file lets one live, and the other joins it.
 *
 * @param port the one to listen on where the server cannot have a socket; undefined: any free one
 * @throws EmbeddedFailure that says why there is no claim
 */
export async function join(start: Start, port: number | undefined): Promise<Joined> {
  const { host, log } = start;
  const wait = createPatience(host.paths, log);
  let spawned: SpawnedServer | undefined;
  for (;;) {
    const server = await readLockFile(host.paths);
    if (server !== undefined && mayAnswer(server)) {
      const claim = await takeClaim(databaseUrl(start, server, 'postgres'), start.as);
      if (!('reason' in claim)) {
        log(spawned === undefined ? 'PostgreSQL runs already; joined it.' : 'PostgreSQL has started.');
        return { server, claim };
      }
      await wait(claim);
      if (server.alive || claim.reason !== 'silent') continue;
    }
    const ending = await spawned?.ended();
    if (ending?.isFinal) throw failedStart(host.paths, 'does not start', ending.said);
    if (spawned === undefined || ending !== undefined) spawned = await spawnServer(host, port);
    await wait({ reason: 'silent' });
  }
}

/**
 * A socket is worth a try even where we do not see the process: it may run in another container on the same volume, and
 * a second server there would destroy the database. On a port another program may listen by now.
 */
function mayAnswer(server: LockFile): boolean {
  return server.alive || server.socketDirectory !== undefined;
}

/** @returns postgres:// URL, with all that the driver would otherwise take from PG variables in the environment */
export function databaseUrl({ passwords }: Start, server: RunningServer, role: keyof Passwords): string {
  const { socketDirectory, port } = server;
  const address = `${role}:${passwords[role]}@${socketDirectory === undefined ? `127.0.0.1:${port}` : ''}/kontor`;
  const socket = socketDirectory === undefined ? '' : `&host=${encodeURIComponent(socketDirectory)}&port=${port}`;
  return `postgres://${address}?sslmode=disable${socket}`;
}

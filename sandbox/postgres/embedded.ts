import type { EmbeddedOptions, EmbeddedPostgres } from './embedded.types.ts';
import { prepareBinaries } from './embedded-binaries.ts';
import { prepareCluster, sweepUnfinished } from './embedded-cluster.ts';
import { databaseUrl, type Joined, join, type Start } from './embedded-join.ts';
import { prepareDataDir } from './embedded-paths.ts';
import { stopServer } from './embedded-server.ts';
import { checkReach, chooseServerUser } from './embedded-user.ts';

/** In the socket's name, as usual. No port of this number is listened at or connected to. */
const SOCKET_NUMBER = 5432;

/**
 * Runs PostgreSQL on `<dataDir>/postgres`, or joins the server that already runs there: one that a service or command
 * beside us uses, or one that a killed process has left.
 *
 * The last process to leave stops the server. So a service that stops while a command is still at work leaves the
 * server to the command, and a killed service leaves it to the next start. The claim's session keeps our process alive
 * until `stop`.
 *
 * @throws EmbeddedFailure where it cannot run, or another service has the directory; the message says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { as, log, socketNumber = SOCKET_NUMBER } = options;
  const paths = await prepareDataDir(options.dataDir, log);
  const user = await chooseServerUser(paths);
  if (user !== undefined) await checkReach(paths, user);
  const host = { paths, user, binaries: await prepareBinaries(paths.dataDir, user), socketNumber };
  const start: Start = { host, passwords: await prepareCluster(host, log), as, log };
  const first = await join(start, undefined);
  await sweepUnfinished(paths);
  return {
    adminUrl: databaseUrl(start, first.server, 'postgres'),
    ownerUrl: databaseUrl(start, first.server, 'kontor_owner'),
    appUrl: databaseUrl(start, first.server, 'kontor_app'),
    stop: stayJoined(start, first),
  };
}

/**
 * Joins again whenever the server ends our session before we do, because it crashed or was stopped; so the
 * service recovers by itself.
 *
 * @returns what leaves for good
 */
function stayJoined(start: Start, first: Joined): () => Promise<void> {
  let joined = Promise.resolve(first);
  let left: Promise<void> | undefined;
  const watch = async () => {
    for (;;) {
      await (await joined).claim.ended;
      if (left !== undefined) return;
      start.log('PostgreSQL has ended; starting it again.');
      joined = join(start, first.server.port);
    }
  };
  watch().catch((error: unknown) => start.log(`PostgreSQL does not start again. ${String(error)}`));
  return () => {
    left ??= joined.then(
      (current) => leave(start, current),
      () => undefined, // There is no server to leave, and the log says why.
    );
    return left;
  };
}

async function leave({ host, log }: Start, { server, claim }: Joined): Promise<void> {
  // A session that is gone has nothing to give up. If its server still runs, the next start joins it.
  const outcome = await claim.leave().catch(() => 'others remain' as const);
  if (outcome === 'last') {
    await stopServer(host.paths, server.processId);
    log('PostgreSQL has stopped.');
  }
  await claim.end();
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { boundSockets } from '../../http/listening/sockets.ts';
import { isLoopback } from '../../kit/addresses/network.ts';
import { uuidV4 } from '../../kit/ids.ts';
import type { Background } from '../../kit/work/background.ts';
import type { ThreeDSServer } from '../acquirers/acquirers.types.ts';
import { startAskingDirectories } from './ask-directories.job.ts';
import { type composeThreeDS, serverOf } from './compose.ts';
import { answerResult } from './directory.flow.ts';
import { directoryLine } from './directory-line.adapter.ts';
import { leftOutNotes } from './left-out.flow.ts';
import { termsOfFile } from './look-at-card.ts';
import { startResultsServer } from './results-server.adapter.ts';
import type { NoteLeftOut, ThreeDS } from './three-ds.types.ts';
import { tracedLine } from './traced-line.flow.ts';

/** Connections at once of one network to the port for results whose client has not shown its certificate. */
const NETWORK_CONNECTIONS = 32;

/**
 * Begins to take results, and to ask directory servers for their cards; in a sandbox after the test directory server,
 * whose answer is waited for. One elsewhere may be silent: until it answers, every card is asked about.
 *
 * @param tell writes to the log
 * @throws Trouble where the port for results is taken
 */
export async function startThreeDS(
  { config, database, keyRing, acquirers, testThreeDS, trace, heard, note }: ReturnType<typeof composeThreeDS>,
  background: Background,
  tell: (line: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const hosts = await testThreeDS?.start();
  const server = hosts === undefined ? serverOf(acquirers) : hosts.server;
  if (server === undefined) return { stop: async () => undefined };
  const { transact, read } = database;
  const termsFor = hosts === undefined ? termsOfFile(acquirers) : hosts.termsFor;
  const store = leftOutNotes(database.background.transact);
  const leftOut: NoteLeftOut = (told) => {
    heard(told);
    store(told);
  };
  const parts = {
    ...{ transact, read, keyRing, termsFor, leftOut },
    pause: (durationMs: number) => pause(durationMs),
    ...(trace && { trace }),
  };
  const serving = await startServing({ parts, server, config, background, tell });
  note(serving);
  if (hosts !== undefined) await serving.asked;
  else tell(`Results of 3-D Secure are taken on port ${serving.resultsPort}.`);
  return {
    stop: async () => {
      note(undefined);
      await serving.stop();
      await hosts?.close();
    },
  };
}

interface Serving {
  readonly parts: Pick<ThreeDS, 'transact' | 'read' | 'keyRing' | 'pause' | 'termsFor' | 'leftOut' | 'trace'>;
  readonly server: ThreeDSServer;
  readonly config: Config;
  readonly background: Background;
  readonly tell: (line: string) => void;
}

async function startServing({ parts, server, config, background, tell }: Serving) {
  const results = await startResultsServer({
    server,
    host: config.host,
    boundConnections: (listening) =>
      boundSockets(listening, {
        most: NETWORK_CONNECTIONS,
        endsWithHandshake: true,
        isExempt: (address) => isLoopback(address) || config.trustedProxies.has(address),
        tell: (network) =>
          tell(`${network} wants more connections to the port for 3-D Secure than a network may have.`),
      }),
    answer: (text) => answerResult(parts, text),
  });
  const line = directoryLine();
  const resultsUrl = new URL(server.resultsUrl);
  if (server.resultsPort === 0) resultsUrl.port = String(results.port);
  const threeDS: ThreeDS = {
    ...parts,
    line: parts.trace === undefined ? line : tracedLine(line, parts.trace),
    server: { ...server, resultsUrl: resultsUrl.href },
    newServerTransactionId: uuidV4,
  };
  const asking = startAskingDirectories(threeDS, background);
  return {
    threeDS,
    asked: asking.first,
    resultsPort: results.port,
    renew: ({ tls, directoryServers }: ThreeDSServer) => {
      results.renew(tls);
      line.renew(directoryServers);
    },
    stop: async () => {
      // First, so that no answer is waited for any more.
      line.close();
      await asking.stop();
      await results.close();
    },
  };
}

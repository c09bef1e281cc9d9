import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/server/open-database.ts';
import { boundSockets } from '../../http/listening/sockets.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { isLoopback } from '../../kit/addresses/network.ts';
import { uuidV4 } from '../../kit/ids.ts';
import type { Background } from '../../kit/work/background.ts';
import type { AcquirersSetup, MutualTls, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import { ACQUIRER_FILES } from '../acquirers/file/acquirer-files.adapter.ts';
import { AUTHENTICATION_VALUE_USE } from './authentications.ts';
import { leftOutNotes } from './left-out.flow.ts';
import { termsOfFile } from './look-at-card.ts';
import type { NoteLeftOut, ThreeDS, TraceThreeDS } from './three-ds.types.ts';

/** Connections at once of one network to the port for results whose client has not shown its certificate. */
const NETWORK_CONNECTIONS = 32;

/** Directory server and bank of a sandbox. */
export interface SandboxThreeDS {
  /** Starts them in this process: they have no settings and no files, so a process for them would only take memory. */
  readonly start: () => Promise<{ readonly server: ThreeDSServer; close(): Promise<void> } & Pick<ThreeDS, 'termsFor'>>;
}

/** What 3-D Secure is composed of. */
export interface ThreeDSParts {
  readonly config: Pick<Config, 'host' | 'trustedProxies'>;
  readonly database: Pick<Database, 'read' | 'transact' | 'background'>;
  readonly keyRing: KeyRing;
  readonly acquirers: AcquirersSetup;
  /** In a sandbox, which knows no other directory server. */
  readonly testThreeDS: SandboxThreeDS | undefined;
  /** Keeps what passes; undefined where no trace is kept. */
  readonly trace: TraceThreeDS | undefined;
}

/** Composes 3-D Secure: it is there once it was started, which commands do not do. */
export function composeThreeDS({ config, database, keyRing, acquirers, testThreeDS, trace }: ThreeDSParts) {
  let running: ThreeDS | undefined;
  let heard: NoteLeftOut = () => undefined;
  let renew = (_server: ThreeDSServer): void => undefined;
  return {
    /** Undefined where the installation has none. */
    current: () => running,
    keyUses: [AUTHENTICATION_VALUE_USE],
    /** Has what is left out of messages told to a listener too. */
    listenToLeftOut: (listener: NoteLeftOut) => {
      heard = listener;
    },
    /**
     * Uses the certificates and keys that lie in the files now, where 3-D Secure is running.
     *
     * @returns whether there are any
     * @throws Trouble where one cannot be read: those before stay in use
     */
    renewCertificates: (): boolean => {
      const server = running && testThreeDS === undefined ? serverOf(acquirers) : undefined;
      if (server !== undefined) renew(server);
      return server !== undefined;
    },
    /**
     * Begins to take results, and to ask directory servers for their cards; in a sandbox after the test directory server,
     * whose answer is waited for. One elsewhere may be silent: until it answers, every card is asked about.
     *
     * @param tell writes to the log
     * @throws Trouble where the port for results is taken
     */
    start: async (background: Background, tell: (line: string) => void): Promise<{ stop(): Promise<void> }> => {
      const hosts = await testThreeDS?.start();
      const server = hosts === undefined ? serverOf(acquirers) : hosts.server;
      if (server === undefined) return { stop: async () => undefined };
      const { transact, read } = database;
      const termsFor = hosts === undefined ? termsOfFile(acquirers) : hosts.termsFor;
      const note = leftOutNotes(database.background.transact);
      const leftOut: NoteLeftOut = (told) => {
        heard(told);
        note(told);
      };
      const parts = {
        ...{ transact, read, keyRing, termsFor, leftOut },
        pause: (durationMs: number) => pause(durationMs),
        ...(trace && { trace }),
      };
      const serving = await startServing({ parts, server, config, background, tell });
      running = serving.threeDS;
      renew = serving.renew;
      if (hosts !== undefined) await serving.asked;
      else tell(`Results of 3-D Secure are taken on port ${serving.resultsPort}.`);
      return {
        stop: async () => {
          running = undefined;
          await serving.stop();
          await hosts?.close();
        },
      };
    },
  };
}

/** What the file says of us, with certificates and keys in place of their paths. */
function serverOf({ threeDS }: AcquirersSetup): ThreeDSServer | undefined {
  if (threeDS === undefined) return undefined;
  const read = (tls: MutualTls | 'none') => (tls === 'none' ? tls : ACQUIRER_FILES.tls(tls));
  const directoryServers = threeDS.directoryServers.map((directory) => ({ ...directory, tls: read(directory.tls) }));
  return { ...threeDS, tls: read(threeDS.tls), directoryServers };
}

interface Serving {
  readonly parts: Pick<ThreeDS, 'transact' | 'read' | 'keyRing' | 'pause' | 'termsFor' | 'leftOut' | 'trace'>;
  readonly server: ThreeDSServer;
  readonly config: Pick<Config, 'host' | 'trustedProxies'>;
  readonly background: Background;
  readonly tell: (line: string) => void;
}

async function startServing({ parts, server, config, background, tell }: Serving) {
  const [{ answerResult }, { startResultsServer }, { directoryLine }, { tracedLine }, { startAskingDirectories }] =
    await Promise.all([
      import('./directory.flow.ts'),
      import('./results-server.adapter.ts'),
      import('./directory-line.adapter.ts'),
      import('./traced-line.flow.ts'),
      import('./ask-directories.job.ts'),
    ]);
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

import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { attemptSettlers } from './attempt-settlers.ts';
import { type Config, checkExposure, readVersion } from './config.ts';
import { serverAdvice } from './db/server-settings.ts';
import { measureStandbyWait } from './db/standby-wait.ts';
import { startDelivering } from './events/deliver.job.ts';
import type { EventJobsWorld } from './events/events.types.ts';
import { startForgettingDeliveries } from './events/forget-deliveries.job.ts';
import { measureEvents } from './events/measure-events.ts';
import { createSender } from './events/sender.adapter.ts';
import { startSequencing } from './events/sequence-events.job.ts';
import { readCertificate, reloadCertificate } from './http/tls.ts';
import { measureAttempts } from './issuers/measure-attempts.ts';
import { startRecoveringAttempts } from './issuers/recover-attempts.job.ts';
import { maskCardNumbersIn } from './kit/find-card-numbers.ts';
import type { CallSink } from './kit/finished-call.ts';
import { CARD_PREFIX_INTERVAL_MS, DRAIN_TIMEOUT_MS } from './kit/limits.ts';
import { createTraffic, type Quiet } from './kit/traffic.ts';
import { Trouble } from './kit/trouble.ts';
import { startExpiringHolds } from './ledger/expire-overdue.job.ts';
import { measureLedger } from './ledger/measure-ledger.ts';
import { lastVerification } from './ledger/note-verification.ts';
import { createLog } from './log.ts';
import { startForgettingStale } from './merchants/forget-stale.job.ts';
import { startTokenUseJob } from './merchants/token-use.job.ts';
import { createMetrics } from './metrics.ts';
import { startExpiringPayments } from './payments/expire-payments.job.ts';
import { startSweepingCards } from './payments/sweep-cards.job.ts';
import type { RecordingWorld } from './portal/calls.types.ts';
import { type CallRecorder, startRecordingCalls } from './portal/record-calls.job.ts';
import { startForgettingSessions } from './portal-users/forget-sessions.job.ts';
import { productionAdvice } from './production-advice.ts';
import { prepareSandbox, welcome } from './sandbox.ts';
import { buildServer } from './server.ts';
import { openService, type Service } from './service.ts';

/** A service that is up. */
export interface Running {
  readonly baseUrl: string;
  /** Where it listens: another one than was asked for where that was 0. */
  readonly port: number;
  /** Lets the requests under way finish, then closes everything. Safe to call more than once. */
  stop(): Promise<void>;
  /** Writes to the log that the service ends for an error that nobody took. */
  tellUnknown(error: unknown): void;
  /** Serves with the certificate that now lies in the files; without one does nothing. */
  reloadCertificate(): void;
}

/**
 * Starts the service: database, keys, edge, and in the sandbox the demo payee. Resolves once it is ready.
 *
 * @param print writes for people; the log goes its own way
 * @throws BadSetting, Trouble and their like, whose messages say what to put right
 */
export async function serve(config: Config, print: (text: string) => void): Promise<Running> {
  checkExposure(config);
  // Before anything is started: what keeps the service from serving should not leave a database running.
  const certificate = config.tls && readCertificate(config.tls);
  const metrics = createMetrics();
  let service: Service | undefined;
  const log = createLog(config.logLevel, () => service?.cardPrefixes() ?? []);
  const tell = (line: string) => log.info(line);
  const { observer, observeGroup } = metrics;
  service = await openService({ config, as: 'serve', keys: 'required', tell, observer, observeGroup });
  for (const advice of await startAdvice(config, service)) log.warn(advice);
  const traffic = createTraffic();
  const jobs = startJobs(service, log, traffic.quiet);
  const state = { baseUrl: config.publicUrl ?? '', isReady: false };
  metrics.watchPools(service.database.stats);
  metrics.watchQueue(service.ledger.stats);
  const { read } = service.database.background;
  metrics.watchLedger(() => measureLedger(read));
  metrics.watchEvents(() => measureEvents(read));
  metrics.watchDatabase({
    attemptSeconds: () => measureAttempts(read),
    standbyWaitSeconds: () => measureStandbyWait(read),
    lastVerification: () => lastVerification(read),
  });
  const { app } = buildServer({
    config,
    service,
    metrics,
    log,
    version: readVersion(),
    noteTokenUse: jobs.noteTokenUse,
    calls: jobs.calls,
    traffic,
    baseUrl: () => state.baseUrl,
    isReady: async () => state.isReady && (await answers(service)),
    certificate,
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    state.isReady = false;
    stopping ??= drain(app, jobs, service, log);
    return stopping;
  };
  try {
    await listen(app, config);
    state.baseUrl ||= addressOf(app, config);
    if (config.mode === 'sandbox') {
      const sandbox = await prepareSandbox(config, service, state.baseUrl);
      // The first start has made a product, whose cards' numbers begin in a way of their own.
      await service.loadCardPrefixes();
      print(welcome(sandbox, config.dataDir));
    } else {
      print(`Kontor is ready at ${state.baseUrl}.`);
    }
    state.isReady = true;
  } catch (error) {
    await stop();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  return {
    baseUrl: state.baseUrl,
    port,
    stop,
    tellUnknown: (error) =>
      log.fatal({ err: error }, 'An error that nobody took: the service ends, for nothing is safe.'),
    reloadCertificate: () => reload(app, config, log),
  };
}

/** What does not keep production from starting, and should be put right. The same as `kontor doctor` tells. */
async function startAdvice(config: Config, { database }: Service): Promise<readonly string[]> {
  if (config.mode !== 'production') return [];
  return [...productionAdvice(config), ...(await serverAdvice({ run: database.read }))];
}

interface Jobs {
  readonly noteTokenUse: ReturnType<typeof startTokenUseJob>['note'];
  readonly calls: CallSink | undefined;
  stop(): Promise<void>;
}

function startJobs(service: Service, log: Logger, quiet: Quiet): Jobs {
  const { database, ledger, vault, accounts, cardPayments } = service;
  const world = {
    transact: database.background.transact,
    failed: (what: string, error: unknown) => log.error({ err: error }, what),
  };
  const tokenUse = startTokenUseJob(world);
  const stopLoading = startPrefixJob(service, world.failed);
  const stopForgetting = startForgettingStale(world);
  const stopForgettingSessions = startForgettingSessions(world);
  const { newId } = vault;
  const stopExpiring = startExpiringHolds({ ...world, ledger, read: database.background.read, newId });
  const stopRecovering = startRecoveringAttempts({ ...world, asker: accounts, settlers: attemptSettlers(service) });
  const stopEnding = startExpiringPayments({ ...world, world: cardPayments });
  const stopSweeping = startSweepingCards(world);
  const stopEvents = startEventJobs(service, { ...world, quiet });
  const calls = startCallLog(service, { ...world, quiet });
  return {
    noteTokenUse: tokenUse.note,
    calls,
    stop: async () => {
      stopLoading();
      await Promise.all([
        tokenUse.stop(),
        stopForgetting(),
        stopForgettingSessions(),
        stopExpiring(),
        stopRecovering(),
        stopEnding(),
        stopSweeping(),
        stopEvents(),
        calls?.stop(),
      ]);
    },
  };
}

/** What programs have sent is kept for their payee to see, unless it is to be kept for no time at all. */
function startCallLog(
  { config, database, vault, cardPrefixes }: Service,
  world: Pick<RecordingWorld, 'transact' | 'failed' | 'quiet'>,
): CallRecorder | undefined {
  const hours = config.apiLogHours;
  if (hours === 0) return undefined;
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  const now = () => performance.now();
  return startRecordingCalls({
    ...world,
    read: database.background.read,
    newId: vault.newId,
    now,
    maskCardNumbers,
    hours,
  });
}

/** Events get their positions, go to webhooks, and leave a log that is not kept for ever. */
function startEventJobs(
  { config, keyRing, cardPrefixes }: Service,
  world: Pick<EventJobsWorld, 'transact' | 'failed' | 'quiet'>,
): () => Promise<void> {
  const sender = createSender({ allowsLoopback: config.mode === 'sandbox' });
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  const stops = [
    startSequencing(world),
    startDelivering({ ...world, keyRing, sender, maskCardNumbers }),
    startForgettingDeliveries(world),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Card ranges are loaded by a command, in another process; the scan of free text follows within a minute. */
function startPrefixJob(service: Service, failed: (what: string, error: unknown) => void): () => void {
  const timer = setInterval(() => {
    service.loadCardPrefixes().catch((error: unknown) => failed('The card ranges could not be read again.', error));
  }, CARD_PREFIX_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function answers(service: Service): Promise<boolean> {
  return service.database.ping().then(
    () => true,
    () => false,
  );
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Trouble(
        `Port ${port} on ${host} is taken. Stop what uses it, or set KONTOR_PORT (0 is any free port).`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new Trouble(
        `This process may not listen on ${host}, port ${port} (${code}). Set KONTOR_HOST or KONTOR_PORT.`,
      );
    }
    throw error;
  }
}

/** Where the service is reached if nobody says so: where it listens; a wildcard address is reached by this machine's name. */
function addressOf(app: FastifyInstance, { host, tls }: Config): string {
  const { port } = app.server.address() as AddressInfo;
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `${tls === undefined ? 'http' : 'https'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Requests under way may finish; whoever hangs longer than the limit is cut off, so that a stop always ends. */
async function drain(app: FastifyInstance, jobs: Jobs, service: Service, log: Logger): Promise<void> {
  log.info('Stopping: no new connections are taken, requests under way finish.');
  const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await app.close();
  clearTimeout(cutOff);
  await jobs.stop();
  await service.close();
  log.info('Stopped.');
  log.flush();
}

function reload(app: FastifyInstance, { tls }: Config, log: Logger): void {
  if (tls === undefined) return;
  try {
    reloadCertificate(app.server as unknown as Parameters<typeof reloadCertificate>[0], tls);
    log.info('The certificate was read again.');
  } catch (error) {
    log.error({ err: error }, 'The certificate cannot be used; the one before stays in use.');
  }
}

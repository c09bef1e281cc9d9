import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Config, readNodeOptions, readVersion } from '../config.ts';
import { explained } from '../db/server/explain.ts';
import { measureHeldSnapshots } from '../db/server/held-snapshots.ts';
import { measureStandbyWait, serverAdvice } from '../db/server/server-settings.ts';
import { measureEvents } from '../events/measure-events.ts';
import { selectOverdue as selectOverdueSums } from '../gift-cards/liability/sums.store.ts';
import { type CertificatePair, readCertificate, reloadCertificate } from '../http/listening/tls.ts';
import { measureAttempts, measureOpenAttempts } from '../issuers/attempts.ts';
import { findMisfit } from '../keys/ring/load-ring.ts';
import { measureOldestKey } from '../keys/show-keys.ts';
import type { BackgroundWork, ReportFailure } from '../kit/work/background.ts';
import { oneAtATime } from '../kit/work/one-at-a-time.ts';
import { createTraffic } from '../kit/work/traffic.ts';
import { measureLedger, measureNumbers } from '../ledger/verification/measure-ledger.ts';
import { lastVerification } from '../ledger/verification/verifications.ts';
import { writeNothing } from '../ledger/verification/write-nothing.ts';
import { measureOverdueOrders } from '../orders/find-order.ts';
import { measureOverdue } from '../payments/find-payment.ts';
import { measureSettlements } from '../settlements/measure-settlements.ts';
import { selectOverdue as selectOverdueBalances } from '../settlements/reports/balance-sums.store.ts';
import { judgeCertificates, renewCertificates } from './certificates.ts';
import { listSetAside } from './commands/background-commands.ts';
import { productionAdvice } from './commands/production-advice.ts';
import { checkExposure, checkPageFiles } from './exposure.ts';
import { type Jobs, type JobsOptions, startJobs } from './jobs.ts';
import { addressOf, listen } from './listen.ts';
import { createLog, type ServiceLog, type TellFailure } from './log.ts';
import { acquirerEvents } from './metrics/acquirer-metrics.ts';
import { guessingEvents } from './metrics/guessing-metrics.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { cardTestingEvents } from './metrics/page-metrics.ts';
import { signInEvents } from './metrics/sign-in-metrics.ts';
import { noteStart, noteStop } from './note-life.ts';
import { keepMemory } from './process-memory.ts';
import { buildServer } from './server.ts';
import { openService, type Service } from './service.ts';
import { timeLimitsOf } from './time-limits.ts';

/** A service that is up. */
export interface Running {
  readonly baseUrl: string;
  /** Where it listens: another one than was asked for where that was 0. */
  readonly port: number;
  /** Where /metrics is, where it has a port of its own. */
  readonly metricsPort: number | undefined;
  /** Milliseconds that the end of the process may last: see `timeLimitsOf`. */
  readonly endMs: number;
  /** Lets the requests under way finish, then closes everything. Safe to call more than once. */
  stop(): Promise<void>;
  /** Writes to the log that the service ends for an error that no code has caught. */
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
export function serve(config: Config, print: (text: string) => void): Promise<Running> {
  return explained(() => {
    keepMemory(config, readNodeOptions());
    checkPageFiles(config);
    return start(config, print);
  });
}

async function start(config: Config, print: (text: string) => void): Promise<Running> {
  checkExposure(config);
  // Before anything is started: what keeps the service from serving should not leave a database running.
  const certificate = config.tls && readCertificate(config.tls);
  const metrics = createMetrics();
  let service: Service | undefined;
  const serviceLog = createLog(config.logLevel, () => service?.cardPrefixes() ?? []);
  const { log, tellRequest, tellFailure } = serviceLog;
  metrics.watchLog(serviceLog.dropped);
  const tell = (line: string) => log.info(line);
  const { observer, observeGroup } = metrics;
  service = await openService({ config, as: 'serve', keys: 'required', tell, observer, observeGroup });
  for (const advice of await startAdvice(config, service)) log.warn(advice);
  const judge = judgeCertificates(config, service, { log, metrics });
  judge(certificate);
  const sandbox = config.mode === 'sandbox' ? await import('../../sandbox/prepare-sandbox.ts') : undefined;
  const welcome = sandbox?.startSandbox(config, service);
  const { background } = service.database;
  const eventsOf = acquirerEvents(log, metrics.acquirers, config.mode === 'sandbox');
  const lines = await orClose(service.slices.issuers.openLines(eventsOf), [service]);
  hearOfAttacks(service, log, metrics);
  metrics.watchAcquirers({ ...lines, openAttempts: () => measureOpenAttempts(background.read) });
  const traffic = createTraffic();
  const report = reportTo(tellFailure, metrics.countFailure);
  const jobs = await orClose(startBeside(service, { quiet: traffic.quiet, report, tell }), [lines, service]);
  // Strangers may ask as often as they like: one look at a time answers all who ask meanwhile.
  const looksWhole = oneAtATime(() => isWhole(service));
  const state = { baseUrl: config.publicUrl ?? '', isReady: false };
  watch(service, metrics);
  const { app, metricsServer } = await orClose(
    buildServer({
      config,
      service,
      metrics,
      log,
      tellRequest,
      tellFailure,
      version: readVersion(),
      ...jobs,
      traffic,
      baseUrl: () => state.baseUrl,
      isReady: async () => state.isReady && (await looksWhole()),
      certificate,
    }),
    [{ close: jobs.stop }, lines, service],
  );
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    state.isReady = false;
    stopping ??= drain(app, { jobs, lines, service }, serviceLog);
    return stopping;
  };
  try {
    await listen(app, metricsServer, config);
    state.baseUrl ||= addressOf(app, config);
    print(welcome === undefined ? `Kontor is ready at ${state.baseUrl}.` : await welcome(state.baseUrl));
    state.isReady = true;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    baseUrl: state.baseUrl,
    port: (app.server.address() as AddressInfo).port,
    metricsPort: (metricsServer?.address() as AddressInfo | null | undefined)?.port,
    endMs: timeLimitsOf(service.acquirers).endMs,
    stop,
    tellUnknown: (err) =>
      log.fatal({ err }, 'An error that no code has caught: the service ends, for nothing is safe.'),
    reloadCertificate: () => reload(app, config, { log, metrics, judge, service, lines }),
  };
}

/** Has the metrics and the log told of who guesses: gift cards, codes of people, numbers of cards. */
function hearOfAttacks({ slices }: Service, log: Pick<Logger, 'warn'>, metrics: Metrics): void {
  slices.threeDS.listenToLeftOut(metrics.leftOut);
  slices.orders.listenToGuessing(guessingEvents(log, metrics.guessing));
  slices.portalUsers.listenToSignIns(signInEvents(log, metrics.signIns));
  slices.payments.listenToCardTesting(cardTestingEvents(log, metrics.cardTesting));
  slices.payments.listenToPolicyReports(metrics.policyReports);
}

/** Starts what runs beside requests, once other instances can be asked for what pages of this one load, and the trail says so. */
async function startBeside(service: Service, options: JobsOptions): Promise<Jobs> {
  await noteStart(service, service.config);
  await service.slices.browserFiles.share();
  return startJobs(service, options);
}

/** What is measured when the metrics are asked for. */
function watch({ database, ledger, slices }: Service, metrics: ReturnType<typeof createMetrics>): void {
  metrics.watchPools(database.stats);
  metrics.watchQueue(ledger.stats);
  const { read } = database.background;
  metrics.watchLedger(() => measureLedger(read));
  metrics.watchEvents(() => measureEvents(read));
  metrics.watchSetAside(() => listSetAside({ read }));
  metrics.watchDatabase({
    attemptSeconds: () => measureAttempts(read),
    standbyWaitSeconds: () => measureStandbyWait(read),
    snapshotSeconds: () => measureHeldSnapshots(read),
    lastVerification: () => lastVerification(read),
    numbersUsed: () => measureNumbers(read),
    oldestKeySeconds: () => measureOldestKey(read, slices.keys.commands.keys().keyUses),
    overdueSeconds: async () => [
      ...(await measureOverdueOrders(read)),
      ...(await measureOverdue(read)),
      ['sum-gift-cards', await selectOverdueSums(read)],
      ['sum-trial-balances', await selectOverdueBalances(read)],
    ],
    settlements: () => measureSettlements(read),
  });
}

/** What does not keep production from starting, and should be put right. The same as `kontor doctor` tells. */
async function startAdvice(config: Config, { database }: Service): Promise<readonly string[]> {
  if (config.mode !== 'production') return [];
  return [...productionAdvice(config), ...(await serverAdvice({ run: database.read }))];
}

/** Counts and logs what background work could not do. */
function reportTo(tellFailure: TellFailure, count: (work: BackgroundWork) => void): ReportFailure {
  return (work, error) => {
    count(work);
    tellFailure('Background work failed; it comes again.', error, { work });
  };
}

/**
 * Whether requests can be served: every pool has connections, money can be written, and all can be read that other instances
 * write, at which the look at the keys is one.
 */
async function isWhole({ database, keyRing, keyProvider }: Service): Promise<boolean> {
  try {
    const [misfit] = await Promise.all([
      findMisfit(database.read, { keyRing, keyProvider }),
      database.serves(writeNothing),
    ]);
    return misfit === undefined;
  } catch {
    return false;
  }
}

/** What keeps a part of the service from being opened must not leave the others open: the process would never end. */
async function orClose<Part>(
  opening: Promise<Part>,
  others: readonly { readonly close: () => Promise<void> }[],
): Promise<Part> {
  try {
    return await opening;
  } catch (error) {
    for (const { close } of others) await close();
    throw error;
  }
}

/** What a service has opened beside its sockets. */
interface Opened {
  readonly jobs: Jobs;
  readonly lines: Awaited<ReturnType<Service['slices']['issuers']['openLines']>>;
  readonly service: Service;
}

/** Requests under way may finish; one that takes longer than the limit is cut off, so that a stop always ends. */
async function drain(
  app: FastifyInstance,
  { jobs, lines, service }: Opened,
  { log, flush }: ServiceLog,
): Promise<void> {
  log.info('Stopping: no new connections are taken, requests under way finish.');
  const cutOff = setTimeout(() => app.server.closeAllConnections(), timeLimitsOf(service.acquirers).drainMs);
  await app.close();
  clearTimeout(cutOff);
  await jobs.stop();
  await lines.close();
  await noteStop(service);
  await service.close();
  log.info('Stopped.');
  await flush();
}

interface Reloading {
  readonly log: Logger;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly judge: (certificate: CertificatePair) => void;
  readonly service: Service;
  readonly lines: Opened['lines'];
}

function reload(app: FastifyInstance, { tls }: Config, { judge, service, lines, ...telling }: Reloading): void {
  const { log } = telling;
  void renewCertificates(service, lines, telling);
  if (tls === undefined) return;
  try {
    judge(reloadCertificate(app.server as unknown as Parameters<typeof reloadCertificate>[0], tls));
    log.info('The certificate was read again.');
  } catch (error) {
    log.error({ err: error }, 'The certificate cannot be used; the one before stays in use.');
  }
}

import type { FastifyBaseLogger } from 'fastify';
import { createTraffic } from '../../../src/kit/work/traffic.ts';
import { createLog, failuresTo } from '../../../src/wiring/log.ts';
import { createMetrics } from '../../../src/wiring/metrics/metrics.ts';
import { buildServer, type Server } from '../../../src/wiring/server.ts';
import type { TestService } from '../service.ts';

/**
 * A second server in front of a test's service, to be looked at: it does not listen by itself.
 *
 * @param at its `baseUrl` is read for each answer: it may be known later
 */
export function serverOf(
  at: Pick<TestService, 'config' | 'service' | 'baseUrl'>,
  log: FastifyBaseLogger = createLog('silent').log,
): Promise<Server> {
  return buildServer({
    config: at.config,
    service: at.service,
    metrics: createMetrics(),
    log,
    tellRequest: (request) => log.info(request, 'request'),
    tellFailure: failuresTo(log),
    version: '0.0.0',
    baseUrl: () => at.baseUrl,
    isReady: async () => true,
    noteTokenUse: () => undefined,
    noteKeyUse: () => undefined,
    noteRefused: () => undefined,
    certificate: undefined,
    calls: undefined,
    traffic: createTraffic(),
  });
}

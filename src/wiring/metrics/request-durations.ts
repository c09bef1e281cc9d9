import { Histogram, type Registry } from 'prom-client';
import type { Observation } from '../../http/edge/edge.types.ts';

/** Upper bounds in seconds: from a cached read to a request that met a time-out. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts how long requests take.
 *
 * @returns what counts a finished request
 */
export function countDurations(registry: Registry): (observation: Observation) => void {
  const durations = new Histogram({
    name: 'kontor_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, by route template and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  return ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds);
}

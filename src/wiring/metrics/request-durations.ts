import type { Registry } from 'prom-client';
import type { Observation } from '../../http/edge/edge.types.ts';
import { addTo } from '../../kit/group-by.ts';
import { makeHistogram } from './histogram.ts';

/** Upper bounds in seconds: from a cached read to a request that met a time-out. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Label = 'method' | 'route' | 'status';

/** The requests of one route, method and status. */
interface Series extends Pick<Observation, 'method' | 'status'> {
  readonly observe: (seconds: number) => void;
}

/**
 * Counts how long requests take.
 *
 * @returns what counts a finished request
 */
export function countDurations(registry: Registry): (observation: Observation) => void {
  const begin = makeHistogram<Label>(registry, {
    name: 'kontor_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, by route template and status.',
    buckets: LATENCY_BUCKETS,
  });
  // By route: a text that the route keeps, where one made of route, method and status would be hashed anew each time.
  const all = new Map<string, Series[]>();
  const startSeries = ({ method, route, status }: Observation): Series => {
    const series = { method, status, observe: begin({ method, route, status: String(status) }) };
    addTo(all, route, series);
    return series;
  };
  return (observation) => {
    const { method, route, status, seconds } = observation;
    const ofRoute = all.get(route);
    const series = ofRoute?.find((one) => one.status === status && one.method === method) ?? startSeries(observation);
    series.observe(seconds);
  };
}

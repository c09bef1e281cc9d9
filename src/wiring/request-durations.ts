import type { Histogram, Registry } from 'prom-client';
import type { Observation } from '../http/edge/edge.types.ts';
import { addTo } from '../kit/group-by.ts';

/** Upper bounds in seconds: from a cached read to a request that met a time-out. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const NAME = 'kontor_http_request_duration_seconds';

type Label = 'method' | 'route' | 'status';

/** The requests of one route, method and status so far. */
interface Series extends Pick<Observation, 'method' | 'status'> {
  readonly labels: Readonly<Record<Label, string>>;
  /** How many there were in each bucket alone, and beyond the last. */
  readonly counts: number[];
  sumSeconds: number;
}

/**
 * Counts how long requests take, and tells it at a scrape as a histogram. The library's own names its labels anew and looks
 * for them with each request, which takes four times as long.
 *
 * @returns what counts a finished request
 */
export function countDurations(registry: Registry): (observation: Observation) => void {
  // By route: a text that the route keeps, where one made of route, method and status would be hashed anew each time.
  const all = new Map<string, Series[]>();
  const startSeries = ({ method, route, status }: Observation): Series => {
    const counts: number[] = new Array(LATENCY_BUCKETS.length + 1).fill(0);
    const series = { method, status, labels: { method, route, status: String(status) }, counts, sumSeconds: 0 };
    addTo(all, route, series);
    return series;
  };
  const metric = {
    name: NAME,
    help: 'Time from the request line to the last byte of the answer, by route template and status.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => {
      const { name, help, type, aggregator } = metric;
      return { name, help, type, aggregator, values: [...all.values()].flat().flatMap(valuesOf) };
    },
  };
  // The library asks no more of a metric than this, and its types name its own ones alone.
  registry.registerMetric(metric as unknown as Histogram<Label>);
  return (observation) => {
    const { method, route, status, seconds } = observation;
    const ofRoute = all.get(route);
    const series = ofRoute?.find((one) => one.status === status && one.method === method) ?? startSeries(observation);
    const found = LATENCY_BUCKETS.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? LATENCY_BUCKETS.length : found;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sumSeconds += seconds;
  };
}

/** As Prometheus reads them: each bucket with all that are smaller, the last one with all. */
function valuesOf({ labels, counts, sumSeconds }: Series) {
  let count = 0;
  const buckets = counts.map((own, index) => {
    count += own;
    return { metricName: `${NAME}_bucket`, labels: { le: LATENCY_BUCKETS[index] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}

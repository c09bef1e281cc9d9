import type { Histogram, Registry } from 'prom-client';

/** What a histogram is called, and where its buckets end. */
export interface HistogramTerms {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, in rising order. */
  readonly buckets: readonly number[];
}

/** The observations under one set of labels so far. */
interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  /** How many there were in each bucket alone, and beyond the last. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram that is counted in lists, and told at a scrape. The library's own names its labels anew and looks for them with
 * each observation, which takes four times as long and more.
 *
 * @returns begins a series under its labels, once; that gives what counts a value
 */
export function makeHistogram<Label extends string = never>(
  registry: Registry,
  { name, help, buckets }: HistogramTerms,
): (labels: Readonly<Record<Label, string>>) => (value: number) => void {
  const all: Series<Label>[] = [];
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: all.flatMap(valuesOf) }),
  };
  // As Prometheus reads them: each bucket with all that are smaller, the last one with all.
  const valuesOf = ({ labels, counts, sum }: Series<Label>) => {
    let count = 0;
    const values = counts.map((own, index) => {
      count += own;
      return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...values,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  // The library asks no more of a metric than this, and its types name its own ones alone.
  registry.registerMetric(metric as unknown as Histogram<Label>);
  return (labels) => {
    const series: Series<Label> = { labels, counts: new Array(buckets.length + 1).fill(0), sum: 0 };
    all.push(series);
    return (value) => {
      const found = buckets.findIndex((bound) => value <= bound);
      const bucket = found === -1 ? buckets.length : found;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += value;
    };
  };
}

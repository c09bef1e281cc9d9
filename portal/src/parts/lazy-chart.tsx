import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart.tsx';

const Loaded = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

/** A chart, fetched when there is one to show. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<div className="chart" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

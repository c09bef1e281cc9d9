import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useWords } from '../words/words.tsx';
import { barPlaces, labelledPlaces } from './chart-axis.ts';

export interface ChartProps {
  /** Days as YYYY-MM-DD, or months as YYYY-MM, in order: where the bars stand. */
  readonly at: readonly string[];
  readonly values: readonly number[];
  readonly label: string;
  readonly format: (value: number) => string;
}

const HEIGHT = 220;
const NAMED = {
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const;

/** Bars by day or month. It is loaded when a screen has one; the same values stand in a table beside it. */
export function Chart({ at, values, label, format }: ChartProps) {
  const { locale } = useWords();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => resolved(element, style.getPropertyValue(name));
    const grid = { stroke: colour('--line'), width: 1 };
    const { places, margin, unit } = barPlaces(at);
    const name = new Intl.DateTimeFormat(locale, { ...NAMED[unit], timeZone: 'UTC' });
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          // Not of what uPlot gives: with a single bar it begins there, and half of it is cut off.
          x: { range: () => [(places[0] ?? 0) - margin, (places.at(-1) ?? 0) + margin] },
          y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
        },
        axes: [
          {
            stroke: colour('--soft'),
            grid: { show: false },
            ticks: { show: false },
            splits: (uplot) => labelledPlaces(places, uplot.width),
            values: (_chart, splits) => splits.map((split) => name.format(split * 1000)),
          },
          {
            stroke: colour('--soft'),
            grid,
            ticks: { show: false },
            size: 60,
            values: (_chart, splits) => splits.map(format),
          },
        ],
        series: [
          {},
          {
            label,
            fill: colour('--chart-1'),
            width: 0,
            points: { show: false },
            ...(UPlot.paths.bars === undefined ? {} : { paths: UPlot.paths.bars({ size: [0.7, 40] }) }),
          },
        ],
      },
      [[...places], [...values]],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [at, values, label, format, locale]);
  return <div className="chart" ref={box} role="img" aria-label={label} />;
}

/** A canvas knows no `light-dark()`: the browser resolves it for an element. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

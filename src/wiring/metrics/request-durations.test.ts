import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../http/edge/edge.types.ts';
import { countDurations } from './request-durations.ts';

const READ = { method: 'GET', route: '/tokens/:tokenId', status: 200 };
/** On both sides of bounds, on one, and beyond all; and of three series that share words. */
const SEEN: readonly Observation[] = [
  ...[0, 0.0004, 0.001, 0.0011, 0.3, 10, 10.5, 100].map((seconds) => ({ ...READ, seconds })),
  { ...READ, status: 404, seconds: 0.02 },
  { ...READ, method: 'POST', seconds: 2 },
];

/** What the library makes of the same requests, with labels that it names anew each time. */
function byLibrary(): Registry {
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'kontor_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, by route template and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const { seconds, ...labels } of SEEN) histogram.observe(labels, seconds);
  return registry;
}

function byOurselves(): Registry {
  const registry = new Registry();
  const count = countDurations(registry);
  for (const observation of SEEN) count(observation);
  return registry;
}

describe('durations of requests', () => {
  test('are told as the library tells a histogram', async () => {
    expect(await byOurselves().metrics()).toBe(await byLibrary().metrics());
  });

  test('are added up over processes like one of the library', async () => {
    const sumOf = async (registry: Registry) => {
      const json = await registry.getMetricsAsJSON();
      return AggregatorRegistry.aggregate([json, json]).metrics();
    };
    const sum = await sumOf(byOurselves());
    expect(sum).toBe(await sumOf(byLibrary()));
    expect(sum).toContain('status="404"} 2');
  });

  test('are none before the first request', async () => {
    const registry = new Registry();
    countDurations(registry);
    expect(await registry.metrics()).not.toContain('_count');
  });
});

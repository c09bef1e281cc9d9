import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { buildWith } from '../crash/money-bugs.ts';
import { testSeed } from '../shop/tokens-seed.ts';
import type { FuzzBug } from './fuzz-bugs.ts';
import { type FuzzPlan, runFuzz } from './fuzz-run.ts';
import { openFuzzSite } from './fuzz-site.ts';

const MIB = 1024 * 1024;

/** A run, and what it comes to at least where the fuzzer has got in. */
interface Run extends Omit<FuzzPlan, 'seed'> {
  /** Operations that were answered with success. */
  readonly leastReached: number;
  /** Deliveries that came in: a webhook has to be drawn first, at the one address where they can come in. */
  readonly leastDeliveries: number;
}

/**
 * What `npm test` does: most mistakes are found within some hundred requests. Its first look at the heap comes so early that some
 * 10 MB are still to be compiled and cached.
 */
export const SHORT_RUN: Run = {
  tour: false,
  requests: 1_200,
  heapGrowthBytes: 24 * MIB,
  leastReached: 40,
  leastDeliveries: 0,
};

/** What `npm run test:fuzz` does. */
export const LONG_RUN: Run = {
  tour: true,
  requests: 100_000,
  heapGrowthBytes: 32 * MIB,
  leastReached: 100,
  leastDeliveries: 1,
};

/** Runs it, and expects that nothing is found, and that it has looked. */
export async function expectNothingFound({ leastReached, leastDeliveries, ...plan }: Run): Promise<void> {
  const seed = testSeed();
  const site = await openFuzzSite();
  onTestFinished(() => site.stop());
  const { findings, reached, ...counts } = await runFuzz(site, { ...plan, seed });
  process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...counts, reached: reached.length })}\n`);
  expect(findings, `seed ${seed}`).toEqual([]);
  const where = `seed ${seed}: operations that were reached; not these: ${counts.unreached}`;
  expect(reached.length, where).toBeGreaterThanOrEqual(leastReached);
  expect(counts.deliveries, `seed ${seed}: deliveries`).toBeGreaterThanOrEqual(leastDeliveries);
}

/** What is enough to find a mistake. What ends at its finding may take longer. */
const SEARCH = { tour: true, requests: 20_000, heapGrowthBytes: 16 * MIB };

/** A run with this seed once found nothing in 20 000 requests: it is tried with each mistake. */
const SEED_WITHOUT_LUCK = 961_462_525;

/** Looks for a mistake with that seed and so many that are drawn, and expects that each finds it. */
export async function expectFound(bug: FuzzBug, count: number): Promise<void> {
  const main = await buildWith(bug);
  for (const seed of [SEED_WITHOUT_LUCK, ...fc.sample(fc.nat(), { seed: testSeed(), numRuns: count })]) {
    const site = await openFuzzSite(main);
    try {
      const startedAt = performance.now();
      const { findings, requests } = await runFuzz(site, { ...SEARCH, ...bug.plan, seed, until: bug.finding });
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const found = findings.find((finding) => bug.finding.test(finding));
      expect(found, `seed ${seed}: not found in ${requests} requests`).toBeDefined();
      process.stdout.write(`seed ${seed}: red after ${requests} requests, ${seconds} s: ${found?.slice(0, 300)}\n`);
    } finally {
      await site.stop();
    }
  }
}

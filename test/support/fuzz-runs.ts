import { expect, onTestFinished } from 'vitest';
import { type FuzzPlan, runFuzz } from './fuzz-run.ts';
import { openFuzzSite } from './fuzz-site.ts';
import { testSeed } from './tokens-seed.ts';

const MIB = 1024 * 1024;

/** What `npm test` does. */
export const SHORT_RUN: Omit<FuzzPlan, 'seed'> = { requests: 5_000, heapGrowthBytes: 16 * MIB };

/** What `npm run test:fuzz` does. */
export const LONG_RUN: Omit<FuzzPlan, 'seed'> = { requests: 100_000, heapGrowthBytes: 32 * MIB };

/** Fewer operations answered with success say that the fuzzer has not got in. */
const LEAST_REACHED = 100;

/** Runs it, and expects that nothing is found, and that it has looked. */
export async function expectNothingFound(plan: Omit<FuzzPlan, 'seed'>): Promise<void> {
  const seed = testSeed();
  const site = await openFuzzSite();
  onTestFinished(() => site.stop());
  const { findings, reached, ...counts } = await runFuzz(site, { ...plan, seed });
  process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...counts, reached: reached.length })}\n`);
  expect(findings, `seed ${seed}`).toEqual([]);
  expect(reached.length, `seed ${seed}: operations that were reached; not these: ${counts.unreached}`).toBeGreaterThan(
    LEAST_REACHED,
  );
  expect(counts.deliveries, `seed ${seed}: deliveries`).toBeGreaterThan(0);
}

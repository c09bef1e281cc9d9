import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { makeDataDir } from '../support/embedded.ts';
import { openCrashSite, type Victim } from '../support/tokens-crash.ts';
import { testSeed } from '../support/tokens-seed.ts';

// The long run, with more rounds, kills of one alone and a control that must fail, is in test/faults.

/** Some seconds of import, so that the kill falls into it. */
const LINES = 6000;
const EVERYTHING: readonly Victim[] = ['service', 'import', 'postgres'];

it('kill -9 of service, import and PostgreSQL in mid-import loses nothing that was acknowledged', async () => {
  const seed = testSeed();
  const site = await openCrashSite(await makeDataDir());
  onTestFinished(() => site.stop());
  const [answersBeforeKill = 1] = fc.sample(fc.integer({ min: 1, max: 40 }), { seed, numRuns: 1 });
  const findings = await site.round({ number: 0, lines: LINES, victims: EVERYTHING, answersBeforeKill });
  const where = `seed ${seed}`;
  expect(findings.broken, where).toEqual([]);
  // The kill hit: lines were written, the file was not through, and a request waited for an answer.
  expect(findings.recovered, where).toBeLessThanOrEqual(findings.fed);
  expect(findings.acknowledgedLines, where).toBeGreaterThan(0);
  expect(findings.acknowledgedRenames, where).toBeGreaterThan(0);
  expect(findings.openRenames, where).toBeGreaterThan(0);
}, 300_000);

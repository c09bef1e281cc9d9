import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { makeDataDir } from '../support/database/embedded.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';
import { type Findings, openCrashSite, type Victim } from './tokens-crash.ts';

const LINES = 8000;
const ROUNDS = 24;
const CONTROL_ROUNDS = 8;

const EVERYTHING: readonly Victim[] = ['service', 'import', 'postgres'];
const VICTIMS: readonly (readonly Victim[])[] = [
  EVERYTHING,
  EVERYTHING,
  ['postgres', 'import'],
  ['postgres'],
  ['import'],
  ['service', 'import'],
];

it(`${ROUNDS} kills of the running process, at random moments of an import, lose nothing that was acknowledged`, async () => {
  const seed = testSeed();
  const site = await openCrashSite(await makeDataDir());
  onTestFinished(() => site.stop());
  const all: Findings[] = [];
  for (const [number, answersBeforeKill] of moments(seed, ROUNDS).entries()) {
    const victims = VICTIMS[number % VICTIMS.length] ?? EVERYTHING;
    const findings = await site.round({ number, lines: LINES, victims, answersBeforeKill });
    expect(findings.broken, `seed ${seed}, round ${number}: ${victims}`).toEqual([]);
    all.push(findings);
  }
  // Rounds in which nothing was under way prove nothing.
  const inImport = all.filter(({ recovered, fed }) => recovered < fed);
  const inRequest = all.filter(({ openRenames }) => openRenames > 0);
  expect(inImport.length, `seed ${seed}`).toBeGreaterThanOrEqual(ROUNDS / 2);
  expect(inRequest.length, `seed ${seed}`).toBeGreaterThanOrEqual(ROUNDS / 2);
});

it('turns red where the database does not wait for its log: the control', async () => {
  const seed = testSeed();
  const site = await openCrashSite(await makeDataDir());
  onTestFinished(() => site.stop());
  await site.asAdmin('alter role kontor_app set synchronous_commit = off');
  const broken: string[] = [];
  for (const [number, answersBeforeKill] of moments(seed, CONTROL_ROUNDS).entries()) {
    const findings = await site.round({ number, lines: LINES, victims: EVERYTHING, answersBeforeKill });
    broken.push(...findings.broken);
    if (broken.length > 0) break;
  }
  expect(broken, `seed ${seed}`).not.toEqual([]);
});

/** How many answers the client gets before each kill. */
function moments(seed: number, count: number): number[] {
  return fc.sample(fc.integer({ min: 1, max: 60 }), { seed, numRuns: count });
}

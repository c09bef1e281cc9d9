import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { type MoneyVictim, openMoneySite } from '../support/crash/money-crash.ts';
import { makeDataDir } from '../support/database/embedded.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

// The long run, with more rounds, kills of one alone and controls that must fail, is in test/faults.

const ROUNDS: readonly (readonly MoneyVictim[])[] = [['service', 'postgres']];

it('kill -9 of service and PostgreSQL while clients pay: what was acknowledged is there once, the rest can be repeated', async () => {
  const seed = testSeed();
  const site = await openMoneySite(await makeDataDir());
  onTestFinished(() => site.stop());
  const moments = fc.sample(fc.integer({ min: 50, max: 200 }), { seed, numRuns: ROUNDS.length });
  for (const [number, victims] of ROUNDS.entries()) {
    const findings = await site.round({ victims, answersBeforeKill: moments[number] ?? 50, seed: seed + number });
    const where = `seed ${seed}, round ${number}: ${victims}`;
    expect(findings.broken, where).toEqual([]);
    // The signal hit: a request waited for an answer.
    expect(findings.open, where).toBeGreaterThan(0);
  }
}, 300_000);

import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { BUGS, buildWith } from '../support/crash/money-bugs.ts';
import { type MoneyFindings, type MoneySite, type MoneyVictim, openMoneySite } from '../support/crash/money-crash.ts';
import { makeDataDir } from '../support/database/embedded.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

const ROUNDS = 24;
/** Most rounds that a control may need to turn red. A reference that is used twice shows in every other one or so. */
const CONTROL_ROUNDS = 20;
/** Fewer say that the kills missed. */
const LEAST_UNKNOWN = 20;

const VERBS = ['authorize', 'cancel', 'capture', 'deposit', 'purchase', 'reversal'];
const EVERYTHING: readonly MoneyVictim[] = ['service', 'postgres'];

/** Who is killed, and after how many answers. */
const rounds = fc.record({
  victims: fc.constantFrom<readonly MoneyVictim[]>(EVERYTHING, EVERYTHING, ['service'], ['postgres']),
  answersBeforeKill: fc.integer({ min: 20, max: 1000 }),
});

it(`${ROUNDS} kills at random moments while clients pay lose nothing, double nothing, and leave nothing open`, async () => {
  const seed = testSeed();
  const site = await openMoneySite(await makeDataDir());
  onTestFinished(() => site.stop());
  const all: MoneyFindings[] = [];
  for (const [number, round] of fc.sample(rounds, { seed, numRuns: ROUNDS }).entries()) {
    const findings = await site.round({ ...round, seed: seed + number });
    expect(findings.broken, `seed ${seed}, round ${number}: ${JSON.stringify(round)}`).toEqual([]);
    all.push(findings);
  }
  const sum = (of: (findings: MoneyFindings) => number) => all.reduce((total, findings) => total + of(findings), 0);
  const unknown = sum((findings) => findings.unknown);
  const acknowledged = all.at(-1)?.acknowledged;
  const counts = { acknowledged, unknown, unknownButStored: sum(({ stored }) => stored) };
  process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect(Object.keys(acknowledged ?? {}).sort(), `seed ${seed}`).toEqual(VERBS);
  expect(all.filter(({ open }) => open === 0).length, `seed ${seed}: rounds in which no request waited`).toBe(0);
  expect(unknown, `seed ${seed}`).toBeGreaterThanOrEqual(LEAST_UNKNOWN);
});

it('turns red where the database does not wait for its log: the control', async () => {
  const site = await openMoneySite(await makeDataDir());
  onTestFinished(() => site.stop());
  await site.asAdmin('alter role kontor_app set synchronous_commit = off');
  await expectRed(site, /is lost/);
});

it.each(BUGS)('turns red where $name', async (bug) => {
  const site = await openMoneySite(await makeDataDir(), await buildWith(bug));
  onTestFinished(() => site.stop());
  for (const statement of bug.sql ?? []) await site.asAdmin(statement);
  await expectRed(site, bug.finding);
});

async function expectRed(site: MoneySite, finding: RegExp): Promise<void> {
  const seed = testSeed();
  const moments = fc.sample(fc.integer({ min: 50, max: 500 }), { seed, numRuns: CONTROL_ROUNDS });
  for (const [number, answersBeforeKill] of moments.entries()) {
    const { broken } = await site.round({ victims: EVERYTHING, answersBeforeKill, seed: seed + number });
    const found = broken.find((text) => finding.test(text));
    if (found === undefined) continue;
    process.stdout.write(`red in round ${number}, ${broken.length} findings: ${found}\n`);
    return;
  }
  expect.fail(`seed ${seed}: the checker does not find it in ${CONTROL_ROUNDS} rounds`);
}

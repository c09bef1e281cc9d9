import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { scanForLeaks } from '../support/crash/acquirer-leaks.ts';
import { acquirerPayers, type Payers } from '../support/crash/acquirer-payers.ts';
import { killWhilePaying, payWhileFlapping, refuteWhatWasAsked } from '../support/crash/acquirer-runs.ts';
import { ACQUIRER_BUGS, type AcquirerBug, buildWith } from '../support/crash/money-bugs.ts';
import { type AcquirerSite, type AcquirerVictim, acquirerSite } from '../support/issuer/acquirer-site.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

// The short runs, with a kill at each moment of a question, are in test/faults-short.

const ROUNDS = 12;
const PAYMENTS = 10_000;
/** Of a service with a mistake, in a round; and most rounds that it may need to turn red. Nearly always the first one does. */
const CONTROL_PAYMENTS = 200;
const CONTROL_ROUNDS = 8;
const AT_ONCE = 32;

/** Who is killed, and when. */
const rounds = fc.record({
  victims: fc.constantFrom<readonly AcquirerVictim[]>(['kontor'], ['acquirer'], ['kontor', 'acquirer']),
  triesBeforeKill: fc.integer({ min: 50, max: 400 }),
});

/** A site with two instances, two acquirers, and payers at all of them. */
async function payingSite(main?: string) {
  const site = await acquirerSite({ main });
  onTestFinished(() => site.remove());
  const [north, south] = site.acquirers;
  await Promise.all([north?.start(), south?.start(), site.serve(), site.serve()]);
  return { site, payers: acquirerPayers(site.where) };
}

it(`${ROUNDS} kills of an instance, the acquirer or both while payers pay: what the acquirers hold is ours or is taken back`, async () => {
  const seed = testSeed();
  const { site, payers } = await payingSite();
  for (const [number, round] of fc.sample(rounds, { seed, numRuns: ROUNDS }).entries()) {
    await killWhilePaying(site, payers, { ...round, triesAfter: 100, atOnce: AT_ONCE, seed: seed + number });
    await site.settled();
    const broken = await site.broken(payers.acknowledged);
    expect(broken, `seed ${seed}, round ${number}: ${JSON.stringify(round)}`).toEqual([]);
  }
  const counts = { tried: payers.tried(), approved: payers.acknowledged.length };
  process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect((await scanForLeaks(site, payers)).found, `seed ${seed}`).toEqual([]);
});

it(`${PAYMENTS} payments while the lines to the first acquirer come and go: the second gets what was not sent alone, and no card is held twice`, async () => {
  const seed = testSeed();
  const { site, payers } = await payingSite();
  const flapped = await payWhileFlapping(site, payers, { payments: PAYMENTS, atOnce: AT_ONCE, seed });
  process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...flapped, approved: payers.acknowledged.length })}\n`);
  // As the controls look at it: before all is settled.
  expect(await refuteWhatWasAsked(site), `seed ${seed}`).toEqual([]);
  await site.settled();
  expect(await site.broken(payers.acknowledged), `seed ${seed}`).toEqual([]);
  expect((await scanForLeaks(site, payers)).found, `seed ${seed}`).toEqual([]);
});

it.each(ACQUIRER_BUGS)('turns red where $name', async (bug) => {
  const seed = testSeed();
  const { site, payers } = await payingSite(await buildWith(bug));
  for (const statement of bug.sql ?? []) await site.kontor.database.asAdmin(statement);
  for (let number = 0; number < CONTROL_ROUNDS; number++) {
    await payWhileFlapping(site, payers, { payments: CONTROL_PAYMENTS, atOnce: AT_ONCE, seed: seed + number });
    const found = (await seenBy(bug, site, payers)).find((finding) => bug.finding.test(finding));
    if (found === undefined) continue;
    process.stdout.write(`red in round ${number}: ${found.split('\n')[0]}\n`);
    return;
  }
  expect.fail(`seed ${seed}: the checker does not find it in ${CONTROL_ROUNDS} rounds`);
});

/** What the checkers of the long run say that can see a mistake. */
async function seenBy({ isOfBooks }: AcquirerBug, site: AcquirerSite, payers: Payers): Promise<readonly string[]> {
  // What the others leave open is never settled: that is a part of what they break.
  if (!isOfBooks) return refuteWhatWasAsked(site);
  await site.settled();
  return site.broken(payers.acknowledged);
}

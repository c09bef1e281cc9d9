import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirersBooks } from '../support/crash/acquirer-books.ts';
import { scanForLeaks } from '../support/crash/acquirer-leaks.ts';
import { acquirerPayers, type Payers } from '../support/crash/acquirer-payers.ts';
import {
  exchangesOf,
  killAtEachMoment,
  MOMENTS,
  MOMENTS_SCRIPT,
  payWhileFlapping,
  refuteWhatWasAsked,
} from '../support/crash/acquirer-runs.ts';
import { type AcquirerSite, acquirerSite, LINE, PATIENT_LINE } from '../support/issuer/acquirer-site.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

// The long runs are in test/faults, with kills while payers pay. These follow each other at one installation, in their order.

let site: AcquirerSite;
let payers: Payers;
beforeAll(async () => {
  site = await acquirerSite({ script: MOMENTS_SCRIPT });
  payers = acquirerPayers(site.where);
  // Until the first kill, which ends what is under way.
  site.waitFor(PATIENT_LINE);
  const [north, south] = site.acquirers;
  await Promise.all([north?.start(), south?.start(), site.serve()]);
}, 240_000);
afterAll(() => site.remove());

const AT_ONCE = 16;

test('killed at each moment of a question, what the acquirers hold is ours or is taken back', async () => {
  const [north, , east] = site.acquirers;
  await killAtEachMoment(site);
  expect(east?.journal()).toEqual([]);
  const asked = (await exchangesOf(site, Object.values(MOMENTS))).map(({ amount }) => amount);
  expect(asked).not.toContain(MOMENTS.beforeStored);
  expect(acquirersBooks(north?.journal() ?? [])).not.toEqual({});
  site.waitFor(LINE);
  await Promise.all([east?.start(), site.serve()]);
  await site.settled();
  const ended = (await exchangesOf(site, Object.values(MOMENTS))).filter(({ kind }) => kind === 'TakeBack');
  expect(ended.map(({ amount, state, action_code: code }) => [amount, state, code])).toEqual([
    [MOMENTS.duringTakeBack, 'REVERSED', '400'],
    [MOMENTS.afterWrite, 'REVERSED', '400'],
    // Its acquirer has never heard of it, and has said so twice.
    [MOMENTS.storedUnsent, 'REVERSED', '914'],
    [MOMENTS.afterAnswer, 'REVERSED', '400'],
  ]);
  expect(await site.broken([])).toEqual([]);
}, 240_000);

test('where the lines to the first acquirer come and go, the second gets what was not sent, and no card is held twice', async () => {
  const seed = testSeed();
  await payWhileFlapping(site, payers, { payments: 80, atOnce: AT_ONCE, seed });
  expect(await refuteWhatWasAsked(site), `seed ${seed}`).toEqual([]);
  await site.settled();
  expect(await site.broken(payers.acknowledged), `seed ${seed}`).toEqual([]);
}, 240_000);

// In `npm run test:faults` alone, where it follows the long runs too: a heap is read for a third of the time of all this.
test.runIf(IS_LONG_RUN)(
  'no number, code, authentication value or frame of these runs is in output, database, journals or heap',
  async () => {
    const { found, scanned } = await scanForLeaks(site, payers);
    expect(found).toEqual([]);
    for (const [place, bytes] of Object.entries(scanned)) expect(bytes, place).toBeGreaterThan(0);
  },
  240_000,
);

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirerPayers } from '../support/crash/acquirer-payers.ts';
import { type AcquirerSite, acquirerSite, LINE } from '../support/issuer/acquirer-site.ts';
import { acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { type Switchboard, switchboard } from '../support/issuer/switchboard.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

// One acquirer at two sites with one book, and two instances. While payers pay its sites go and come, it begins days that can be and that
// cannot, certificates and keys are read again, and an instance or the acquirer is killed.

/** Approved; the acquirer says with it that a day has begun: its next one, or one that is none. */
const CUT_OVER = 611;
const NO_DATE = 612;
const script = [
  { type: '1100', amount: CUT_OVER, does: 'CutOver' },
  { type: '1100', amount: NO_DATE, does: 'CutOverNoDate' },
];
const EVENTS = 80;
const AT_ONCE = 10;

let site: AcquirerSite;
let second: Switchboard;
beforeAll(async () => {
  site = await acquirerSite({ ids: ['north'], script });
  second = await switchboard();
  const { kontor, acquirers } = site;
  const { simulate } = kontor;
  Object.assign(kontor, {
    simulate: async (...options: readonly string[]) => {
      const simulated = await simulate(...options);
      second.leadTo(simulated.port);
      return simulated;
    },
  });
  const host = ['127.0.0.1', { host: '127.0.0.1', port: second.port }];
  kontor.configure({
    acquirers: [simulated(acquirers[0]?.board.port ?? 0, { ...LINE, id: 'north', host })],
    agreements: [agreed(kontor.payeeId, { id: 'at-north', terminalIds: ['WEB00001', 'WEB00002'] })],
  });
  await Promise.all([acquirers[0]?.start(), site.serve(), site.serve()]);
}, 240_000);
afterAll(async () => {
  await site.remove();
  await second.close();
});

const shop = acquiringShop(() => ({ ...site.where(), journal: '' }));
const begins = (amount: number) => void shop.authorize(amount).catch(() => undefined);

async function away(board: Switchboard | undefined, ms: number): Promise<void> {
  board?.cut();
  await pause(ms);
  board?.join();
}

/** What happens, for so long. */
const HAPPENS: readonly ((ms: number) => unknown)[] = [
  (ms) => away(site.acquirers[0]?.board, ms),
  (ms) => away(second, ms),
  () => site.instances.map((instance) => instance.process.kill('SIGHUP')),
  // At once, on whichever lines.
  () => [CUT_OVER, CUT_OVER, NO_DATE].map(begins),
  async () => {
    await site.instances[0]?.kill();
    await site.serve();
  },
  async (ms) => {
    await site.acquirers[0]?.kill();
    await pause(ms);
    await site.acquirers[0]?.start();
  },
];
const events = fc.record({ happens: fc.constantFrom(...HAPPENS), ms: fc.integer({ min: 100, max: 700 }) });

test(`${EVENTS} events at two sites and two instances while payers pay: nothing is lost or doubled, and both books are the same`, async () => {
  const seed = testSeed();
  const payers = acquirerPayers(site.where);
  let isOver = false;
  const paying = payers.pay({ atOnce: AT_ONCE, seed, isOver: () => isOver });
  for (const { happens, ms } of fc.sample(events, { seed, numRuns: EVENTS })) {
    await happens(ms);
    await pause(ms);
  }
  isOver = true;
  await paying;
  await site.settled();
  const counts = { tried: payers.tried(), approved: payers.acknowledged.length };
  process.stdout.write(`seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect(counts.approved).toBeGreaterThan(EVENTS);
  expect(await site.broken(payers.acknowledged), `seed ${seed}`).toEqual([]);
});

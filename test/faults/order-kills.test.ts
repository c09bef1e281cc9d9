import { expect, it, onTestFinished } from 'vitest';
import { buildWith, ORDER_BUGS } from '../support/crash/money-bugs.ts';
import { type Kills, killAt, MOMENTS } from '../support/crash/order-kill-moments.ts';
import { type OrderVictim, orderKillSite } from '../support/crash/order-kill-site.ts';
import { makeReady } from '../support/crash/order-kill-steps.ts';
import { THREE_GIFT_CARDS_BUG } from './order-bugs.ts';

// Kills of one of two instances, and lives of orders at random, are in order-lives.test.ts.

const VICTIMS: readonly (readonly OrderVictim[])[] = [
  ['service'],
  ['database'],
  ['acquirer'],
  ['service', 'database', 'acquirer'],
];
const ready: Kills['ready'] = (site, { isForAll }) => makeReady(site, { alsoUnasked: isForAll === true });

async function startedSite(main?: string) {
  const site = await orderKillSite(main);
  onTestFinished(() => site.remove());
  await site.acquirer.start();
  return site;
}

it('kill -9 at each moment of paying, capturing, cancelling and reversing an order: nothing is half booked, and all goes on', async () => {
  const site = await startedSite();
  for (const moment of MOMENTS) expect(await killAt(site, moment, { groups: VICTIMS, ready }), moment.name).toEqual([]);
  expect(await site.broken()).toEqual([]);
});

it.each([...ORDER_BUGS, THREE_GIFT_CARDS_BUG])('turns red where $name', async (bug) => {
  const site = await startedSite(await buildWith(bug));
  const moment = MOMENTS.find(({ name }) => name === bug.moment);
  if (moment === undefined) throw new Error(`there is no moment ${bug.moment}`);
  const found = await killAt(site, moment, { groups: [['service']], ready });
  expect(found).toContainEqual(expect.stringMatching(bug.finding));
});

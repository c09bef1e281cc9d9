import { describe, expect, it, onTestFinished } from 'vitest';
import { buildWith } from '../support/crash/money-bugs.ts';
import { type OrderKillSite, type OrderVictim, orderKillSite } from '../support/crash/order-kill-site.ts';
import { PATIENT_LINE } from '../support/issuer/acquirer-site.ts';
import { BANK_BUG, JOB_BUG } from './order-bugs.ts';
import { killAtBank } from './order-kill-bank.ts';
import { JOB_MOMENTS, killInJob } from './order-kill-jobs.ts';

// What goes on between two requests: an order's payer chooses at the bank, or a job ends it.

const VICTIMS: readonly (readonly OrderVictim[])[] = [['service'], ['database'], ['service', 'database', 'acquirer']];

async function startedSite(main?: string): Promise<OrderKillSite> {
  const site = await orderKillSite(main);
  onTestFinished(() => site.remove());
  await site.acquirer.start();
  await site.serveWith(PATIENT_LINE);
  await site.lineIsThere();
  return site;
}

describe('while payers of orders choose at the bank', () => {
  it('kill -9: each order is paid or declined as was chosen, held once, and nothing is held for no order', async () => {
    const site = await startedSite();
    for (const victims of VICTIMS) expect(await killAtBank(site, victims), `${victims}`).toEqual([]);
    expect(await site.broken()).toEqual([]);
  });

  it(`turns red where ${BANK_BUG.name}`, async () => {
    const site = await startedSite(await buildWith(BANK_BUG));
    expect(await killAtBank(site, ['service'])).toContainEqual(expect.stringMatching(BANK_BUG.finding));
  });
});

describe('while a job ends an order whose time is over', () => {
  it.each(VICTIMS.map((victims) => ({ names: victims.join(', '), victims })))(
    'kill -9 of $names: a job ends it, once and wholly',
    async ({ victims }) => {
      const site = await startedSite();
      for (const [name, place] of JOB_MOMENTS) {
        expect(await killInJob(site, { name, place, victims }), `${name}, ${place}`).toEqual([]);
      }
      expect(await site.broken()).toEqual([]);
    },
  );

  it(`turns red where ${JOB_BUG.name}`, async () => {
    const site = await startedSite(await buildWith(JOB_BUG));
    const found = await killInJob(site, { name: 'an order expires', place: 'before the write', victims: ['service'] });
    expect(found).toContainEqual(expect.stringMatching(JOB_BUG.finding));
  });
});

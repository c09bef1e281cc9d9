import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackground } from '../../src/kit/work/background.ts';
import { closeDueDays } from '../../src/settlements/days/close-days.flow.ts';
import { startSettling } from '../../src/settlements/days/days.job.ts';
import { selectSettlements } from '../../src/settlements/days/shown-days.store.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { agreementOf, charge, NORTH, settling } from '../support/settlements.ts';
import { until } from '../support/until.ts';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
const SOUTH = { ...NORTH, id: 'south' };

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  for (const day of DAYS) await charge(kontor.database, kontor.payeeId, { amount: 100, at: `${day}T12:00:00Z`, day });
  const day = '2026-03-04';
  const { attemptId } = await charge(kontor.database, kontor.payeeId, { amount: 100, at: `${day}T12:00:00Z`, day });
  await kontor.database.asAdmin(`
    update acquirer_exchange set acquirer = 'south' where attempt_id = '${attemptId}';
    alter table settlement_day add constraint no_such_day check (day <> '2026-03-01')`);
});
afterAll(() => kontor.stop());

const transact = ((work) => kontor.database.transact(work)) as TestService['database']['transact'];

async function closed(): Promise<readonly string[]> {
  const asked = { payeeId: kontor.payeeId, day: undefined, after: undefined, limit: 10 };
  return (await selectSettlements(kontor.database.read, asked)).map(({ day }) => day).toSorted();
}

test('a day that fails keeps no later day from being closed, and is told', async () => {
  const context = settling([agreementOf(kontor.payeeId)]);
  const closing = closeDueDays(transact, context, NORTH, new Date('2026-04-05T12:00:00Z'));
  await expect(closing).rejects.toThrow('no_such_day');
  expect(await closed()).toEqual(['2026-03-02', '2026-03-03']);
});

test("an acquirer whose days fail keeps no other's from being closed", async () => {
  const failures: string[] = [];
  const background = createBackground((work, error) => failures.push(`${work}: ${(error as Error).message}`));
  const context = settling([agreementOf(kontor.payeeId)]);
  const hosts = { ...context.hosts, acquirers: [NORTH, SOUTH] };
  const database = { longWork: transact } as SettlementContext['database'];
  const stop = startSettling({ background }, { ...context, hosts, database }, 10);
  await until(async () => (await closed()).includes('2026-03-04'));
  await stop();
  expect(failures[0]).toMatch(/^close-settlements: .*no_such_day/);
});

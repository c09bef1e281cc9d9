import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDueDays } from '../../src/settlements/days/close-days.flow.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { agreementOf, charge, NORTH, settling } from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
let anna: Browser;

/** The cut-over is at 23:00: what is sold in the last hour of a month belongs to the first business day of the next. */
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  anna = await signedInAs(kontor, 'administrator');
  const sold = await charge(kontor.database, kontor.payeeId, {
    amount: 1_000,
    at: '2026-02-28T22:30:00Z',
    day: '2026-03-01',
  });
  await charge(kontor.database, kontor.payeeId, { amount: 200, at: '2026-03-15T12:00:00Z', day: '2026-03-15' });
  await charge(kontor.database, kontor.payeeId, { amount: 30, at: '2026-03-31T21:30:00Z', day: '2026-04-01' });
  await charge(kontor.database, kontor.payeeId, {
    amount: 4,
    type: 'Refund',
    of: sold,
    at: '2026-03-15T13:00:00Z',
    day: '2026-03-15',
  });
  const context = settling([agreementOf(kontor.payeeId)]);
  await closeDueDays((work) => kontor.database.transact(work), context, NORTH, new Date('2026-04-05T12:00:00Z'));
  // No business day has collected it yet.
  await charge(kontor.database, kontor.payeeId, { amount: 7, at: '2026-03-20T12:00:00Z', day: '2026-04-06' });
});
afterAll(() => kontor.stop());

const of = async (from: string, to: string) =>
  (await anna.get(`/portal/api/payees/${kontor.payeeId}/business-days?from=${from}&to=${to}`)).body;
const shown = ({ lines }: Awaited<ReturnType<typeof of>>) =>
  lines.map(({ calendarDay, day, within, net }: Record<string, unknown>) => [calendarDay, day, within, net]);

test('the sums of a month by business days and by days of the payee differ by what is of one alone', async () => {
  const march = await of('2026-03-01', '2026-03-31');
  expect(shown(march)).toEqual([
    ['2026-02-28', '2026-03-01', 'BusinessDay', 1_000],
    ['2026-03-15', '2026-03-15', 'Both', 196],
    ['2026-03-20', null, 'CalendarDay', 7],
    ['2026-03-31', '2026-04-01', 'CalendarDay', 30],
  ]);
  expect(march.totals).toEqual([
    {
      currency: 'NOK',
      both: 196,
      businessDayAlone: 1_000,
      calendarDayAlone: 37,
      byBusinessDay: 1_196,
      byCalendarDay: 233,
    },
  ]);
  const { text } = await anna.get(
    `/portal/api/payees/${kontor.payeeId}/business-days.csv?from=2026-03-01&to=2026-03-31`,
  );
  expect(text).toMatch(/^Line,2026-03-15,2026-03-15,Both,demo-nok,NOK,1,2\.00,1,0\.04,1\.96\r?$/m);
  expect(text).toMatch(/^End: 4 lines from 2026-03-01 to 2026-03-31 \(Europe\/Oslo\),+\r?$/m);
});

test('an administrator sets where days begin, and reports follow; others may not, and it is written down', async () => {
  const path = `/portal/api/payees/${kontor.payeeId}/time-zone`;
  expect((await (await signedInAs(kontor, 'finance')).patch(path, { timeZone: 'UTC' })).status).toBe(403);
  for (const timeZone of ['EST', 'Europe/Atlantis', '']) {
    expect((await anna.patch(path, { timeZone })).status, timeZone).toBe(400);
  }
  expect(shown(await of('2026-03-01', '2026-03-31'))[0]?.[0]).toBe('2026-02-28');
  expect((await anna.patch(path, { timeZone: 'Asia/Tokyo' })).status).toBe(200);
  expect(shown(await of('2026-03-01', '2026-03-31'))[0]).toEqual(['2026-03-01', '2026-03-01', 'Both', 1_000]);
  expect((await anna.get('/portal/api/session')).body.payee.timeZone).toBe('Asia/Tokyo');
  const audits = await kontor.database.asAdmin(
    `select actor_kind = 'portal-user' as person, details ->> 'timeZone' as zone from audit where action = 'set-time-zone'`,
  );
  expect(audits).toEqual([{ person: true, zone: 'Asia/Tokyo' }]);
});

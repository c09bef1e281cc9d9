import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetTrace } from '../../src/issuers/trace/keep-trace.ts';
import type { TraceRow } from '../../src/issuers/trace/trace.types.ts';
import { dumpDatabase } from '../support/crash/acquirer-leaks.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { scannerFor } from '../support/prober/scanner.ts';

const NUMBER = '4925000000000004';

let kontor: Acquiring;
beforeAll(async () => {
  kontor = await acquiring({ KONTOR_ACQUIRER_TRACE_DAYS: '7', KONTOR_LOG_LEVEL: 'trace' });
}, 120_000);
afterAll(() => kontor.remove());

async function shown(...options: string[]): Promise<readonly TraceRow[]> {
  const { status, stdout, stderr } = await kontor.installation.kontor(['acquirers', 'trace', '--json', ...options]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const said = ({ fields }: TraceRow, name: string) => fields.find(([, known]) => known === name)?.[2];

test('messages are kept masked, by number and name, and shown; nothing of a card is in them or in the log', async () => {
  const { port } = await kontor.simulate();
  kontor.configure({ acquirers: [simulated(port)], agreements: [agreed(kontor.payeeId)] });
  const { baseUrl, started, log } = await kontor.serve();
  const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));
  const { made } = await shop.authorize(12_500, NUMBER);
  await shop.follow(made.body.payment.id, 'create-capture', { amount: 12_500, vatAmount: 0 });
  started.process.kill('SIGTERM');
  expect((await started.ended).status).toBe(0);

  const rows = await shown();
  const passed = rows.map(({ isOurs, type }) => `${isOurs ? 'sent' : 'received'} ${type}`);
  for (const one of ['1804', '1100', '1220']) expect(passed).toContain(`sent ${one}`);
  for (const one of ['1814', '1110', '1230']) expect(passed).toContain(`received ${one}`);
  // The last one says good-bye.
  expect(said(rows.filter(({ isOurs }) => isOurs).at(-1) as TraceRow, 'functionCode')).toBe('802');
  const asked = rows.find(({ type }) => type === '1100') as TraceRow;
  expect(asked).toMatchObject({ acquirerId: 'north', site: `127.0.0.1:${port}`, leftOut: 0 });
  expect(asked.fields.slice(0, 3)).toEqual([
    [2, 'cardNumber', '492500******0004'],
    [3, 'processingCode', '000000'],
    [4, 'amount', '12500'],
  ]);
  expect([said(asked, 'cvc'), said(asked, 'expiry')]).toEqual(['***', '***']);
  expect(said(rows.find(({ type }) => type === '1110') as TraceRow, 'actionCode')).toBe('000');

  const reference = said(asked, 'retrievalReference') ?? '';
  expect((await shown('--reference', reference)).map(({ type }) => type)).toEqual(['1100', '1110', '1220', '1230']);
  expect((await shown('--last', '2')).map(({ traceId }) => traceId)).toEqual(
    rows.slice(-2).map(({ traceId }) => traceId),
  );
  expect(await shown('--acquirer', 'other')).toEqual([]);
  const { stdout } = await kontor.installation.kontor(['acquirers', 'trace']);
  expect(stdout).toMatch(/^ {4}2 {2}cardNumber +492500\*{6}0004$/m);

  const scanner = scannerFor([
    { name: 'number', value: NUMBER, kind: 'card number' },
    // A code and an expiry alone are any digits: they are sought with what stands before them in a frame.
    { name: 'cvc in a frame', value: '09003123', kind: 'secret' },
    { name: 'cvc in the trace', value: '"cvc", "123"', kind: 'secret' },
    { name: 'expiry in the trace', value: '"expiry", "3912"', kind: 'secret' },
  ]);
  // As rows are written as text, quotes are doubled.
  const dump = (await dumpDatabase({ kontor })).replaceAll('""', '"');
  expect(dump).toContain('"cvc", "***"');
  expect(scanner.scan(Buffer.from(dump))).toEqual([]);
  // The same scan finds them where they are.
  const leak = dump.replace('"cvc", "***"', '"cvc", "123"').replace('492500******0004', NUMBER);
  const found = scanner.scan(Buffer.from(leak)).join('\n');
  for (const name of ['number', 'cvc in the trace']) expect(found).toContain(name);
  expect(log()).not.toContain('492500******0004');
  expect(scanner.scan(Buffer.from(log()))).toEqual([]);
}, 120_000);

test('a message ends with its days, and without days all of them do', async () => {
  const kept = async () => Number((await kontor.database.asAdmin('select count(*) from acquirer_trace'))[0]?.['count']);
  const recent = await kept();
  expect(recent).toBeGreaterThan(0);
  await kontor.database.asAdmin(`
    insert into acquirer_trace
    select (lpad(to_hex(extract(epoch from kontor_now() - interval '9 d')::bigint * 1000), 12, '0') || '7000800000000000000' || n)::uuid,
      kontor_now(), 'north', '', true, '1100', null, null, '[]', 0
    from generate_series(0, 9) n`);
  const forget = (days: number) =>
    kontor.inService(({ database }) => database.transact((transaction) => forgetTrace(transaction, days)));
  expect(await forget(7)).toBe(true);
  expect(await kept()).toBe(recent);
  expect(await forget(7)).toBe(false);
  expect(await forget(0)).toBe(true);
  expect(await kept()).toBe(0);
});

test('the command says what to set where nothing is kept', async () => {
  const { stdout } = await kontor.installation.kontor(['acquirers', 'trace'], { KONTOR_ACQUIRER_TRACE_DAYS: '0' });
  expect(stdout).toBe('No message is kept: set KONTOR_ACQUIRER_TRACE_DAYS for the service.\n');
});

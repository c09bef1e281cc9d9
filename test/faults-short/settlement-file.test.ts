import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { type PayeeId, parsePayeeId } from '../../src/kit/ids.ts';
import type { SettlementService } from '../../src/settlements/settlements.types.ts';
import { commandServices } from '../../src/wiring/slices.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { kill } from '../support/crash/crash.ts';
import { testDatabase } from '../support/database/database.ts';
import { startServer, type TestServer } from '../support/database/server.ts';
import { requireStandby } from '../support/database/standby.ts';
import { serverOf } from '../support/prober/routes-server.ts';
import { type TestService, testService } from '../support/service.ts';
import { agreementOf, charge, fileOf, lineFor, settling } from '../support/settlements.ts';
import { type Browser, PASSWORD, signedInAs } from '../support/shop/portal.ts';
import { until } from '../support/until.ts';

// PostgreSQL is killed while a person looks at a settlement file, and while they import it. They do it again.

const SALES = 60;
/** The database recovers first, and others may use the machine. */
const RECOVERED_MS = 60_000;

let server: TestServer;
let kontor: TestService;
let anna: Browser;
let payeeId: PayeeId;
let close: () => Promise<void>;
/** What is wrong with the books without any import: the sales are rows, and no payer has paid them. */
let madeWrong: readonly unknown[];
beforeAll(async () => {
  server = await startServer();
  const database = await testDatabase({ of: 'empty', server });
  const { appUrl, ownerUrl } = database;
  const started = await testService({ KONTOR_DATABASE_URL: appUrl, KONTOR_DATABASE_OWNER_URL: ownerUrl });
  payeeId = parsePayeeId(started.payeeId) as PayeeId;
  // A sandbox has no acquirers whose files it would read: this server in front of the same database has one.
  const at = { config: started.config, service: started.service, baseUrl: '' };
  const { context } = (await commandServices(at.service).settlements()) as SettlementService;
  Object.assign(context.hosts, settling([agreementOf(payeeId)]).hosts);
  const { app } = await serverOf(at);
  at.baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  close = async () => {
    await app.close();
    await started.stop();
    await database.drop();
  };
  kontor = { ...started, database, baseUrl: at.baseUrl };
  anna = await signedInAs(kontor, 'finance');
  await anna.post('/portal/api/session/reauthenticate', { password: PASSWORD });
  await charge(kontor.database, payeeId, { amount: 1_000 });
  madeWrong = await refuteBooks(kontor);
  expect(madeWrong).toHaveLength(3);
}, 120_000);
afterAll(async () => {
  await close?.();
  await server?.remove();
});

type At = '' | '/preview';

async function send(at: At, text: string) {
  const digest: Record<string, string> = at === '' ? { digest: createHash('sha256').update(text).digest('hex') } : {};
  const asked = new URLSearchParams({ acquirer: 'north', name: 'day.csv', ...digest });
  const url = new URL(`/portal/api/payees/${payeeId}/settlement-files${at}?${asked}`, kontor.baseUrl);
  const headers = {
    origin: new URL(kontor.baseUrl).origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'text/csv',
    'csrf-token': anna.csrfToken,
    cookie: anna.cookie ?? '',
  };
  const answer = await fetch(url, { method: 'POST', headers, body: text });
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it came
  return { status: answer.status, body: (await answer.json()) as any };
}

const asAdmin = (sql: string) => kontor.database.asAdmin(sql);

/** What imports have stored, of all that they write. */
const stored = async () =>
  (
    await asAdmin(`
      select (select count(*)::int from settlement_batch) as batches, (select count(*)::int from settlement_line) as lines,
        (select count(*)::int from settlement_file) as files,
        (select count(*)::int from settlement_item where batch_id is not null) as settled,
        (select count(*)::int from movement where kind = 'Settlement') as movements,
        (select count(*)::int from audit where action = 'import-settlement-batch') as audited`)
  )[0];

async function dayOf(batch: string): Promise<string> {
  const sold = await Promise.all(
    Array.from({ length: SALES }, (_, n) => charge(kontor.database, payeeId, { amount: 1_000 + n })),
  );
  return fileOf(
    batch,
    sold.map((one) => lineFor(one)),
  );
}

const ONE_DAY_MORE = { batches: 1, lines: SALES + 1, files: 1, settled: SALES, movements: 1, audited: 1 };

const sum = (one: Record<string, unknown> = {}, other: Record<string, number>) =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Number(value) + (other[name] ?? 0)]));

/** Sends a file, and waits until the import cannot go on, for want of this table. */
async function sentUntil(table: string, at: At, text: string) {
  const locking = await connect(kontor.database.adminUrl);
  onTestFinished(() => locking.end().catch(() => undefined));
  await locking.command('begin');
  await locking.command(`lock table ${table} in share mode`);
  const answer = send(at, text);
  let processId = 0;
  await until(async () => {
    const [waiting] = await asAdmin(`
      select l.pid from pg_locks l
      where not l.granted and l.relation = '${table}'::regclass and exists (
        select from pg_locks h where h.pid = l.pid and h.granted and h.relation = 'settlement_file'::regclass)`);
    processId = Number(waiting?.['pid'] ?? 0);
    return processId !== 0;
  });
  return { answer, processId, locking };
}

/** Kills PostgreSQL with all that is under way. It is started again by who has started it. */
async function killDatabase(): Promise<void> {
  await kill(await server.processIds());
  await until(
    () =>
      asAdmin('select 1').then(
        () => true,
        () => false,
      ),
    RECOVERED_MS,
  );
}

/** The file is imported once, however often it is sent, and the books are right. */
async function importedOnce(text: string, before: Record<string, unknown> | undefined) {
  expect((await send('/preview', text)).body).toMatchObject({ isKnown: false, batches: [{ state: 'New' }] });
  expect(await stored()).toEqual(before);
  expect(await send('', text)).toMatchObject({ status: 200, body: { batches: 1, matched: SALES, refused: [] } });
  const after = sum(before, ONE_DAY_MORE);
  expect(await stored()).toEqual(after);
  expect(await send('', text)).toMatchObject({ status: 200, body: { matched: 0, isKnown: true } });
  expect(await stored()).toEqual(after);
  expect(await refuteBooks(kontor)).toEqual(madeWrong);
}

// In the order in which an import writes them.
test.each(['settlement_batch', 'settlement_line', 'movement', 'audit'])(
  'killed while %s waits, a look and an import have done nothing, and say so',
  async (table) => {
    const text = await dayOf(`at-${table}`);
    const before = await stored();
    for (const at of ['/preview', ''] as const) {
      const { answer } = await sentUntil(table, at, text);
      await killDatabase();
      expect(await answer).toMatchObject({ status: 503, body: { type: expect.stringContaining('unavailable') } });
      expect(await stored()).toEqual(before);
    }
    await importedOnce(text, before);
  },
  120_000,
);

test('killed between its commit and the answer, an import says that it is not known, and the next look shows it', async () => {
  const text = await dayOf('late');
  const before = await stored();
  const { answer, processId, locking } = await sentUntil('audit', '', text);
  await requireStandby(server.adminUrl, 'nobody');
  // It wrote nothing, so it waits for no standby.
  await locking.command('rollback');
  await until(async () => {
    const [one] = await asAdmin(`select wait_event from pg_stat_activity where pid = ${processId}`);
    return one?.['wait_event'] === 'SyncRep';
  });
  await killDatabase();
  expect(await answer).toMatchObject({ status: 500, body: { type: expect.stringContaining('systemerror') } });
  await requireStandby(server.adminUrl, '');
  const after = sum(before, ONE_DAY_MORE);
  expect(await stored()).toEqual(after);
  expect((await send('/preview', text)).body).toMatchObject({ isKnown: true, batches: [{ state: 'Known' }] });
  expect(await send('', text)).toMatchObject({ status: 200, body: { matched: 0, isKnown: true } });
  expect(await stored()).toEqual(after);
  expect(await refuteBooks(kontor)).toEqual(madeWrong);
}, 120_000);

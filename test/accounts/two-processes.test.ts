import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connect } from '../../src/db/server/connection.ts';
import { startServer, type TestServer } from '../support/database/server.ts';
import { requireStandby } from '../support/database/standby.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { type AccountsShop, accountsShop, newReference } from '../support/shop/accounts-shop.ts';
import { until } from '../support/until.ts';

// A server of its own: these tests end its sessions and have its commits wait. Two processes of the built service work on
// it; the one in this process only sets up.
let server: TestServer;
let admin: Connection;
let kontor: TestService;
let processes: readonly ServiceProcess[] = [];
let shops: readonly [AccountsShop, AccountsShop];

beforeAll(async () => {
  server = await startServer();
  admin = await connect(server.adminUrl);
  const urls = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: server.appUrl,
    KONTOR_DATABASE_OWNER_URL: server.ownerUrl,
  };
  kontor = await testService(urls);
  const environment = { ...urls, KONTOR_DATA_DIR: kontor.config.dataDir, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'silent' };
  const one = await startService(environment);
  processes = [one];
  const other = await startService(environment);
  processes = [one, other];
  shops = [shopAt(one), shopAt(other)];
});
afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop()));
  await kontor?.stop();
  await admin?.end();
  await server?.remove();
});

function shopAt({ baseUrl }: ServiceProcess): AccountsShop {
  return accountsShop({
    ...kontor,
    send: (method, path, options) => kontor.send(method, `${baseUrl}${path}`, options),
  });
}

async function asAdmin(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await admin.query(sql)).rows;
}

/** Sessions of the service that wait for this with a payment: jobs write beside it, and have no reference. */
async function waiting(event: string): Promise<number[]> {
  const rows = await asAdmin(`
    select pid from pg_stat_activity a
    where application_name = 'kontor' and pid <> pg_backend_pid() and wait_event = '${event}' and exists (
      select from pg_locks where pid = a.pid and relation = 'reference'::regclass and mode = 'RowExclusiveLock' and granted)`);
  return rows.map(({ pid }) => pid as number);
}

async function waitingSession(event: string): Promise<number> {
  let found: number[] = [];
  await until(async () => {
    found = await waiting(event);
    return found.length > 0;
  });
  return found[0] ?? 0;
}

const standby = (name: string) => requireStandby(server.adminUrl, name);

/** Locks something in a session of its own; what comes back lets go. */
async function hold(sql: string): Promise<() => Promise<void>> {
  const holder = await connect(server.adminUrl);
  await holder.command('begin');
  await holder.command(sql);
  return async () => {
    await holder.command('rollback');
    await holder.end();
  };
}

/** What an answer says, whichever process gave it: their addresses differ by the port. */
const said = ({ text }: Answer) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'kontor');

const purchase = () => ({ amount: 10, paymentTransactionRef: newReference(), paymentOrderRef: 'o' });

it('an account that another session locks for 4 s keeps no other request waiting, in either process', async () => {
  const [stuck, ...free] = await Promise.all(Array.from({ length: 9 }, () => shops[0].open(10_000)));
  if (stuck === undefined) throw new Error('there are nine accounts');
  const holder = await connect(server.adminUrl, { statement_timeout: '0' });
  await holder.command('begin');
  await holder.command(`select from account where account_id = '${stuck.paymentAccountId}' for update`);
  let isLocked = true;
  const lock = holder.command('select pg_sleep(4)').finally(() => {
    isLocked = false;
  });
  const members = purchase();
  let isAnswered = false;
  const refused = shops[0].pay('purchase', stuck, members).finally(() => {
    isAnswered = true;
  });
  let answeredBefore = 0;
  const payAndLook = async () => {
    const answers = await Promise.all(
      free.flatMap((account) => shops.map((shop) => shop.pay('purchase', account, { amount: 1 }))),
    );
    expect(answers.filter(({ body }) => body.state !== 'OK').map(({ text }) => text)).toEqual([]);
    if (!isAnswered) answeredBefore += answers.length;
    return isLocked;
  };
  // Now and again, as long as it lasts: to pay without a pause would take both cores for four seconds, and tell no more.
  await expect.poll(payAndLook, { interval: 250, timeout: 30_000 }).toBe(false);
  await lock;
  // A request that travels with the stuck command would be answered no sooner than that.
  expect(answeredBefore).toBeGreaterThan(8);
  expect((await refused).status).toBe(503);
  await holder.command('rollback');
  await holder.end();
  // Nothing was done, so the same may be sent again, to the other process.
  expect((await shops[1].pay('purchase', stuck, members)).body.state).toBe('OK');
  expect(await shops[1].balance(stuck)).toBe(9_990);
});

describe('a connection that is cut', () => {
  afterEach(() => standby(''));

  it.each([
    [
      'while references are claimed',
      (reference: string) =>
        hold(`
        insert into reference (payee_id, scope, reference, command_id, payment_id)
        values ('${kontor.payeeId}', 'payment', '${reference}', gen_random_uuid(), gen_random_uuid())`),
      'transactionid',
    ],
    ['while the batch is written', () => hold('lock table audit in share mode'), 'relation'],
    [
      'while the commit waits for a standby',
      async () => {
        await standby('nobody');
        return () => standby('');
      },
      'SyncRep',
    ],
  ] as const)('%s costs time only, and the other process knows what became of it', async (_name, block, event) => {
    const account = await shops[0].open(1000);
    const members = purchase();
    const release = await block(members.paymentTransactionRef);
    const answer = shops[0].pay('purchase', account, members);
    await asAdmin(`select pg_terminate_backend(${await waitingSession(event)})`);
    await release();
    expect(await answer).toMatchObject({ status: 200, body: { state: 'OK' } });
    const repeat = await shops[1].pay('purchase', account, { ...members, repeat: true });
    expect(said(repeat)).toBe(said(await answer));
    expect(await shops[1].balance(account)).toBe(990);
  });
});

describe('a wait for a standby that is cancelled', () => {
  afterEach(() => standby(''));

  it('is told in no answer before it is safe, not to a repeat at the other process either', async () => {
    const account = await shops[0].open(1000);
    const members = purchase();
    await standby('nobody');
    const told: string[] = [];
    const note = (who: string) => () => void told.push(who);
    const answer = shops[0].pay('purchase', account, members).finally(note('first'));
    const cancelled = await waitingSession('SyncRep');
    await asAdmin(`select pg_cancel_backend(${cancelled})`);
    // It is committed here, and a failover could still forget it. Both ask for it again, and wait.
    const repeat = shops[1].pay('purchase', account, { ...members, repeat: true }).finally(note('repeat'));
    await until(async () => (await waiting('SyncRep')).filter((session) => session !== cancelled).length > 0);
    expect(told).toEqual([]);
    await standby('');
    expect(await answer).toMatchObject({ status: 200, body: { state: 'OK' } });
    expect(said(await repeat)).toBe(said(await answer));
    expect(await shops[1].balance(account)).toBe(990);
  });
});

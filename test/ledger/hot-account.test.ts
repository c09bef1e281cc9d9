import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountStatement } from '../../src/ledger/accounts/account-statement.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type AccountsShop, accountsShop, type OpenedAccount, paid } from '../support/shop/accounts-shop.ts';
import { type Browser, signedIn } from '../support/shop/portal.ts';

/** Of one account. */
const ENTRIES = IS_LONG_RUN ? 5_000_000 : 40_000;
/** Rows that anything about an account reads at most: a statement has a thousand entries with their movements. */
const MOST_ROWS = 5_000;
/** How often each is done. A session that rests tells up to ten seconds later what it has read before, so one time would not say much. */
const TIMES = 20;

let kontor: TestService;
let shop: AccountsShop;
let portal: Browser;
let hot: OpenedAccount;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = accountsShop(kontor);
  portal = await signedIn(kontor);
  hot = await shop.open(1_000_000);
  await kontor.database.asAdmin(`
    set session_replication_role = replica;
    create temporary table step as
      select n, kontor_now() - interval '1 second' * (${ENTRIES} - n) - interval '1 minute' as t,
        (lpad(to_hex((extract(epoch from kontor_now() - interval '1 second' * (${ENTRIES} - n)) * 1000)::bigint), 12, '0') || '7000'
          || right(md5(n::text), 16))::uuid as id
      from generate_series(1, ${ENTRIES}) n;
    insert into movement (payee_id, movement_id, kind, currency, happened_at)
    select '${kontor.payeeId}', id, 'Deposit', 'NOK', t from step order by n;
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select '${kontor.payeeId}', id, 1, 'Available', 'NOK', 1, '${hot.paymentAccountId}', n + 1, 1000000 + n from step order by n;
    insert into entry (payee_id, movement_id, line, side, currency, amount)
    select '${kontor.payeeId}', id, 2, 'Funding', 'NOK', -1 from step order by n;
    update account set available = available + ${ENTRIES}, entry_count = entry_count + ${ENTRIES}
    where account_id = '${hot.paymentAccountId}';
    drop table step;
    analyze`);
}, 600_000);
afterAll(() => kontor.stop());

/** Rows of the ledger's tables that were read so far, as their sessions have told. */
async function rowsRead(): Promise<number> {
  const look = async () => {
    const [row] = await kontor.database.asAdmin(`
      select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::float8 as rows from pg_stat_user_tables
      where relname in ('account', 'entry', 'movement', 'payment', 'payment_transaction')`);
    return Number(row?.['rows']);
  };
  let [before, now] = [-1, await look()];
  while (now !== before) {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    [before, now] = [now, await look()];
  }
  return now;
}

const accounts = () => `/portal/api/payees/${kontor.payeeId}/ledger/accounts/${hot.paymentAccountId}`;
const HALF_AGO = new Date(Date.now() - (ENTRIES / 2) * 1_000).toISOString();

test.each([
  [
    'a payment with its capture',
    async () => {
      const authorized = await shop.pay('authorize', hot, { amount: 100 });
      const { status } = await shop.follow('capture', paid(hot, authorized), { amount: 100 });
      return [authorized.status, status];
    },
  ],
  [
    'its balance',
    async () => [
      (
        await kontor.send('POST', '/api/payments/payment-account/balance', {
          body: { accountIdentifier: { accountKey: hot.accountKey } },
        })
      ).status,
    ],
  ],
  [
    'its statement',
    async () => {
      const lines = await kontor.database.report((transaction) =>
        accountStatement(transaction, { account: hot.paymentAccountId, payee: kontor.payeeId }),
      );
      expect(lines).toHaveLength(1_000);
      return [200];
    },
  ],
  ['itself in the portal', async () => [(await portal.get(accounts())).status]],
  ['its history in the portal', async () => [(await portal.get(`${accounts()}/entries`)).status]],
  ['itself as it was', async () => [(await portal.get(`${accounts()}?asOf=${HALF_AGO}`)).status]],
  ['its history until a day', async () => [(await portal.get(`${accounts()}/entries?to=${HALF_AGO}`)).status]],
] as const)(
  'of an account with very many entries, %s reads few rows',
  async (name, act) => {
    await act();
    const before = await rowsRead();
    const begun = performance.now();
    const statuses: number[] = [];
    for (let time = 0; time < TIMES; time++) statuses.push(...(await act()));
    const tookMs = (performance.now() - begun) / TIMES;
    expect(
      statuses.every((status) => status < 300),
      statuses.join(),
    ).toBe(true);
    const read = ((await rowsRead()) - before) / TIMES;
    if (IS_LONG_RUN) process.stdout.write(`${JSON.stringify({ name, ENTRIES, tookMs, read })}\n`);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(MOST_ROWS);
  },
  60_000,
);

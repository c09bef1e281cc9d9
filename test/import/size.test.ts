import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFile, settingsOf } from '../support/shop/tokens-command.ts';
import { accountLine, cardLine, fileOf } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const LINES = 20_000;

it(`imports ${LINES} lines, each once, with one audit row each, beside a service that answers meanwhile`, async () => {
  const lines = Array.from({ length: LINES }, (_, index) => {
    const of = { payerReference: `payer-${index % 4000}`, ...(index % 2 === 0 && { token: randomUUID() }) };
    return index % 10 === 0 ? accountLine(index, of) : cardLine(index, of);
  });
  let isImporting = true;
  const importing = importFile(fileOf([...lines, {}]), settingsOf(shop)).finally(() => {
    isImporting = false;
  });
  let reads = 0;
  for (; isImporting; reads++) {
    const { status } = await shop.get(`${shop.payerPath(`payer-${reads % 4000}`)}/tokens`);
    expect(status).toBe(200);
  }
  const { code, summary, rejected } = await importing;
  expect(code).toBe(1);
  expect(summary).toEqual({ lines: LINES + 1, imported: LINES, unchanged: 0, rejected: 1 });
  expect(rejected.map(({ line }) => line)).toEqual([LINES + 1]);
  expect(reads).toBeGreaterThan(10);
  const [row] = await shop.database.asAdmin(
    `select (select count(*)::int from payer_token) as tokens,
       (select count(distinct identity_digest)::int from payer_token) as identities,
       (select count(*)::int from audit where action = 'import-token') as audits,
       (select count(*)::int from payer_token t join audit a on a.object_id = t.token || '-' || t.token_type) as audited`,
  );
  expect(row).toEqual({ tokens: LINES, identities: LINES, audits: LINES, audited: LINES });
  // By what was read, and not by the clock: a plan that walks all of a payee's tokens for each line would read a hundred
  // million. The instruments are left out, because the reads beside the import look at them too.
  const [rows] = await shop.database.asAdmin(`
    select pg_stat_force_next_flush();
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where relname in ('payer', 'payer_token')`);
  expect(Number(rows?.['read']) / LINES).toBeLessThan(20);
}, 90_000);

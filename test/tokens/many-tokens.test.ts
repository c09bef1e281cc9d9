import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/transaction.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { archivePayerTokens } from '../../src/tokens/archive-token.ts';
import { deletePayerTokens } from '../../src/tokens/delete-token.ts';
import { TOKENS_AT_ONCE } from '../../src/tokens/tokens.rules.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

const TOKENS = IS_LONG_RUN ? 50_000 : 1_201;
const PAYER = 'payer-of-many';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const [guid] = await shop.store(cardLine(0, { payerReference: PAYER }));
  const [row] = await shop.database.asAdmin(`
    select string_agg(column_name, ', ') as names from information_schema.columns
    where table_name = 'payer_token' and column_name not in ('token', 'identity_digest')`);
  await shop.database.asAdmin(`
    insert into payer_token (token, identity_digest, ${row?.['names']})
    select gen_random_uuid(), sha256(n::text::bytea), ${row?.['names']}
    from payer_token cross join generate_series(2, ${TOKENS}) n
    where token = '${guid}'`);
}, 120_000);
afterAll(() => shop.stop());

/** The largest array that a statement gets, while work is done. */
async function largest(work: (transaction: Transaction) => Promise<unknown>): Promise<number> {
  let most = 0;
  await shop.database.transact((transaction) =>
    work({
      run: (statement, values) => {
        for (const value of values) if (Array.isArray(value)) most = Math.max(most, value.length);
        return transaction.run(statement, values);
      },
    }),
  );
  return most;
}

const count = async (condition: string) =>
  Number((await shop.database.asAdmin(`select count(*)::int as count from ${condition}`))[0]?.['count']);

test('many tokens of a payer are archived and deleted in portions, all or none of them', async () => {
  const context = { ...shop.service.slices.tokens.context, read: shop.database.read };
  const asked = { payeeId: shop.payeeId, payerReference: PAYER, actor: SERVICE };
  const archiving = { updatedBy: 'PAYEE', reason: 'many' } as const;
  const scopes = new Set(['tokens:write']);
  expect(await largest((one) => archivePayerTokens(one, context, { ...asked, archiving, scopes }))).toBe(
    TOKENS_AT_ONCE,
  );
  expect(await count("payer_token where state = 'Archived'")).toBe(TOKENS);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const command = { ...asked, tokenType: undefined, comment: undefined };
  let deleted = 0;
  const most = await largest(async (one) => {
    deleted = (await deletePayerTokens(one, context, command)).length;
  });
  delay.disable();
  if (IS_LONG_RUN) process.stdout.write(`longest stop of the event loop: ${delay.max / 1e6} ms\n`);
  expect([most, deleted]).toEqual([TOKENS_AT_ONCE, TOKENS]);
  expect(await count("payer_token where state = 'Deleted'")).toBe(TOKENS);
  expect(await count("audit where action = 'delete-token'")).toBe(TOKENS);
  expect(await count('instrument')).toBe(0);
}, 300_000);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../src/db/transaction.types.ts';
import { FIND_LIMITS } from '../../src/gift-cards/gift-cards.store.ts';
import {
  FIND_CARDS,
  FIND_SEALED_CARDS,
  insertSteps,
  loadLife,
  selectPage,
  updateCards,
} from '../../src/gift-cards/life.store.ts';
import { FIND_ANY_PRODUCTS, FIND_PRODUCTS } from '../../src/gift-cards/products.store.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { explain, walksKeys } from '../support/explain.ts';
import { addProduct, productTerms } from '../support/gift-cards.ts';
import { addAccounts, addPayee } from '../support/ledger.ts';

let page: Statement | undefined;
selectPage(
  (statement) => {
    page = statement;
    return Promise.resolve({ rows: [], count: 0 });
  },
  { payeeId: '' as PayeeId, after: null },
);

const STATEMENTS = [
  FIND_CARDS,
  FIND_SEALED_CARDS,
  FIND_ANY_PRODUCTS,
  FIND_PRODUCTS,
  FIND_LIMITS,
  loadLife([]).statement,
  updateCards([]).statement,
  insertSteps([], '').statement,
  page as Statement,
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function fill(): Promise<void> {
  const payeeId = await addPayee(database);
  const { productId } = await addProduct(database, productTerms(payeeId));
  await addAccounts(database, 20_000, { payeeId, available: 10 });
  await database.asAdmin(`
    insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
    select payee_id, account_id, '${productId}', '', 'card-data-1', now(), 1 from account;
    insert into gift_card_step (payee_id, transaction_ref, account_id, step, happened_at)
    select payee_id, account_id::text, account_id, 'Block', now() from account;
    analyze`);
}

describe.each([
  ['empty', () => Promise.resolve()],
  ['analysed and empty', () => database.asAdmin('analyze')],
  ['large', fill],
] as const)('on %s tables', (_, prepare) => {
  beforeAll(async () => {
    await prepare();
  });

  test.each(STATEMENTS.map((statement) => [statement.name, statement] as const))(
    '%s walks an index, key by key',
    async (_name, statement) => {
      const plan = await explain(database, statement);
      expect(walksKeys(plan) ? 'walks keys' : plan).toBe('walks keys');
    },
  );
});

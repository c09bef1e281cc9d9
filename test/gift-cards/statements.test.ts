import { afterAll, beforeAll } from 'vitest';
import {
  FIND_CARDS,
  FIND_SEALED_CARDS,
  insertSteps,
  loadLife,
  selectPage,
  updateCards,
} from '../../src/gift-cards/cards/life.store.ts';
import { FIND_LIMITS } from '../../src/gift-cards/gift-cards.store.ts';
import { FIND_ANY_PRODUCTS, FIND_PRODUCTS } from '../../src/gift-cards/products/products.store.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { statementOf, testPlans } from '../support/explain.ts';
import { addProduct, productTerms } from '../support/gift-cards.ts';
import { addAccounts, addPayee } from '../support/ledger.ts';

const STATEMENTS = [
  FIND_CARDS,
  FIND_SEALED_CARDS,
  FIND_ANY_PRODUCTS,
  FIND_PRODUCTS,
  FIND_LIMITS,
  loadLife([]).statement,
  updateCards([]).statement,
  insertSteps([], '').statement,
  statementOf(({ run }) => selectPage(run, { payeeId: '' as PayeeId, after: null, movedSince: undefined })),
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
    select payee_id, account_id, '${productId}', '', 'card-data-1', kontor_now(), 1 from account;
    insert into gift_card_step (payee_id, transaction_ref, account_id, step, happened_at)
    select payee_id, account_id::text, account_id, 'Block', kontor_now() from account;
    analyze`);
}

testPlans({ database: () => database, fill, keyed: STATEMENTS });

import { afterAll, beforeAll } from 'vitest';
import { selectHistory } from '../../src/gift-cards/cards/history/history.store.ts';
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
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { statementOf, testPlans } from '../support/database/explain.ts';
import { addAccounts, addPayee } from '../support/database/ledger.ts';
import { addProduct, productTerms } from '../support/shop/gift-cards.ts';

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

const NOBODY = '0197a1b2-0000-7000-8000-000000000001';
/** Of the portal and of a command. */
const HISTORY = statementOf(({ run }) =>
  selectHistory(run, { payeeId: NOBODY as PayeeId, accountId: NOBODY as AccountId }, 10),
);

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
    insert into audit (payee_id, audit_id, actor_kind, action, object_kind, object_id, details)
    select payee_id, gen_random_uuid(), 'service', 'issue-gift-card', 'payment', gen_random_uuid()::text,
      jsonb_build_object('accountId', account_id) from account;
    insert into portal_user (payee_id, user_id, name, role, email_sealed, sealed_with, created_by)
    select '${payeeId}', gen_random_uuid(), 'Ada Example', 'support', '', 'secrets-1', 'test' from generate_series(1, 3000);
    insert into access_token (payee_id, access_token_id, secret_hash, name, scopes, created_by, expires_at)
    select '${payeeId}', gen_random_uuid(), sha256(n::text::bytea), 'Till', '{events}', 'test', kontor_now() + interval '1 day'
    from generate_series(1, 3000) n;
    analyze`);
}

testPlans({ database: () => database, fill, keyed: STATEMENTS, free: [[HISTORY, `'${NOBODY}'`, `'${NOBODY}'`, '10']] });

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureSandboxProduct } from '../../sandbox/seeds/ensure-product.ts';
import type { Config } from '../../src/config.ts';
import type { ProductId, ProductKey, ProductOnSale, ProductTerms } from '../../src/gift-cards/gift-cards.types.ts';
import type { GiftCardsContext } from '../../src/gift-cards/gift-cards-context.types.ts';
import { giftCardProductCommands } from '../../src/gift-cards/products/gift-card-products.cli.ts';
import { FIND_PRODUCTS } from '../../src/gift-cards/products/products.store.ts';
import { createProduct, loadGiftCardPrefixes } from '../../src/gift-cards/products/products.ts';
import { issuerTable, LEDGER_ISSUER } from '../../src/issuers/issuers.rules.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { Refusal } from '../../src/kit/errors.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { Secret } from '../../src/kit/secret.ts';
import { whichPayee } from '../../src/merchants/payees/which-payee.ts';
import { findCardRanges } from '../../src/vault/find-card-ranges.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee, newId } from '../support/database/ledger.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { productTerms } from '../support/shop/gift-cards.ts';

const host = { ask: () => Promise.reject(new Error('never')), reverse: () => Promise.reject(new Error('never')) };
const issuers = issuerTable([LEDGER_ISSUER, { ...LEDGER_ISSUER, issuerId: 'elsewhere', prefixes: ['95799'], host }]);
/** What creating a product takes of its context. */
const contextIn = (mode: Config['mode']) =>
  ({ config: { mode }, issuers, newId, cardPrefixes: () => ['95781'] }) as unknown as GiftCardsContext;
const context = contextIn('production');
let database: TestDatabase;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

const create = (terms: ProductTerms) =>
  database.transact((transaction) => createProduct(transaction, context, { terms, actor: SERVICE }));
const fresh = (more: Partial<ProductTerms> = {}) =>
  productTerms(payeeId, { productId: newId() as ProductId, isDefault: false, ...more });
const onSale = (productId: string | null) =>
  database.find<ProductKey, ProductOnSale>(FIND_PRODUCTS)({ payeeId, productId: productId as ProductId });

/** Runs a command line and returns what it prints. */
async function kontor(...words: string[]): Promise<string> {
  const runtime = serviceOf({ transact: database.transact, context, whichPayee });
  return (await runCommand(giftCardProductCommands, runtime, words)).join('\n');
}

async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

describe('the default product', () => {
  test('is the first one, until another one is made it', async () => {
    const first = await create(fresh());
    expect(first.isDefault).toBe(true);
    expect((await create(fresh())).isDefault).toBe(false);
    expect((await onSale(null))?.productId).toBe(first.productId);
    const second = await create(fresh({ isDefault: true }));
    expect((await onSale(null))?.productId).toBe(second.productId);
  });

  test('of several that are made it at one moment is one', async () => {
    await Promise.all(Array.from({ length: 8 }, () => create(fresh({ isDefault: true }))));
    expect(await database.asAdmin('select from gift_card_product where is_default')).toHaveLength(1);
  });
});

describe('a product', () => {
  test('that is created again is the same one, or refused where its terms are others', async () => {
    const terms = fresh();
    const product = await create(terms);
    expect(await create(terms)).toEqual(product);
    expect((await refusal(create({ ...terms, name: 'Another' }))).code).toBe('referencereused');
  });

  test.each([
    ['productId', { productId: 'a b' as ProductId }],
    ['name', { name: ' ' }],
    ['name', { name: 'Card 4925000000000004' }],
    ['currency', { currency: 'KRO' as never }],
    ['numberLength', { numberLength: 15 }],
    ['numberPrefix', { numberPrefix: '957' }],
    ['numberPrefix', { numberPrefix: '957811' }],
    ['numberPrefix', { numberPrefix: '4925' }],
    ['numberPrefix', { numberPrefix: '95799' }],
    ['numberPrefix', { numberPrefix: '9579' }],
    ['validityMonths', { validityMonths: 0 }],
    ['validityMonths', { validityMonths: 121 }],
    ['smallestAmount', { smallestAmount: 0 as never }],
    ['largestAmount', { smallestAmount: 10 as never, largestAmount: 9 as never }],
    ['largestBalance', { largestBalance: 999 as never }],
    ['allowedProductIds', { allowedProductIds: ['tea', ''] }],
  ])('with a wrong %s is refused: %j', async (name, wrong) => {
    const { code, problems } = await refusal(create(fresh(wrong)));
    expect(code).toBe('inputerror');
    expect(problems.map((problem) => problem.name)).toContain(name);
  });

  test('does not begin like a card range that was loaded', async () => {
    await database.asAdmin("insert into card_range (prefix, source, brand) values ('957855', 'operator', 'House')");
    expect((await refusal(create(fresh({ numberPrefix: '95785' })))).problems[0]?.name).toBe('numberPrefix');
    expect((await create(fresh({ numberPrefix: '95784' }))).numberPrefix).toBe('95784');
    expect(await database.transact(loadGiftCardPrefixes)).toContain('95784');
  });

  test('makes its numbers test cards of a sandbox, and nothing of them elsewhere', async () => {
    const isTest = async (number: string) =>
      (await database.transact((transaction) => findCardRanges(transaction, [new Secret(number)])))[0]?.isTestNumber;
    await create(fresh({ numberPrefix: '95773' }));
    expect(await isTest('9577300000000000')).toBe(false);
    const inSandbox = (terms: ProductTerms) =>
      database.transact((transaction) => createProduct(transaction, contextIn('sandbox'), { terms, actor: SERVICE }));
    await inSandbox(fresh({ numberPrefix: '95774' }));
    expect([await isTest('9577400000000000'), await isTest('9577499999999999')]).toEqual([true, true]);
    await inSandbox(fresh({ numberPrefix: '95775123', numberLength: 19 }));
    expect([await isTest('9577512999999999'), await isTest('9577520000000000')]).toEqual([true, false]);
    // What is our own is in no other's way.
    expect((await inSandbox(fresh({ numberPrefix: '95774' }))).numberPrefix).toBe('95774');
  });

  test('that is retired sells no more, and is still listed', async () => {
    const { productId } = await create(fresh());
    expect(await onSale(productId)).toBeDefined();
    expect(await kontor('retire', productId)).toContain(productId);
    expect(await onSale(productId)).toBeUndefined();
    const listed = JSON.parse(await kontor('list', '--json')) as { productId: string; retiredAt: string | null }[];
    expect(listed.find((product) => product.productId === productId)?.retiredAt).not.toBeNull();
    const again = JSON.parse(await kontor('retire', productId, '--json'));
    expect(again).toMatchObject({ productId, isDefault: false });
    expect((await refusal(kontor('retire', 'unknown'))).code).toBe('notfound');
    const audit = await database.asAdmin(
      `select action from audit where object_id = '${productId}' order by happened_at, action`,
    );
    expect(audit.map(({ action }) => action)).toEqual(['create-gift-card-product', 'retire-gift-card-product']);
  });
});

test('the commands create a product with what they say, and show it', async () => {
  const words = ['create', '--name', 'Tea', '--currency', 'SEK', '--prefix', '95787', '--allow', 'tea, pot', '--json'];
  const product = JSON.parse(await kontor(...words));
  expect(product).toMatchObject({
    currency: 'SEK',
    numberLength: 16,
    validityMonths: 24,
    allowedProductIds: ['tea', 'pot'],
  });
  expect(await kontor('list')).toContain('95787...........');
  await expect(
    kontor('create', '--name', 'Tea', '--currency', 'SEK', '--prefix', '95787', '--months', '1.5'),
  ).rejects.toThrow('whole number');
});

test('the sandbox has one product, also at its second start', async () => {
  const sandboxPayee = await addPayee(database);
  const owner = { payeeId: sandboxPayee, actor: SERVICE };
  const ensure = () => database.transact((transaction) => ensureSandboxProduct(transaction, context, owner));
  expect([await ensure(), await ensure()]).toEqual(['1000', '1000']);
  const [product] = await database.asAdmin(`
    select currency, smallest_amount, largest_amount, largest_balance, validity_months, number_length, is_default
    from gift_card_product where payee_id = '${sandboxPayee}'`);
  expect(product).toEqual({
    currency: 'NOK',
    smallest_amount: 1,
    largest_amount: 1_000_000,
    largest_balance: 2_000_000,
    validity_months: 24,
    number_length: 16,
    is_default: true,
  });
});

import { type OpenedAccount, type Paid, type PayableAccount, paid } from '../support/shop/accounts-shop.ts';
import { DECLINED, done, type Filling, SILENT } from './filling.ts';

const PRODUCTS = [{ productId: '17', amount: 1000 }];

type Verb = Parameters<Filling['accounts']['pay']>[0];
type Members = Readonly<Record<string, unknown>>;
type Step = readonly ['capture' | 'cancel' | 'reversal', number?];

/** Account payments that nothing else has to come to pass for. */
export async function fillAccounts(filling: Filling): Promise<void> {
  const { accounts } = filling;
  const own = await accounts.open(500_000);
  const [elsewhere] = accounts.testCards;
  if (elsewhere === undefined) throw new Error('the sandbox has test cards');
  for (const account of [own, elsewhere]) await fillLegs(filling, account);
  await pay(filling, 'authorize', accounts.sek, { amount: 4_200, currency: 'SEK', description: 'Coffee and bread' });
  await fillDeclined(filling, own, elsewhere);
  await fillRepeats(filling, own);
}

/** Everything that follows an approval, alone and after each other. */
async function fillLegs(filling: Filling, account: PayableAccount): Promise<void> {
  const lives: readonly (readonly Step[])[] = [
    [],
    [['capture', 1000]],
    [
      ['capture', 300],
      ['capture', 200],
    ],
    [['capture', 300], ['cancel']],
    [
      ['capture', 1000],
      ['reversal', 400],
    ],
    [['capture', 600], ['cancel'], ['reversal', 100], ['reversal', 500]],
    [['cancel']],
  ];
  for (const steps of lives) {
    const payment = await pay(filling, 'authorize', account, { amount: 1000, products: PRODUCTS });
    await follow(filling, payment, steps);
  }
  const purchase = await pay(filling, 'purchase', account, { amount: 700, terminalId: '7' });
  await follow(filling, purchase, []);
  await follow(filling, await pay(filling, 'purchase', account, { amount: 800 }), [['reversal', 300]]);
  await follow(filling, await pay(filling, 'purchase', account, { amount: 900 }), [['reversal', 900]]);
  await pay(filling, 'credit', account, { amount: 150 });
  if (account.currency !== undefined) await pay(filling, 'deposit', account, { amount: 2_500 });
}

async function fillDeclined(filling: Filling, own: OpenedAccount, elsewhere: PayableAccount): Promise<void> {
  const { accounts } = filling;
  await pay(filling, 'purchase', await accounts.open(5), { amount: 1000 });
  await pay(filling, 'authorize', await accounts.open(5), { amount: 1000 });
  await pay(filling, 'purchase', own, { amount: 100, currency: 'SEK' });
  await pay(filling, 'purchase', await accounts.open(1000, { expiresOn: '2020-01-31' }), { amount: 100 });
  await pay(filling, 'purchase', await accounts.open(1000, { allowedProductIds: ['food'] }), {
    amount: 10,
    products: [{ productId: 'wine', amount: 10 }],
  });
  await pay(filling, 'authorize', elsewhere, { amount: DECLINED });
  await pay(filling, 'purchase', elsewhere, { amount: DECLINED });
  // What follows a payment is declined by its issuer, which goes by the amount.
  const large = await pay(filling, 'authorize', elsewhere, { amount: 2_000_000 });
  await filling.accounts.follow('capture', large, { amount: DECLINED });
  await follow(filling, large, [['capture', 1000]]);
  await filling.accounts.follow('reversal', large, { amount: 5_000 });
  // The issuer does not answer, and takes it back.
  await filling.accounts.pay('authorize', elsewhere, { amount: SILENT });
  await filling.accounts.pay('purchase', elsewhere, { amount: SILENT });
}

/** The same reference again, and one that is taken. */
async function fillRepeats({ accounts }: Filling, own: OpenedAccount): Promise<void> {
  const members = { amount: 321, paymentOrderRef: 'twice', paymentTransactionRef: 'twice-1' };
  done(await accounts.pay('purchase', own, members));
  done(await accounts.pay('purchase', own, { ...members, repeat: true }));
  await accounts.pay('purchase', own, members);
}

/** Holds whose time comes while the database is filled: whole, and captured in part. */
export async function fillHoldsToExpire(filling: Filling): Promise<void> {
  const account = await filling.accounts.open(10_000);
  await pay(filling, 'authorize', account, { amount: 600 });
  await follow(filling, await pay(filling, 'authorize', account, { amount: 700 }), [['capture', 200]]);
  await follow(filling, await pay(filling, 'authorize', account, { amount: 800 }), [
    ['capture', 200],
    ['reversal', 200],
  ]);
}

async function pay({ accounts }: Filling, verb: Verb, account: PayableAccount, members: Members): Promise<Paid> {
  return paid(account, done(await accounts.pay(verb, account, members)));
}

async function follow({ accounts }: Filling, payment: Paid, steps: readonly Step[]): Promise<void> {
  for (const [verb, amount] of steps) {
    done(await accounts.follow(verb, payment, amount === undefined ? {} : { amount }));
  }
}

import { freshCard } from '../support/numbers.ts';
import type { OrderPayer } from '../support/payer/order-payer.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import type { IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { DECLINED, done, type Filling, SOFTLY_DECLINED } from './filling.ts';

type Members = Readonly<Record<string, unknown>>;
type Step = readonly ['captures' | 'cancellations' | 'reversals', number?, Members?];

const URLS = {
  hostUrls: ['https://shop.example'],
  completeUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  paymentUrl: 'https://shop.example/again',
  termsOfServiceUrl: 'https://shop.example/terms',
};
const item = (reference: string, amount: number) => ({
  reference,
  name: `Product ${reference}`,
  type: 'PRODUCT',
  class: 'kitchen',
  quantity: 2,
  quantityUnit: 'pcs',
  unitPrice: amount / 2,
  vatPercent: 2_500,
  amount,
  vatAmount: amount / 5,
});

/** Orders that nothing else has to come to pass for. */
export async function fillOrders(filling: Filling): Promise<void> {
  await fillUnpaid(filling);
  await fillHolds(filling);
  await fillTries(filling);
  await fillPaid(filling);
  await fillOthers(filling);
  await fillBackToOthers(filling);
}

interface Made {
  readonly id: string;
  readonly payer: OrderPayer;
  readonly gifts: readonly IssuedCard[];
}

/** An order whose payer has added gift cards with so much on them. */
async function order(
  { walks, seller }: Filling,
  members: Members = {},
  onGifts: readonly number[] = [],
): Promise<Made> {
  const { id, payer } = await walks.walk({ urls: URLS, ...members });
  const gifts: IssuedCard[] = [];
  for (const amount of onGifts) {
    const gift = await seller.issue(amount);
    said(await payer.add(gift), 'ok');
    gifts.push(gift);
  }
  return { id, payer, gifts };
}

/** An order that is paid: by gift cards alone where they cover it, else with a card too. */
async function paid(filling: Filling, members: Members = {}, onGifts: readonly number[] = []): Promise<Made> {
  const made = await order(filling, members, onGifts);
  said(made.payer.isCovered() ? await made.payer.payByGiftCards() : await byCard(made), 'Go');
  return made;
}

const byCard = ({ payer }: Pick<Made, 'payer'>) => payer.payByCard({ number: freshCard('debit') });

function said(
  { body, text }: { readonly body: { readonly outcome?: string }; readonly text: string },
  outcome: string,
) {
  if (body?.outcome !== outcome) throw new Error(`not ${outcome}: ${text.slice(0, 600)}`);
}

async function follow({ walks }: Filling, { id }: Pick<Made, 'id'>, steps: readonly Step[]): Promise<void> {
  for (const [what, amount, members] of steps) {
    const sum = amount === undefined ? {} : { amount, vatAmount: Math.floor(amount / 5) };
    done(await walks.follow(id, what, { ...sum, ...members }));
  }
}

async function fillUnpaid(filling: Filling): Promise<void> {
  const { walks } = filling;
  await order(filling, { orderItems: [item('P1', 6_000), item('P2', 4_000)], metadata: { seat: '4b', row: 7 } });
  await order(filling, { instrument: 'GiftCard' });
  await order(filling, { operation: 'Verify', amount: undefined, vatAmount: undefined });
  const payer = { payerReference: 'olivia', email: 'olivia@example.com', msisdn: '+4745612345', firstName: 'Olivia' };
  await order(filling, {
    payer,
    payeeInfo: { payeeReference: walks.shop.reference(), payeeName: 'Kiosk', siteId: 's1' },
  });
  const updated = await order(filling, {}, [1_500]);
  done(await walks.change(updated.id, 'UpdateOrder', { amount: 12_000, vatAmount: 2_400 }));
  const smaller = await order(filling, { orderItems: [item('P1', 10_000)] });
  const less = { amount: 7_000, vatAmount: 1_400, orderItems: [item('P3', 7_000)] };
  done(await walks.change(smaller.id, 'UpdateOrder', less));
  const aborted = await order(filling, {}, [1_000]);
  done(await walks.change(aborted.id, 'Abort', { abortReason: 'SoldOut' }));
  done(await walks.change((await order(filling)).id, 'Abort', { abortReason: 'NoMore' }));
}

/** Gift cards that are entered, held, released and held again. */
async function fillHolds(filling: Filling): Promise<void> {
  await order(filling, {}, [2_000]);
  await order(filling, {}, [2_000, 3_000, 100]);
  const removed = await order(filling, {}, [2_500, 500]);
  said(await removed.payer.remove(0), 'ok');
  // A payer who is at the bank: the gift card is held meanwhile.
  const held = await order(filling, {}, [4_000]);
  said(await held.payer.payByCard({ number: VISA_WITH_3D_SECURE }), 'Authenticate');
  const challenged = await order(filling, {}, [4_100]);
  await challenged.payer.payByCard({ number: freshCard('challenged') });
  await challenged.payer.authenticate();
  // The payee changes the amount meanwhile, and the payer goes to the bank once more.
  const again = await order(filling, {}, [4_200]);
  await again.payer.payByCard({ number: VISA_WITH_3D_SECURE });
  done(await filling.walks.change(again.id, 'UpdateOrder', { amount: 9_000, vatAmount: 1_800 }));
  await again.payer.open();
  said(await again.payer.payByCard({ number: VISA_WITH_3D_SECURE }), 'Authenticate');
  const paidThen = await order(filling, {}, [4_300]);
  await paidThen.payer.payByCard({ number: VISA_WITH_3D_SECURE });
  done(await filling.walks.change(paidThen.id, 'UpdateOrder', { amount: 9_500, vatAmount: 1_900 }));
  await paidThen.payer.open();
  said(await byCard(paidThen), 'Go');
  // A payer who was at the bank, and pays.
  const approved = await order(filling, {}, [1_200]);
  await approved.payer.payByCard({ number: freshCard('challenged') });
  await approved.payer.authenticate();
  await approved.payer.decide('Approved');
  said(await approved.payer.comeBack(), 'Go');
  const refused = await order(filling, {}, [1_300]);
  await refused.payer.payByCard({ number: freshCard('challenged') });
  await refused.payer.authenticate();
  await refused.payer.decide('Declined');
  await refused.payer.comeBack();
}

async function fillTries(filling: Filling): Promise<void> {
  const { walks } = filling;
  const declining = { amount: DECLINED, vatAmount: 0 };
  await byCard(await order(filling, declining));
  const failed = await order(filling, declining);
  for (const _ of [1, 2, 3]) {
    await failed.payer.open();
    await byCard(failed);
  }
  const withGift = await order(filling, { amount: DECLINED + 1_000, vatAmount: 0 }, [1_000]);
  for (const _ of [1, 2, 3]) {
    await withGift.payer.open();
    await byCard(withGift);
  }
  const thenPaid = await order(filling, declining);
  await byCard(thenPaid);
  done(await walks.change(thenPaid.id, 'UpdateOrder', { amount: 5_000, vatAmount: 1_000 }));
  await thenPaid.payer.open();
  said(await byCard(thenPaid), 'Go');
  const softly = await order(filling, { amount: SOFTLY_DECLINED, vatAmount: 0 });
  await byCard(softly);
  const attempt = await order(filling, {}, [700]);
  await attempt.payer.payByCard({ number: VISA_WITH_3D_SECURE });
  done(await walks.change(attempt.id, 'PaymentAttemptAborted', { abortReason: 'Slow' }));
}

/** Everything that follows, of orders that gift cards alone have paid, a card alone, and both. */
async function fillPaid(filling: Filling): Promise<void> {
  const ways: readonly (readonly number[])[] = [[], [4_000], [3_000, 2_000], [10_000], [6_000, 5_000]];
  const lives: readonly (readonly Step[])[] = [
    [],
    [['captures', 4_500]],
    [['captures', 10_000]],
    [['captures', 6_000], ['cancellations'], ['reversals', 5_000]],
    [
      ['captures', 10_000],
      ['reversals', 10_000],
    ],
    [['cancellations']],
  ];
  for (const onGifts of ways) for (const steps of lives) await follow(filling, await paid(filling, {}, onGifts), steps);
  const items = [item('P1', 6_000), item('P2', 4_000)];
  const sold = await paid(filling, { orderItems: items }, [2_000]);
  await follow(filling, sold, [
    ['captures', 6_000, { orderItems: [item('P1', 6_000)], receiptReference: 'receipt-1' }],
    ['captures', 2_000, { orderItems: [{ ...item('P2', 4_000), quantity: 1, amount: 2_000, vatAmount: 400 }] }],
    ['reversals', 3_000, { orderItems: [{ ...item('P1', 6_000), quantity: 1, amount: 3_000, vatAmount: 600 }] }],
  ]);
}

async function fillOthers(filling: Filling): Promise<void> {
  const { walks } = filling;
  const auto = { intent: 'AutoCapture' };
  await paid(filling, auto);
  await follow(filling, await paid(filling, auto, [4_000]), [['reversals', 2_500]]);
  await paid(filling, auto, [10_000]);
  const verify = await order(filling, {
    ...{ operation: 'Verify', amount: undefined, vatAmount: undefined, generatePaymentToken: true },
    payer: { payerReference: 'verified' },
  });
  said(await byCard(verify), 'Go');
  const storing = {
    generateUnscheduledToken: true,
    generateRecurrenceToken: true,
    payer: { payerReference: 'stored' },
  };
  const first = await paid(filling, storing);
  const { tokens } = (await walks.orderOf(first.id, 'paid')).paid;
  const tokenOf = (type: string) => tokens.find((one: { readonly type: string }) => one.type === type)?.token;
  const common = { amount: 500, vatAmount: 100, urls: {} };
  const unscheduled = { operation: 'UnscheduledPurchase', unscheduledToken: tokenOf('unscheduled') ?? tokens[0].token };
  done(await walks.shop.create({ ...common, ...unscheduled }, { version: '3.1' }));
  const recurrenceToken = tokenOf('recurrence');
  if (recurrenceToken !== undefined) {
    done(await walks.shop.create({ ...common, operation: 'Recur', recurrenceToken }, { version: '3.1' }));
  }
  // What failed after paying.
  const large = await paid(filling, { amount: 1_000_000, vatAmount: 0 });
  await walks.follow(large.id, 'captures', { amount: DECLINED, vatAmount: 0 });
  // Made in the older views.
  for (const version of ['2.0', '3.0']) done(await walks.shop.create({ urls: URLS }, { version }));
}

/** Money that goes back to a gift card that was replaced or merged, and a hold of one that is blocked. */
async function fillBackToOthers(filling: Filling): Promise<void> {
  const { giftCards } = filling;
  const captured = async () => {
    const made = await paid(filling, { amount: 5_000, vatAmount: 1_000 }, [2_000]);
    await follow(filling, made, [['captures', 5_000]]);
    return { ...made, gift: made.gifts[0] as IssuedCard };
  };
  const replaced = await captured();
  done(await giftCards.step('replace', replaced.gift));
  await follow(filling, replaced, [['reversals', 5_000]]);
  const merged = await captured();
  const into = await giftCards.issue(50);
  await follow(filling, merged, [['reversals', 3_500]]);
  done(await giftCards.step('merge', merged.gift, { into: into.paymentAccountId }));
  await follow(filling, merged, [['reversals', 700]]);
  done(await giftCards.step('replace', into));
  await follow(filling, merged, [['reversals', 800]]);
  const blocked = await captured();
  done(await giftCards.step('block', blocked.gift));
  await follow(filling, blocked, [['reversals', 4_500]]);
}

/**
 * Orders whose time comes while the database is filled: unpaid, with gift cards held, and paid with a part captured.
 *
 * @returns has a payer come back whose gift card was held meanwhile, and let go
 */
export async function fillOrdersToEnd(filling: Filling): Promise<() => Promise<void>> {
  await order(filling, {}, [1_000]);
  const [held, left] = [await order(filling, {}, [1_100]), await order(filling, {}, [1_200])];
  for (const { payer } of [held, left]) await payer.payByCard({ number: VISA_WITH_3D_SECURE });
  await follow(filling, await paid(filling, {}, [3_000, 2_000]), [['captures', 1_000]]);
  await paid(filling, {}, [3_000]);
  await paid(filling, {}, [10_000]);
  return async () => {
    await held.payer.open();
    said(await byCard(held), 'Go');
  };
}

/** An order whose payer is at the bank when the rows are written. */
export async function fillOrderAtBank(filling: Filling): Promise<void> {
  const held = await order(filling, {}, [4_400]);
  said(await held.payer.payByCard({ number: VISA_WITH_3D_SECURE }), 'Authenticate');
}

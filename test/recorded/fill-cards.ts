import { freshCard } from '../support/numbers.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { DECLINED, done, type Filling, SILENT } from './filling.ts';

type Step = readonly ['captures' | 'cancellations' | 'reversals', number?];
type Members = Readonly<Record<string, unknown>>;

const URLS = {
  hostUrls: ['https://shop.example'],
  completeUrl: 'https://shop.example/done',
  cancelUrl: 'https://shop.example/cart',
};
const METADATA = { key1: 'value1', key2: 2, key3: 3.1, key4: false };

/** Card payments that nothing else has to come to pass for. */
export async function fillCards(filling: Filling): Promise<void> {
  await fillUnpaid(filling);
  await fillLegs(filling);
  await fillTries(filling);
  await fillStored(filling);
}

/** An approved payment. */
async function authorized({ cards }: Filling, amount: number, members: Members = {}): Promise<string> {
  const prices = [{ type: 'CreditCard', amount, vatAmount: Math.floor(amount / 5) }];
  const id = await cards.purchase(amount, { urls: URLS, prices, ...members });
  done(await cards.authorize(id, { cardNumber: freshCard('debit') }));
  return id;
}

async function follow({ cards }: Filling, id: string, steps: readonly Step[]): Promise<void> {
  for (const [place, [what, amount]] of steps.entries()) {
    const sum = amount === undefined ? {} : { amount, vatAmount: Math.floor(amount / 5) };
    const reference = `${id.slice(-12)}-${place + 1}`;
    const said = { ...sum, description: `Step ${place + 1}`, payeeReference: reference };
    done(await cards.follow(id, what, said));
  }
}

async function fillUnpaid({ cards }: Filling): Promise<void> {
  await cards.purchase(1500, { urls: URLS, metadata: METADATA, payeeInfo: { payeeName: 'Kiosk', siteId: 'oslo-1' } });
  await cards.purchase(1600, { currency: 'NOK', language: 'nb-NO', payeeInfo: { orderReference: 'or-17' } });
  const aborted = await cards.purchase(1700);
  done(await cards.abort(aborted));
  done(await cards.create({ operation: 'Verify', prices: undefined, urls: URLS }));
}

/** Everything that follows an approval, alone and after each other. */
async function fillLegs(filling: Filling): Promise<void> {
  const lives: readonly (readonly Step[])[] = [
    [],
    [['captures', 300]],
    [
      ['captures', 300],
      ['captures', 200],
    ],
    [['captures', 1000]],
    [['captures', 300], ['cancellations']],
    [
      ['captures', 1000],
      ['reversals', 400],
    ],
    [['captures', 600], ['reversals', 100], ['cancellations'], ['reversals', 500]],
    [
      ['captures', 1000],
      ['reversals', 1000],
    ],
    [['cancellations']],
  ];
  for (const steps of lives) {
    await follow(filling, await authorized(filling, 1000), steps);
  }
  await authorized(filling, 70, { intent: 'AutoCapture' });
  await follow(filling, await authorized(filling, 80, { intent: 'AutoCapture' }), [['reversals', 30]]);
  await follow(filling, await authorized(filling, 90, { intent: 'AutoCapture' }), [['reversals', 90]]);
  await authorized(filling, 12_300, { currency: 'NOK' });
}

/** Tries that came to nothing, and what payers do at their bank. */
async function fillTries(filling: Filling): Promise<void> {
  const { kontor, cards } = filling;
  const declined = await cards.purchase(DECLINED);
  await cards.authorize(declined, { cardNumber: freshCard('debit') });
  const failed = await cards.purchase(DECLINED, { urls: URLS });
  for (const _ of [1, 2, 3]) await cards.authorize(failed, { cardNumber: freshCard('debit') });
  const large = await authorized(filling, 2_000_000);
  await cards.follow(large, 'captures', { amount: DECLINED, vatAmount: 0, description: 'Too much' });
  await follow(filling, large, [['captures', 4_000]]);
  await cards.follow(large, 'reversals', { amount: 5_000, vatAmount: 0, description: 'More than there is' });
  const byPage = await payPage(kontor, { urls: URLS });
  await byPage.pay();
  const atBank = await payPage(kontor, { urls: URLS });
  await atBank.pay({ number: VISA_WITH_3D_SECURE });
  // The acquirer does not answer: it is taken back.
  await cards.authorize(await cards.purchase(SILENT), { cardNumber: freshCard('debit') });
}

/** What stores a card, and what the payee charges it with later. */
async function fillStored({ kontor, cards }: Filling): Promise<void> {
  const generated = { payerReference: 'anna', generatePaymentToken: true };
  const id = await cards.purchase(100, { ...generated, generateRecurrenceToken: true });
  const { recurrenceToken } = done(await cards.authorize(id, { cardNumber: freshCard('debit') })).body.authorization;
  const recur = { operation: 'Recur', amount: 250, vatAmount: 50, prices: undefined, recurrenceToken };
  const recurred = done(await cards.create(recur)).body.payment.id;
  done(await cards.follow(recurred, 'captures', { amount: 250, vatAmount: 50, description: 'March' }));
  await cards.create({ ...recur, amount: DECLINED, vatAmount: 0 });
  done(await cards.create({ ...recur, intent: 'AutoCapture' }));
  const other = await cards.purchase(100, { payerReference: 'anna', generateUnscheduledToken: true });
  done(await cards.authorize(other, { cardNumber: freshCard('credit') }));
  const { unscheduledToken } = (await cards.get(`${other}?$expand=paid,authorizations`)).body.payment.authorizations
    .authorizationList[0];
  if (unscheduledToken !== undefined) {
    const unscheduled = { operation: 'UnscheduledPurchase', unscheduledToken, prices: undefined };
    done(await cards.create({ ...unscheduled, amount: 350, vatAmount: 70 }));
  }
  const verified = done(
    await cards.create({ operation: 'Verify', prices: undefined, payerReference: 'bo', generatePaymentToken: true }),
  ).body.payment.id;
  done(await cards.verify(verified, { cardNumber: freshCard('debit') }));
  await kontor.send('GET', `${verified}/verifications`);
}

/** Approvals whose end comes while the database is filled: whole, and captured in part. */
export async function fillAuthorizationsToEnd(filling: Filling): Promise<void> {
  await authorized(filling, 1100);
  await follow(filling, await authorized(filling, 1200), [['captures', 500]]);
  // It is never paid, and its time comes.
  await filling.cards.purchase(1300, { urls: URLS });
}

/** A payment whose payer is at the bank when the rows are written. */
export async function fillCardAtBank({ kontor }: Filling): Promise<void> {
  await (await payPage(kontor, { urls: URLS })).pay({ number: VISA_WITH_3D_SECURE });
}

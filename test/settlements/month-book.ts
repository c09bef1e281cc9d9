import { randomUUID } from 'node:crypto';
import { type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import type { TestDatabase } from '../support/database/database.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  MERCHANT_ID,
  NORTH,
  settling,
} from '../support/settlements.ts';
import { randomFrom } from '../support/shop/liability-model.ts';

/** Two acquirers, and three agreements with them, one in each currency. */
const SOUTH = { ...NORTH, id: 'south', name: 'South' };
const HOSTS = [
  { acquirer: NORTH, agreement: 'north-nok', merchantId: MERCHANT_ID, currency: 'NOK' },
  { acquirer: NORTH, agreement: 'north-jpy', merchantId: '000012345678902', currency: 'JPY' },
  { acquirer: SOUTH, agreement: 'south-eur', merchantId: '000012345678903', currency: 'EUR' },
] as const;
type Host = (typeof HOSTS)[number];

/** Sales of the month. */
const SALES = 60;
const GIFT_CARDS = 8;

/** What the month comes to, in each currency, as the one who lives it writes it down. Minor units. */
export interface Written {
  sales: number;
  salesNumber: number;
  refunds: number;
  refundsNumber: number;
  /** Of those, with cards of acquirers. */
  cardSales: number;
  cardRefunds: number;
  /** What files have paid: gross, fees, chargebacks. */
  gross: number;
  fees: number;
  chargebacks: number;
  /** What was converted: in the currency of the sale what files have paid in another one, below 0, and what they paid for it. */
  converted: number;
  /** What acquirers have not paid. */
  open: number;
  /** What is left on gift cards. */
  owed: number;
}

const NOTHING: Written = {
  sales: 0,
  salesNumber: 0,
  refunds: 0,
  refundsNumber: 0,
  cardSales: 0,
  cardRefunds: 0,
  gross: 0,
  fees: 0,
  chargebacks: 0,
  converted: 0,
  open: 0,
  owed: 0,
};

export interface Month {
  readonly written: ReadonlyMap<string, Written>;
  readonly context: SettlementContext;
  readonly acquirers: readonly (typeof NORTH)[];
  /** Goes on after the month: a sale in April, and a gift card that is spent then. */
  readonly goOn: () => Promise<void>;
}

/** A sale or refund that waits for its line. */
interface Waiting extends Charged {
  readonly host: Host;
}

/** Lives a March of the past by a seed: sales in parts, refunds in parts, gift cards, chargebacks, and the files of both acquirers. */
export async function liveMonth(database: TestDatabase, payeeId: PayeeId, seed: number): Promise<Month> {
  const draw = randomFrom(seed);
  const written = new Map<string, Written>();
  const of = (currency: string) => {
    const known = written.get(currency) ?? { ...NOTHING };
    written.set(currency, known);
    return known;
  };
  const context = settling(
    HOSTS.map(({ agreement, merchantId, currency, acquirer }) => ({
      ...agreementOf(payeeId, merchantId),
      id: agreement,
      acquirer: acquirer.id,
      currencies: [currency],
    })),
  );
  const waiting: Waiting[] = [];
  const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T${String(8 + draw(12)).padStart(2, '0')}:30:00Z`;
  for (let sale = 0; sale < SALES; sale += 1) {
    const host = HOSTS[draw(HOSTS.length)] as Host;
    waiting.push(...(await sell(database, payeeId, { host, draw, at, note: of(host.currency) })));
  }
  // What an acquirer did not answer was taken back: nothing of it is sold, and no line comes.
  for (const { acquirer, agreement, merchantId, currency } of HOSTS) {
    const day = 1 + draw(28);
    const common = { acquirer: acquirer.id, agreement, merchantId, currency, takenBack: 'Known' as const };
    await charge(database, payeeId, { ...common, amount: 100 + draw(9_000), at: at(day), day: dayOf(day) });
  }
  const cards: string[] = [];
  for (let card = 0; card < GIFT_CARDS; card += 1) {
    cards.push(await giftCard(database, payeeId, { draw, at, note: of('NOK') }));
  }
  await sumUp(database, payeeId);
  await settle({
    waiting,
    draw,
    of,
    bring: (text, acquirer, now) => importText((work) => database.transact(work), context, text, { ...acquirer, now }),
  });
  const goOn = async () => {
    const [host] = HOSTS;
    const { agreement, merchantId, currency } = host;
    const sale = {
      agreement,
      merchantId,
      currency,
      acquirer: host.acquirer.id,
      amount: 4_700,
      at: '2026-04-10T12:00:00Z',
    };
    await charge(database, payeeId, { ...sale, day: '2026-04-10' });
    await spend(database, payeeId, { account: cards[0] ?? '', amount: 1, when: '2026-04-11T12:00:00Z' });
  };
  return { written, context, acquirers: [NORTH, SOUTH], goOn };
}

interface Living {
  readonly draw: (below: number) => number;
  readonly at: (day: number) => string;
  readonly note: Written;
}

/** An order of one to three captures, some of which are given back in one or two parts. */
async function sell(
  database: TestDatabase,
  payeeId: PayeeId,
  { host, draw, at, note }: Living & { readonly host: Host },
) {
  const made: Waiting[] = [];
  const { agreement, merchantId, currency } = host;
  const day = 1 + draw(28);
  const common = { agreement, merchantId, currency, acquirer: host.acquirer.id };
  let first: Charged | undefined;
  for (let capture = 0; capture <= draw(3); capture += 1) {
    const amount = 100 + draw(90_000);
    const taken = await charge(database, payeeId, {
      ...common,
      amount,
      at: at(day),
      ...(first !== undefined && { of: first }),
      day: dayOf(day),
    });
    first ??= taken;
    made.push({ ...taken, host });
    note.sales += amount;
    note.cardSales += amount;
    note.salesNumber += 1;
    let left = amount;
    for (let part = draw(3); part > 0 && draw(4) === 0; part -= 1) {
      const back = 1 + draw(Math.max(1, Math.floor(left / 2)));
      const later = Math.min(31, day + 1 + draw(3));
      const refund = await charge(database, payeeId, {
        ...common,
        amount: back,
        type: 'Refund',
        of: taken,
        at: at(later),
        day: dayOf(later),
      });
      made.push({ ...refund, host });
      left -= back;
      note.refunds += back;
      note.cardRefunds += back;
      note.refundsNumber += 1;
    }
  }
  return made;
}

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

/** The files of a week, one for each agreement: most of what waits, in any order, with fees and now and then a chargeback. */
async function settle({
  waiting,
  draw,
  of,
  bring,
}: {
  readonly waiting: readonly Waiting[];
  readonly draw: Living['draw'];
  readonly of: (currency: string) => Written;
  readonly bring: (text: string, acquirer: typeof NORTH, now: Date) => Promise<unknown>;
}): Promise<void> {
  for (const host of HOSTS) {
    const note = of(host.currency);
    const own = waiting.filter((one) => one.host === host);
    const paid = own.filter(() => draw(10) > 0);
    note.open += own.filter((one) => !paid.includes(one)).reduce((sum, { amount }) => sum + amount, 0);
    for (let week = 0; week < 4; week += 1) {
      const part = paid.filter((_, place) => place % 4 === week);
      // One acquirer pays the last week of euros in kroner, each day at another rate.
      const isConverted = host.currency === 'EUR' && week === 3;
      const currency = isConverted ? 'NOK' : host.currency;
      const lines = part.map((one) =>
        lineFor(one, { feeAmount: -draw(200), ...(isConverted && converted(one, 1_100 + draw(100))) }),
      );
      const disputed = part.find(({ type, amount }) => type === 'Sale' && amount > 500);
      if (disputed !== undefined && week < 2) {
        const grossAmount = -1 - draw(400);
        lines.push(lineFor(disputed, { type: 'Chargeback', grossAmount, caseId: `C${host.agreement}${week}` }));
        note.chargebacks += grossAmount;
      }
      lines.push({ type: 'Fee', grossAmount: 0, feeAmount: -1 - draw(900) });
      const paidIn = of(currency);
      const sold = part.reduce((sum, { amount }) => sum + amount, 0);
      const gross = lines.reduce(
        (sum, { type, grossAmount = 0 }) => sum + (type === 'Chargeback' ? 0 : Number(grossAmount)),
        0,
      );
      paidIn.gross += gross;
      paidIn.fees += lines.reduce((sum, { feeAmount = 0 }) => sum + Number(feeAmount), 0);
      if (isConverted) {
        note.converted -= sold;
        paidIn.converted += gross;
      }
      const { merchantId } = host;
      const text = fileOf(
        `${host.agreement}-${week}`,
        lines.map((line) => ({ ...line, merchantId, currency })),
        { merchantId, currency, valueDate: `2026-04-0${week + 1}` },
      );
      await bring(text, host.acquirer, new Date(`2026-04-0${week + 1}T05:00:00Z`));
    }
  }
}

/** What a line pays in minor units of kroner for euros, at a rate in hundredths. */
function converted({ amount }: Charged, rate: number) {
  const grossAmount = Math.round((amount * rate) / 100);
  return { grossAmount, transactionCurrency: 'EUR', transactionAmount: amount, exchangeRate: rate / 100 };
}

/** A gift card that is sold, spent and partly given back. */
async function giftCard(database: TestDatabase, payeeId: PayeeId, { draw, at, note }: Living): Promise<string> {
  const [account, payment, reversal] = [randomUUID(), newId(), randomUUID()];
  const amount = 10_000 + draw(40_000);
  const spent = 1 + draw(10_000);
  const back = draw(spent + 1);
  const day = 1 + draw(20);
  const spentAt = at(day);
  const issued = `2026-02-${String(10 + draw(10)).padStart(2, '0')}T12:00:00Z`;
  note.sales += spent;
  note.salesNumber += 1;
  note.refunds += back;
  note.refundsNumber += back > 0 ? 1 : 0;
  note.owed += amount - spent + back;
  const steps = [
    { kind: 'Deposit', amount, other: 'Funding', payment: 'null', transaction: 'null', when: issued },
    {
      kind: 'Purchase',
      amount: -spent,
      other: 'Clearing',
      payment: `'${payment}'`,
      transaction: 'null',
      when: spentAt,
    },
    {
      kind: 'Reversal',
      amount: back,
      other: 'Clearing',
      payment: `'${payment}'`,
      transaction: `'${reversal}'`,
      when: at(day + 2),
    },
  ].filter((step) => step.amount !== 0);
  let balance = 0;
  const booked = steps.map((step, place) => {
    const movement = uuidV7(Date.parse(step.when));
    balance += step.amount;
    return `
      insert into movement (payee_id, movement_id, kind, currency, payment_id, transaction_id, happened_at)
      values ('${payeeId}', '${movement}', '${step.kind}', 'NOK', ${step.payment}, ${step.transaction}, '${step.when}');
      insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
      values ('${payeeId}', '${movement}', 1, 'Available', 'NOK', ${step.amount}, '${account}', ${place + 1}, ${balance}),
        ('${payeeId}', '${movement}', 2, '${step.other}', 'NOK', ${-step.amount}, null, null, null);`;
  });
  await database.asAdmin(`
    insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length, validity_months,
      smallest_amount, largest_amount, largest_balance)
    values ('${payeeId}', 'spring', 'Spring', 'NOK', '70991234', 19, 24, 1, 100000, 100000) on conflict do nothing;
    insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id, number_masked,
      available, expires_on, expires_at, entry_count, created_at)
    values ('${payeeId}', '${account}', 'StoredValue', 'giftcard', 'gift-card', 'NOK', sha256('${account}'), 'fingerprint-1', '7099',
      ${balance}, '2028-03-31', '2028-03-31T22:00:00Z', ${steps.length}, '${issued}');
    insert into gift_card (payee_id, account_id, product_id, number_sealed, sealed_with, issued_at, event_sequence)
    values ('${payeeId}', '${account}', 'spring', '', 'key', '${issued}', 1);
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled, reversed,
      payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${payment}', '${account}', 'Purchase', 'OK', ${spent}, 'NOK', ${spent}, 0, ${back}, 'order', '${payment}', '{}',
      '${spentAt}', '${spentAt}', 1);
    ${booked.join('\n')}`);
  return account;
}

/** Takes a little off a gift card, on a day after the month. */
async function spend(
  database: TestDatabase,
  payeeId: PayeeId,
  { account, amount, when }: { readonly account: string; readonly amount: number; readonly when: string },
): Promise<void> {
  const [payment, movement] = [newId(), uuidV7(Date.parse(when))];
  await database.asAdmin(`
    update account set available = available - ${amount}, entry_count = entry_count + 1 where account_id = '${account}';
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled, reversed,
      payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${payment}', '${account}', 'Purchase', 'OK', ${amount}, 'NOK', ${amount}, 0, 0, 'order', '${payment}', '{}',
      '${when}', '${when}', 1);
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    values ('${payeeId}', '${movement}', 'Purchase', 'NOK', '${payment}', '${when}');
    insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
    select payee_id, '${movement}'::uuid, 1, 'Available', 'NOK', ${-amount}, account_id, entry_count, available
    from account where account_id = '${account}'
    union all
    select '${payeeId}'::uuid, '${movement}'::uuid, 2, 'Clearing', 'NOK', ${amount}, null, null, null;`);
}

/** Has each card payment show what its captures and reversals come to, as the service would. */
async function sumUp(database: TestDatabase, payeeId: PayeeId): Promise<void> {
  await database.asAdmin(`
    update card_payment p set amount = t.asked, captured = t.captured, reversed = t.reversed
    from (
      select payment_id, sum(amount) filter (where type = 'Capture') as asked,
        coalesce(sum(amount) filter (where type = 'Capture' and state = 'Completed'), 0) as captured,
        coalesce(sum(amount) filter (where type = 'Reversal'), 0) as reversed
      from card_transaction where payee_id = '${payeeId}' group by payment_id
    ) t
    where p.payee_id = '${payeeId}' and p.payment_id = t.payment_id`);
}

const newId = () => uuidV7(Date.now());

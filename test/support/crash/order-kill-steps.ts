import { freshCard } from '../numbers.ts';
import { type OrderPayer, orderPayer } from '../payer/order-payer.ts';
import type { Answer } from '../service.ts';
import { cardSeller, type IssuedCard } from '../shop/gift-cards-seller.ts';
import { hrefOf } from '../shop/orders-shop.ts';
import type { OrderKillSite } from './order-kill-site.ts';
import { refuteSnapshot } from './order-sums.ts';

// What a kill comes into: a payer who pays an order, or a payee who captures, cancels or reverses one. Each has an order of
// its own, with gift cards of its own, and says by hand what its legs must be.

/** How far a step has come, once all is known. */
export type Stage = 'nothing' | 'failed' | 'done';

/** The legs of an order at each stage: amount, captured, cancelled, reversed of each. */
type Legs = Readonly<Record<Stage, string>>;

/** Something that is under way when the kill comes. */
export interface Step {
  readonly name: string;
  /** Whether its card part waits for the acquirer; without one it is done in one batch. */
  readonly asks: boolean;
  /** What is kept apart of the order while the acquirer is asked; a payer's gift cards are held. */
  readonly reserves: number;
  /** And once the acquirer has not answered, until it has taken its part back. */
  readonly keeps: number;
  readonly legs: Legs;
  readonly id: string;
  readonly cards: readonly IssuedCard[];
  /** What was on them at first. */
  readonly onCards: readonly number[];
  begin(): Promise<Answer>;
  /** Whether an answer says that it is done. */
  saysDone(answer: Answer): boolean;
  /** The payer pays, or the payee asks again, until it is done. @returns what was wrong on the way */
  goOn(stage: Stage | undefined): Promise<string[]>;
  /** Gives all back that was paid. */
  undo(): Promise<void>;
}

/** On the gift cards of an order, in the order in which they were added; they pay all that is on them. */
const ON_CARDS = [300, 200] as const;
/** As many as an order takes. */
const ON_THREE = [300, 200, 100] as const;
/** The rest is paid by card. */
const AMOUNT = 1000;
const PAID = '300/0/0/0 200/0/0/0 500/0/0/0';

interface Ordering {
  readonly amount: number;
  readonly intent?: string;
  /** What is on each of its gift cards. */
  readonly onCards: readonly number[];
}

/** Makes an order, whose payer has added gift cards. */
export async function orderWith({ shop, walks }: OrderKillSite, { amount, intent, onCards }: Ordering) {
  const seller = cardSeller(shop);
  const cards: IssuedCard[] = [];
  for (const money of onCards) cards.push(await seller.issue(money));
  const { id, made, payer } = await walks.walk({ amount, vatAmount: 0, ...(intent !== undefined && { intent }) });
  for (const card of cards) requireOk(await payer.add(card));
  return { id, cards, payer, link: hrefOf(made, 'redirect-checkout') };
}

/** @throws Error where an answer says that it was not done */
export function requireOk(answer: Answer): void {
  const { outcome } = answer.body ?? {};
  if (answer.status !== 200 || (outcome !== undefined && !DONE.includes(outcome))) {
    throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  }
}

/** What a page says of what was done; with a bank that wants to see its payer, also of what is to be done then. */
const DONE: readonly string[] = ['ok', 'Go', 'Authenticate', 'Challenge'];

const newNumber = () => freshCard('debit');
const statusOf = async ({ walks }: OrderKillSite, id: string): Promise<string> => (await walks.orderOf(id)).status;
/** A page that is paid leads to where the payee wants its payers then. */
export const saysPaid = ({ body }: Answer) => body?.outcome === 'Go' && body.url === 'https://shop.example/ok';

interface Paying extends Ordering {
  readonly asks: boolean;
  /** Whether its payer has been at the bank, which has approved, and comes back. */
  readonly isAuthenticated?: true;
  readonly legs: Legs;
}

async function paying(
  site: OrderKillSite,
  name: string,
  { asks, legs, isAuthenticated, ...made }: Paying,
): Promise<Step> {
  const { id, cards, payer, link } = await orderWith(site, made);
  const number = newNumber();
  if (isAuthenticated) {
    await goToBank(payer);
    await payer.decide('Approved');
  }
  const byCard = () => (isAuthenticated ? payer.comeBack() : payer.payByCard({ number }));
  const press = () => (asks ? byCard() : payer.payByGiftCards());
  return {
    name,
    asks,
    reserves: 0,
    keeps: 0,
    legs,
    id,
    cards,
    onCards: made.onCards,
    begin: press,
    saysDone: saysPaid,
    async goOn(stage) {
      // The same form again tells what became of it, or is carried out.
      const again = await press();
      if ((await statusOf(site, id)) === 'Paid') return stage === 'failed' ? [`${name}: what has failed is paid`] : [];
      if (stage === 'nothing' || stage === 'done') return [`${name}: it is not paid: ${again.text.slice(0, 300)}`];
      return payAnew(site, { name, link });
    },
    undo: () => undo(site, id),
  };
}

/** Takes a payer to the page of the bank, where they choose. */
export async function goToBank(payer: OrderPayer): Promise<void> {
  requireOk(await payer.payByCard({ number: freshCard('challenged') }));
  requireOk(await payer.authenticate());
}

/** Opens the page of an order anew, and pays with another card. @returns what was wrong on the way */
async function payAnew(
  { shop }: Pick<OrderKillSite, 'shop'>,
  { name, link }: { readonly name: string; readonly link: string },
): Promise<string[]> {
  const later = orderPayer(shop, link);
  await later.open();
  const anew = later.isCovered() ? await later.payByGiftCards() : await later.payByCard({ number: newNumber() });
  return saysPaid(anew) ? [] : [`${name}: with another card it is not paid: ${anew.text.slice(0, 300)}`];
}

interface FollowingUp {
  readonly what: 'captures' | 'cancellations' | 'reversals';
  readonly amount: number;
  readonly reserves: number;
  readonly keeps: number;
  readonly asks: boolean;
  /** What was captured before. */
  readonly captured?: number;
  /** What is on its gift cards, where that is not `ON_CARDS`. */
  readonly onCards?: readonly number[];
  readonly legs: Legs;
}

async function following(site: OrderKillSite, name: string, made: FollowingUp): Promise<Step> {
  const { what, amount, reserves, keeps, asks, captured = 0, onCards = ON_CARDS, legs } = made;
  const { id, cards, payer } = await orderWith(site, { amount: AMOUNT, onCards });
  const { walks } = site;
  requireOk(await payer.payByCard({ number: newNumber() }));
  if (captured > 0) requireOk(await walks.follow(id, 'captures', { amount: captured, vatAmount: 0 }));
  const members = { ...(what !== 'cancellations' && { amount, vatAmount: 0 }) };
  const payeeReference = walks.shop.reference();
  const ask = (reference = payeeReference) => walks.follow(id, what, { ...members, payeeReference: reference });
  return {
    name,
    asks,
    reserves,
    keeps,
    legs,
    id,
    cards,
    onCards,
    begin: () => ask(),
    saysDone: ({ status }) => status === 200,
    async goOn(stage) {
      const again = await ask();
      const isReplay = again.headers.get('idempotency-replayed') === 'true';
      const wanted = { nothing: [200, false], failed: [what === 'cancellations' ? 200 : 504, true], done: [200, true] };
      const [status, replay] = stage === undefined ? [again.status, isReplay] : wanted[stage];
      if (again.status !== status || (status === 200 && isReplay !== replay)) {
        return [
          `${name}: asked again it is ${again.status}, ${isReplay ? 'known' : 'new'}: ${again.text.slice(0, 300)}`,
        ];
      }
      if (again.status === 200) return [];
      const anew = await ask(walks.shop.reference());
      return anew.status === 200 ? [] : [`${name}: asked anew it is ${anew.status} ${anew.text.slice(0, 300)}`];
    },
    undo: () => undo(site, id),
  };
}

/** Cancels what is left of an order, and reverses what was captured; an unpaid one is aborted. */
export async function undo({ walks }: OrderKillSite, id: string): Promise<void> {
  const order = await walks.orderOf(id);
  if (order.status === 'Initialized') requireOk(await walks.change(id, 'Abort', { abortReason: 'NoMore' }));
  if (order.remainingCancellationAmount > 0) requireOk(await walks.follow(id, 'cancellations'));
  const amount = order.remainingReversalAmount;
  if (amount > 0) requireOk(await walks.follow(id, 'reversals', { amount, vatAmount: 0 }));
}

/** What payers do. */
const PAYMENTS: Readonly<Record<string, Paying>> = {
  pay: {
    amount: AMOUNT,
    onCards: ON_THREE,
    asks: true,
    legs: { nothing: '', failed: '300/0/0/0 200/0/0/0 100/0/0/0', done: '300/0/0/0 200/0/0/0 100/0/0/0 400/0/0/0' },
  },
  'pay once the bank has approved': {
    amount: AMOUNT,
    onCards: ON_CARDS,
    asks: true,
    isAuthenticated: true,
    legs: { nothing: '300/0/0/0 200/0/0/0', failed: '300/0/0/0 200/0/0/0', done: PAID },
  },
  'pay and capture': {
    amount: 900,
    intent: 'AutoCapture',
    onCards: [300],
    asks: true,
    legs: { nothing: '', failed: '300/0/0/0', done: '300/300/0/0 600/600/0/0' },
  },
  'pay by gift card alone': {
    amount: 250,
    onCards: [300],
    asks: false,
    legs: { nothing: '', failed: '', done: '250/0/0/0' },
  },
};

/** What payees do with paid orders. */
const FOLLOW_UPS: Readonly<Record<string, FollowingUp>> = {
  capture: {
    what: 'captures',
    amount: 700,
    reserves: 700,
    keeps: 500,
    asks: true,
    legs: { nothing: PAID, failed: PAID, done: '300/300/0/0 200/200/0/0 500/200/0/0' },
  },
  cancel: {
    what: 'cancellations',
    amount: 900,
    reserves: 900,
    keeps: 0,
    asks: true,
    captured: 100,
    onCards: ON_THREE,
    legs: {
      nothing: '300/100/0/0 200/0/0/0 100/0/0/0 400/0/0/0',
      // A cancellation counts as done, and its acquirer is told until it has heard of it.
      failed: '300/100/200/0 200/0/200/0 100/0/100/0 400/0/400/0',
      done: '300/100/200/0 200/0/200/0 100/0/100/0 400/0/400/0',
    },
  },
  reverse: {
    what: 'reversals',
    amount: 900,
    reserves: 900,
    keeps: 500,
    asks: true,
    captured: AMOUNT,
    onCards: ON_THREE,
    legs: {
      nothing: '300/300/0/0 200/200/0/0 100/100/0/0 400/400/0/0',
      failed: '300/300/0/0 200/200/0/0 100/100/0/0 400/400/0/0',
      done: '300/300/0/200 200/200/0/200 100/100/0/100 400/400/0/400',
    },
  },
  'capture of gift cards alone': {
    what: 'captures',
    amount: 350,
    reserves: 0,
    keeps: 0,
    asks: false,
    legs: { nothing: PAID, failed: PAID, done: '300/300/0/0 200/50/0/0 500/0/0/0' },
  },
};

/** All steps, each ready to begin: with a card part, and those without one where these are wanted too. */
export async function makeReady(
  site: OrderKillSite,
  { alsoUnasked }: { readonly alsoUnasked: boolean },
): Promise<Step[]> {
  const isWanted = ([, { asks }]: readonly [string, { readonly asks: boolean }]) => asks || alsoUnasked;
  return Promise.all([
    ...Object.entries(PAYMENTS)
      .filter(isWanted)
      .map(([name, made]) => paying(site, name, made)),
    ...Object.entries(FOLLOW_UPS)
      .filter(isWanted)
      .map(([name, made]) => following(site, name, made)),
  ]);
}

interface ShownLeg {
  readonly position: number;
  readonly amount: number;
  readonly capturedAmount: number;
  readonly cancelledAmount: number;
  readonly reversedAmount: number;
}

/** An order, its gift cards, and what its legs must be. */
type Watched = Pick<Step, 'name' | 'id' | 'cards' | 'onCards' | 'legs'>;

/**
 * What is wrong with a step's order: it does not add up, is at another stage than these, or its gift cards have not what its legs
 * leave them.
 */
export async function refuteStep(site: OrderKillSite, step: Watched, stages: readonly Stage[]): Promise<string[]> {
  const order = await site.walks.orderOf(step.id, 'financialtransactions');
  const shown: readonly ShownLeg[] = order.legs ?? [];
  const legs = shown
    .toSorted((one, other) => one.position - other.position)
    .map((leg) => [leg.amount, leg.capturedAmount, leg.cancelledAmount, leg.reversedAmount] as const);
  const told = legs.map((leg) => leg.join('/')).join(' ');
  const allowed = [...new Set(stages.map((stage) => step.legs[stage]))];
  const leave = step.onCards.map((onIt, index) => {
    const [amount, captured, cancelled, reversed] = legs[index] ?? [0, 0, 0, 0];
    return `${onIt - amount + cancelled + reversed} and ${amount - captured - cancelled} held`;
  });
  const found = await moneyOn(site, step);
  const wrong = [
    ...refuteSnapshot(order),
    ...(allowed.includes(told) ? [] : [`its legs are ${told || 'none'}, not ${allowed.join(' or ')}`]),
    ...(`${found}` === `${leave}` ? [] : [`its gift cards have ${found}, and its legs leave them ${leave}`]),
  ];
  return wrong.map((finding) => `${step.name}: ${finding}`);
}

/** What is on the gift cards of a step, and what of them is held. */
async function moneyOn({ database }: OrderKillSite, { cards }: Pick<Watched, 'cards'>): Promise<string[]> {
  if (cards.length === 0) return [];
  const rows = await database.asAdmin(`
    select account_id::text, available::integer, held::integer from account
    where account_id in (${cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`)})`);
  const byId = new Map(rows.map((row) => [row['account_id'], `${row['available']} and ${row['held']} held`]));
  return cards.map(({ paymentAccountId }) => byId.get(paymentAccountId) ?? 'no account');
}

/** What is wrong once all was given back: each gift card has what was on it at first. */
export async function refuteUndone(
  site: OrderKillSite,
  step: Pick<Watched, 'name' | 'cards' | 'onCards'>,
): Promise<string[]> {
  const found = await moneyOn(site, step);
  const wanted = step.onCards.map((onIt) => `${onIt} and 0 held`);
  return `${found}` === `${wanted}` ? [] : [`${step.name}: given back, its gift cards have ${found}, not ${wanted}`];
}

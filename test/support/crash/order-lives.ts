import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { orderWalks } from '../payer/order-walks.ts';
import type { TestService } from '../service.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { addProduct, inNameOf, productTerms } from '../shop/gift-cards.ts';
import { cardSeller } from '../shop/gift-cards-seller.ts';
import { hrefOf } from '../shop/orders-shop.ts';
import { until } from '../until.ts';
import { brokenInvariants, refuteBooks } from './books.ts';
import { insistent, Overdue } from './insistent.ts';
import { CARDS, type Living, type Payee, STEPS, VERBS, type Verb } from './order-steps.ts';
import { refuteEnd, refuteRest, refuteSnapshot } from './order-sums.ts';
import type { TwoInstances } from './two-instances.ts';

// Lives of payment orders over HTTP: two payees, each request at one of two instances, and orders that share their gift
// cards. What cannot be done is refused, by whatever came first; what holds all the same is looked at from outside.

const steps = fc.record({
  does: fc.oneof(...Object.entries(VERBS).map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb as Verb) }))),
  /** In hundredths, of whatever it is about. */
  share: fc.integer({ min: 1, max: 100 }),
});
const lives = fc.record({
  payee: fc.nat(1),
  amount: fc.integer({ min: 50, max: 600 }),
  intent: fc.constantFrom('Authorization', 'AutoCapture'),
  steps: fc.array(steps, { minLength: 4, maxLength: 10 }),
});
type Drawn<Some> = Some extends fc.Arbitrary<infer One> ? One : never;
type Life = Drawn<typeof lives>;

/** What is on each gift card. */
const ON_CARD = 400;
/** Milliseconds between two looks at all that is stored. */
const LOOK_MS = 300;
/** Milliseconds until what was under way has ended by itself. */
const SETTLED_MS = 120_000;

/** How lives are lived. */
export interface Run {
  readonly seed: number;
  readonly lives: number;
  readonly atOnce: number;
  /** Whether an instance may be gone: what gets no answer then is left as it is. */
  readonly mayFail?: boolean;
}

/** Orders of two payees at two instances. */
export interface OrderLives {
  /** @returns what was wrong on the way */
  run(run: Run): Promise<string[]>;
  /** Ends all orders, at the first instance where the other one is gone. @returns what is wrong then */
  end(options?: { readonly isAlone?: boolean }): Promise<unknown[]>;
  /** Orders that were made. */
  readonly made: number;
  /** How often each thing was done, and how often an instance was too busy for a request, which was sent again. */
  readonly done: Readonly<Record<string, number>>;
}

/** Opens both payees' shops. */
export async function orderLives({ kontor, other }: TwoInstances): Promise<OrderLives> {
  const second = await kontor.addPayee();
  await addProduct(kontor.database, productTerms(second.payeeId as never, { cvcRequired: true }));
  const route: Route = { turn: 0, isAlone: false, busy: 0 };
  const both = turnAbout(kontor, other, route);
  const payees = await Promise.all([openPayee(both), openPayee(inNameOf(second, both))]);
  const done: Record<string, number> = {};
  const made: Living[] = [];
  return {
    get done() {
      return { ...done, busy: route.busy };
    },
    get made() {
      return made.length;
    },
    async run({ seed, lives: count, atOnce, mayFail = false }) {
      const wrong: string[] = [];
      const queue = fc.sample(lives, { seed, numRuns: count });
      const watch = { isOver: false };
      const watching = watchBooks(kontor, watch, wrong);
      const worker = async () => {
        for (let life = queue.shift(); life !== undefined; life = queue.shift()) {
          const payee = payees[life.payee] as Payee;
          await live({ payee, life, done, made, wrong }).catch((error: unknown) => {
            if (error instanceof Overdue) done['overdue'] = (done['overdue'] ?? 0) + 1;
            // The instance was killed, or had not begun.
            else if (!mayFail) wrong.push(String(error));
          });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      watch.isOver = true;
      await watching;
      return wrong;
    },
    end: ({ isAlone = false } = {}) => {
      route.isAlone = isAlone;
      return endAll(kontor, payees, made);
    },
  };
}

/** Each request goes to another instance than the one before. A link leads where it was made. */
function turnAbout(kontor: TestService, other: TestService, route: Route): TestService {
  const inTurn: TestService = {
    ...kontor,
    send: (...request) => (route.isAlone || route.turn++ % 2 === 0 ? kontor : other).send(...request),
  };
  return insistent(inTurn, () => route.busy++);
}

interface Route {
  turn: number;
  isAlone: boolean;
  /** Times that an instance was too busy. */
  busy: number;
}

async function openPayee(at: TestService): Promise<Payee> {
  const cards = await Promise.all(Array.from({ length: CARDS }, () => cardSeller(at).issue(ON_CARD)));
  return { at, walks: orderWalks(at), cards };
}

/** Looks at all that is stored, again and again: each look sees one moment. */
async function watchBooks(kontor: TestService, watch: { readonly isOver: boolean }, wrong: string[]): Promise<void> {
  while (!watch.isOver) {
    await pause(LOOK_MS);
    // A machine with much else to do may not connect in time.
    const broken = Object.entries(await brokenInvariants(kontor).catch(() => ({})));
    wrong.push(...broken.map(([holds, row]) => `${holds} ${row}`));
    if (broken.length > 0) return;
  }
}

interface Lives {
  readonly payee: Payee;
  readonly life: Life;
  readonly done: Record<string, number>;
  readonly made: Living[];
  readonly wrong: string[];
}

async function live({ payee, life, done, made, wrong }: Lives): Promise<void> {
  const { amount, intent } = life;
  const payeeReference = newReference();
  const members = { amount, vatAmount: Math.floor(amount / 5), intent, payeeInfo: { payeeReference } };
  const { made: created, id, payer } = await payee.walks.walk(members);
  const link = hrefOf(created, 'redirect-checkout');
  const one: Living = { payee, id, link, payer, amount };
  made.push(one);
  for (const { does, share } of life.steps) {
    const answers = await STEPS[does](one, share);
    if (answers.some(({ status }) => status < 300)) done[does] = (done[does] ?? 0) + 1;
    const failed = answers.filter(({ status }) => status >= 500);
    wrong.push(...failed.map(({ status, text }) => `${does}: ${status} ${text.slice(0, 300)}`));
    const order = await payee.walks.orderOf(id, 'financialtransactions');
    wrong.push(...refuteSnapshot(order).map((finding) => `${id} after ${does}: ${finding}`));
  }
}

/**
 * Ends all: unpaid orders are aborted, and what is left of the others is cancelled. Then nothing may be held. What was captured is
 * given back: then each leg has all of it again, and each gift card what was on it.
 */
async function endAll(kontor: TestService, payees: readonly Payee[], made: readonly Living[]): Promise<unknown[]> {
  const { asAdmin } = kontor.database;
  await until(() => isSettled(kontor), SETTLED_MS);
  const wrong: unknown[] = [];
  const ids = payees.flatMap(({ cards }) => cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`));
  const accounts = `
    select a.account_id::text, a.held::integer, a.available::integer, l.spent::integer
    from account a
    cross join lateral (
      select coalesce(sum(p.amount - p.cancelled - p.reversed), 0) as spent
      from order_leg l join payment p on p.payee_id = l.payee_id and p.payment_id = l.payment_id
      where l.account_id = a.account_id and l.state = 'Authorized'
    ) l
    where a.account_id in (${ids})`;
  for (const living of made) wrong.push(...(await endOrder(living)));
  wrong.push(
    ...(await asAdmin(`${accounts} and (a.held <> 0 or a.available <> ${ON_CARD} - l.spent or a.available < 0)`)),
  );
  for (const living of made) wrong.push(...(await giveAllBack(living)));
  wrong.push(...(await asAdmin(`${accounts} and (a.held <> 0 or a.available <> ${ON_CARD})`)));
  wrong.push(...(await asAdmin(WRONG_VAT)));
  return [...wrong, ...(await refuteBooks(kontor))];
}

/** Whether nothing is under way: what a process that is gone was about to do is looked after now, and jobs have done theirs. */
async function isSettled({ database }: TestService): Promise<boolean> {
  await database.asAdmin(`update issuer_attempt set due_at = kontor_now() where state = 'CALLING'`);
  const [row] = await database.asAdmin(`
    select (select count(*) from issuer_attempt where due_at is not null)
      + (select count(*) from payment_order
         where unsettled > 0 or (status = 'Initialized' and expires_at <= kontor_now())
           or authorized_until <= kontor_now()) as open`);
  return Number(row?.['open']) === 0;
}

async function endOrder({ payee, id }: Living): Promise<string[]> {
  const order = await payee.walks.orderOf(id, 'financialtransactions');
  const { status, remainingCancellationAmount } = order;
  const wrong = ['Initialized', 'Failed', 'Aborted'].includes(status) ? [] : refuteRest(order);
  const isOpen = status === 'Initialized' || remainingCancellationAmount !== undefined;
  if (!isOpen) return wrong.map((finding) => `${id}: ${finding}`);
  const ended =
    status === 'Initialized'
      ? await payee.walks.change(id, 'Abort', { abortReason: 'TheEnd' })
      : await payee.walks.follow(id, 'cancellations', { payeeReference: newReference() });
  if (ended.status !== 200) wrong.push(`it was ${status}, and cannot be ended: ${ended.text}`);
  return wrong.map((finding) => `${id}: ${finding}`);
}

async function giveAllBack({ payee, id }: Living): Promise<string[]> {
  const { remainingReversalAmount: amount } = await payee.walks.orderOf(id);
  if (amount !== undefined) {
    const back = await payee.walks.follow(id, 'reversals', { payeeReference: newReference(), amount, vatAmount: 0 });
    if (back.status !== 200) return [`${id}: ${amount} cannot be given back: ${back.text}`];
  }
  return refuteEnd(await payee.walks.orderOf(id)).map((finding) => `${id}: ${finding}`);
}

/** Orders whose VAT is not that of its parts: of a gift card rounded down, and of the card what is missing to the whole. */
const WRONG_VAT = `
  select o.order_id::text, o.amount::integer, o.vat_amount::integer, t.vat_amount::integer as "ofCard", g.vat::integer as "ofGiftCards"
  from payment_order o
  join order_leg l on l.payee_id = o.payee_id and l.order_id = o.order_id and l.kind = 'Card' and l.state = 'Authorized'
  join card_payment c on c.payee_id = o.payee_id and c.payment_id = l.payment_id
  join card_transaction t on t.payee_id = c.payee_id and t.transaction_id = c.paid_by
  cross join lateral (
    select coalesce(sum(floor(o.vat_amount::numeric * g.amount / o.amount)), 0) as vat
    from order_leg g
    where g.payee_id = o.payee_id and g.order_id = o.order_id and g.kind = 'Account' and g.state = 'Authorized'
  ) g
  where t.vat_amount + g.vat <> o.vat_amount`;

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { randomDigits } from '../../src/kit/secret.ts';
import { newReference } from './accounts-shop.ts';
import { brokenInvariants, refuteBooks } from './books.ts';
import { VISA, VISA_WITH_3D_SECURE } from './card-payments-shop.ts';
import { addProduct, productTerms } from './gift-cards.ts';
import { cardSeller, type IssuedCard } from './gift-cards-seller.ts';
import { insistent, Overdue } from './insistent.ts';
import { type OrderPayer, orderPayer } from './order-payer.ts';
import { type OrderWalks, orderWalks } from './order-walks.ts';
import { hrefOf } from './orders-shop.ts';
import type { Answer, TestService } from './service.ts';
import type { TwoInstances } from './two-instances.ts';
import { until } from './until.ts';

// Lives of payment orders over HTTP: two payees, each request at one of two instances, and orders that share their gift
// cards. What cannot be done is refused, by whatever came first; what holds all the same is looked at from outside.

/** What happens to an order, and how often beside the others. */
const VERBS = {
  add: 5,
  remove: 1,
  pay: 4,
  decline: 1,
  challenge: 1,
  update: 1,
  abort: 1,
  lapse: 1,
  'two tabs': 1,
  capture: 3,
  cancel: 1,
  reverse: 2,
} as const;
type Verb = keyof typeof VERBS;

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

/** Gift cards of each payee, and what is on each. */
const CARDS = 5;
const ON_CARD = 400;
/** The acquirer declines this amount; and one that no gift cards reach. */
const DECLINED = 900_351;
const PLENTY = 2_000_000;
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

interface Payee {
  readonly at: TestService;
  readonly walks: OrderWalks;
  readonly cards: readonly IssuedCard[];
}

/** An order on its way. */
interface Living {
  readonly payee: Payee;
  readonly id: string;
  readonly link: string;
  readonly payer: OrderPayer;
  readonly amount: number;
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

function inNameOf(
  { accessToken, hmac, payeeId }: Awaited<ReturnType<TestService['addPayee']>>,
  at: TestService,
): TestService {
  return {
    ...at,
    payeeId: payeeId as TestService['payeeId'],
    send: (method, path, options) =>
      at.send(method, path, { ...options, hmac, accessToken: options?.accessToken === null ? null : accessToken }),
  };
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

/** A card of Visa's of no other payer: one that was declined too often is not tried any more. */
function newCard(): string {
  const body = VISA.slice(0, 6) + randomDigits(9);
  return `${body}${Array.from('0123456789').find((digit) => passesLuhn(body + digit))}`;
}

const pay = (payer: OrderPayer) =>
  payer.isCovered() ? payer.payByGiftCards() : payer.payByCard({ number: newCard() });

const STEPS: Readonly<Record<Verb, (one: Living, share: number) => Promise<readonly Answer[]>>> = {
  async add({ payee, payer }, share) {
    await payer.open();
    return [await payer.add(payee.cards[share % CARDS] as IssuedCard)];
  },
  async remove({ payer }, share) {
    await payer.open();
    return [await payer.remove(share % 2)];
  },
  async pay({ payer }) {
    await payer.open();
    return [await pay(payer)];
  },
  async decline({ payee, payer, id, amount }) {
    const to = (total: number) => payee.walks.change(id, 'UpdateOrder', { amount: total, vatAmount: 0 });
    if ((await to(PLENTY)).status !== 200) return [];
    await payer.open();
    await to(PLENTY - payer.byCard() + DECLINED);
    await payer.open();
    return [await payer.payByCard({ number: newCard() }), await to(amount)];
  },
  async challenge({ payee, payer, id }, share) {
    await payer.open();
    const begun = await payer.payByCard({ number: VISA_WITH_3D_SECURE });
    return share > 50
      ? [begun]
      : [begun, await payee.walks.change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' })];
  },
  async update({ payee, id, amount }, share) {
    return [await payee.walks.change(id, 'UpdateOrder', { amount: Math.ceil((amount * share) / 50), vatAmount: 0 })];
  },
  async abort({ payee, id }, share) {
    return share > 40 ? [] : [await payee.walks.change(id, 'Abort', { abortReason: 'NoMore' })];
  },
  /** The payer is away for longer than gift cards are kept. */
  async lapse({ payee, id }) {
    await payee.at.database.asAdmin(
      `update payment_order set held_until = kontor_now() where order_id = '${idIn(id)}' and held_until is not null`,
    );
    return [];
  },
  async 'two tabs'({ payee, payer, link }) {
    const tab = orderPayer(payee.at, link);
    await Promise.all([payer.open(), tab.open()]);
    return Promise.all([pay(payer), pay(tab)]);
  },
  capture: (one, share) => follow(one, { what: 'captures', left: 'remainingCaptureAmount', share }),
  cancel: async (one, share) =>
    share > 40 ? [] : follow(one, { what: 'cancellations', left: 'remainingCancellationAmount', share }),
  reverse: (one, share) => follow(one, { what: 'reversals', left: 'remainingReversalAmount', share }),
};

interface FollowingUp {
  readonly what: 'captures' | 'cancellations' | 'reversals';
  readonly left: string;
  readonly share: number;
}

/** Twice at once, now and then, and read meanwhile: what was read must be of one moment. */
async function follow({ payee, id }: Living, { what, left, share }: FollowingUp): Promise<readonly Answer[]> {
  const { walks } = payee;
  const most: number | undefined = (await walks.orderOf(id))[left];
  if (most === undefined) return [];
  const members = () => ({
    payeeReference: newReference(),
    ...(what !== 'cancellations' && { amount: Math.ceil((most * share) / 100), vatAmount: 0 }),
  });
  const sent = Array.from({ length: share % 3 === 0 ? 2 : 1 }, () => walks.follow(id, what, members()));
  const reads = Array.from({ length: 2 }, () => walks.orderOf(id, 'financialtransactions'));
  // Waited for together: the instance may be killed, and then all of them fail.
  const [answers, orders] = await Promise.all([Promise.all(sent), Promise.all(reads)]);
  const findings = orders.flatMap(refuteSnapshot);
  if (findings.length > 0) throw new Error(`${id} while ${what}: ${findings}`);
  return answers;
}

const idIn = (path: string) => path.split('/').at(-1) ?? '';

interface SeenOrder {
  readonly status: string;
  readonly amount: number;
  readonly remainingCaptureAmount?: number;
  readonly remainingReversalAmount?: number;
  readonly legs?: readonly {
    readonly amount: number;
    readonly capturedAmount: number;
    readonly cancelledAmount: number;
    readonly reversedAmount: number;
  }[];
  readonly financialTransactions: {
    readonly financialTransactionsList: readonly {
      readonly type: string;
      readonly amount: number;
      readonly parts: readonly { readonly amount: number }[];
    }[];
  };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** What does not add up in an answer. */
export function refuteSnapshot(order: SeenOrder): string[] {
  const { status, amount, legs = [], financialTransactions } = order;
  const list = financialTransactions.financialTransactionsList;
  const isPaid = ['Paid', 'Cancelled', 'Reversed'].includes(status);
  const moved = (...types: readonly string[]) =>
    sumOf(list.filter(({ type }) => types.includes(type)).map((transaction) => transaction.amount));
  const [captured, cancelled, reversed] = (['capturedAmount', 'cancelledAmount', 'reversedAmount'] as const).map(
    (member) => sumOf(legs.map((leg) => leg[member])),
  ) as [number, number, number];
  const checks: readonly (readonly [what: string, is: number, shouldBe: number])[] = [
    ['legs', sumOf(legs.map((leg) => leg.amount)), amount],
    ['authorized', moved('Authorization', 'Sale'), amount],
    ['captured', captured, moved('Sale', 'Capture')],
    ['cancelled', cancelled, moved('Cancellation')],
    ['reversed', reversed, moved('Reversal')],
    // More is never offered than is left; less while an issuer is being asked.
    ['too much to capture', Math.max(0, (order.remainingCaptureAmount ?? 0) - (amount - captured - cancelled)), 0],
    ['too much to reverse', Math.max(0, (order.remainingReversalAmount ?? 0) - (captured - reversed)), 0],
    ...list.map((one) => [`parts of ${one.type}`, sumOf(one.parts.map((part) => part.amount)), one.amount] as const),
  ];
  if (!isPaid) return list.length === 0 ? [] : [`it is ${status}, and has ${list.map(({ type }) => type)}`];
  return checks.flatMap(([what, is, shouldBe]) => (is === shouldBe ? [] : [`${what}: ${is}, not ${shouldBe}`]));
}

/** Ends all: unpaid orders are aborted, and what is left of the others is cancelled. Then nothing may be held. */
async function endAll(kontor: TestService, payees: readonly Payee[], made: readonly Living[]): Promise<unknown[]> {
  const { asAdmin } = kontor.database;
  await until(async () => {
    // What a process that is gone was about to do is looked after now.
    await asAdmin(`update issuer_attempt set due_at = kontor_now() where state = 'CALLING'`);
    const [row] = await asAdmin(`
      select (select count(*) from issuer_attempt where due_at is not null)
        + (select count(*) from payment_order where unsettled > 0) as open`);
    return Number(row?.['open']) === 0;
  }, SETTLED_MS);
  const unended: unknown[] = [];
  for (const { payee, id } of made) {
    const { status, remainingCancellationAmount } = await payee.walks.orderOf(id);
    const isOpen = status === 'Initialized' || remainingCancellationAmount !== undefined;
    if (!isOpen) continue;
    const ended =
      status === 'Initialized'
        ? await payee.walks.change(id, 'Abort', { abortReason: 'TheEnd' })
        : await payee.walks.follow(id, 'cancellations', { payeeReference: newReference() });
    if (ended.status !== 200) unended.push(`${id} was ${status}, and cannot be ended: ${ended.text}`);
  }
  const ids = payees.flatMap(({ cards }) => cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`));
  const wrong = await asAdmin(`
    select a.account_id::text, a.held::integer, a.available::integer, l.spent::integer
    from account a
    cross join lateral (
      select coalesce(sum(p.amount - p.cancelled - p.reversed), 0) as spent
      from order_leg l join payment p on p.payee_id = l.payee_id and p.payment_id = l.payment_id
      where l.account_id = a.account_id and l.state = 'Authorized'
    ) l
    where a.account_id in (${ids}) and (a.held <> 0 or a.available <> ${ON_CARD} - l.spent or a.available < 0)`);
  return [...unended, ...wrong, ...(await refuteBooks(kontor))];
}

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProductOnSale } from '../../src/gift-cards/gift-cards.types.ts';
import { type Running, serve } from '../../src/wiring/serve.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type TestService, testService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  newReference,
  type OpenedAccount,
  type Paid,
  paid,
} from '../support/shop/accounts-shop.ts';
import { type CardShop, cardShop, offered } from '../support/shop/card-shop.ts';
import {
  type CardModel,
  carryOut,
  endHold,
  type Happening,
  happenings,
  heldOn,
  issued,
  pay,
  possible,
  stateOf,
  takes,
} from './card-life-model.ts';

const LARGEST = 150;
const ISSUED = [100, 50, 0] as const;

let kontor: TestService;
let other: Running;
let shops: readonly AccountsShop[];
let cards: readonly CardShop[];
let product: ProductOnSale;
beforeAll(async () => {
  kontor = await testService();
  other = await serve(kontor.config, () => undefined);
  const second: TestService = {
    ...kontor,
    send: (method, path, options) =>
      kontor.send(method, path.startsWith('http') ? path : `${other.baseUrl}${path}`, options),
  };
  shops = [accountsShop(kontor), accountsShop(second)];
  cards = [cardShop(kontor), cardShop(second)];
  product = (await cards[0]?.product({
    productId: 'small' as never,
    largestAmount: 100 as never,
    largestBalance: LARGEST as never,
  })) as ProductOnSale;
});
afterAll(async () => {
  await other.stop();
  await kontor.stop();
});

/** One run: the model, and what the service has made of it. */
interface Context {
  readonly model: CardModel;
  readonly made: { readonly card: OpenedAccount; readonly holds: Paid[] }[];
  readonly before: Sides;
}

interface Sides {
  readonly funding: number;
  readonly clearing: number;
  readonly breakage: number;
}

/** What the journal says of the payee's sides. */
async function sides(): Promise<Sides> {
  const { rows } = await kontor.database.read<Sides>(
    {
      name: 'test-sides',
      text: `
        select coalesce(sum(amount) filter (where side = 'Funding'), 0)::float8 as funding,
          coalesce(sum(amount) filter (where side = 'Clearing'), 0)::float8 as clearing,
          coalesce(sum(amount) filter (where side = 'Breakage'), 0)::float8 as breakage
        from entry`,
    },
    [],
  );
  return rows[0] as Sides;
}

/** What the journal says that is owed on these cards. */
async function owed(made: Context['made']): Promise<number> {
  const { rows } = await kontor.database.read<{ owed: number }>(
    {
      name: 'test-owed',
      text: 'select coalesce(sum(amount), 0)::float8 as owed from entry where account_id = any ($1::uuid[])',
    },
    [made.map(({ card }) => card.paymentAccountId)],
  );
  return rows[0]?.owed ?? 0;
}

async function newContext(): Promise<Context> {
  const before = await sides();
  const context: Context = { model: { cards: [], funding: 0, clearing: 0, breakage: 0 }, made: [], before };
  for (const amount of ISSUED) await issue(context, amount);
  return context;
}

async function issue({ model, made }: Context, amount: number): Promise<void> {
  issued(model, amount);
  made.push({ card: (await cards[0]?.issue(amount, product)) as OpenedAccount, holds: [] });
}

/** Counted back from the card that was made last; so those that are still alive are met more often. */
function placeOf({ length }: Context['made'], back: number): number {
  return length - 1 - (back % length);
}

async function takeStep(context: Context, step: Extract<Happening, { into: number }>): Promise<void> {
  const { model, made } = context;
  const [at, to] = [placeOf(made, step.card), placeOf(made, step.into)];
  const [card, into] = [model.cards[at], model.cards[to]];
  const [real, target] = [made[at], made[to]];
  if (!card || !into || !real || !target) throw new Error('model and service have the same cards');
  const members = {
    transactionRef: newReference(),
    ...(step.what === 'merge' && { into: target.card.paymentAccountId }),
  };
  const isTaken = step.what !== 'merge' || (at !== to && takes(into, card.available, LARGEST));
  const isPossible = possible(card).includes(step.what) && isTaken;
  const answer = await cards[step.instance]?.step(step.what, real.card, members);
  expect([step.what, answer?.status]).toEqual([step.what, isPossible ? 200 : 403]);
  if (!isPossible) return;
  carryOut(model, step.what, card, into);
  const { replacement } = answer?.body ?? {};
  if (replacement !== undefined) {
    const { accountId: paymentAccountId, accountKey } = replacement;
    made.push({ card: { paymentAccountId, accountKey, currency: 'NOK' }, holds: [] });
  }
  const again = await cards[1 - step.instance]?.step(step.what, real.card, members);
  const { giftCard } = answer?.body ?? {};
  expect(again?.body).toMatchObject({ giftCard, ...(replacement !== undefined && { replacement }) });
}

async function spend(context: Context, step: Exclude<Happening, { into: number }>): Promise<void> {
  const { model, made } = context;
  const at = placeOf(made, step.card);
  const [card, real] = [model.cards[at], made[at]];
  const shop = shops[step.instance];
  if (!card || !real || !shop) throw new Error('model and service have the same cards');
  const { what, amount } = step;
  if (what === 'issue') {
    await issue(context, amount);
    return;
  }
  if (what === 'expire') {
    card.hasExpired = true;
    await cards[0]?.expire(real.card);
    return;
  }
  if (what === 'capture' || what === 'cancel') {
    if (real.holds.length === 0) return;
    const hold = step.hold % real.holds.length;
    const [payment] = real.holds.splice(hold, 1) as [Paid];
    const members = what === 'capture' ? { amount: card.holds[hold] } : {};
    expect((await shop.follow(what, payment, members)).status).toBe(200);
    endHold(model, card, { what, hold });
    return;
  }
  const outcome = pay(model, card, { what, amount, largest: LARGEST });
  const answer = await shop.pay(what, real.card, { amount });
  expect([what, answer.status === 200 ? answer.body.state : answer.status]).toEqual([what, outcome]);
  if (what === 'authorize' && outcome === 'OK') real.holds.push(paid(real.card, answer));
}

/** Every card as the model has it, with what it offers; and the books. */
async function expectContext({ model, made, before }: Context): Promise<void> {
  const shown = await Promise.all(made.map(({ card }, place) => cards[place % 2]?.show(card)));
  for (const [place, answer] of shown.entries()) {
    const card = model.cards[place];
    if (!card || !answer) throw new Error('model and service have the same cards');
    const { state, balance, held } = answer.body.giftCard;
    expect([place, state, balance, held, offered(answer)]).toEqual([
      place,
      stateOf(card),
      card.available,
      heldOn(card),
      possible(card),
    ]);
  }
  const { funding, clearing, breakage } = await sides();
  expect([funding - before.funding, clearing - before.clearing, breakage - before.breakage]).toEqual([
    model.funding,
    model.clearing,
    model.breakage,
  ]);
  expect(await owed(made)).toBe(model.cards.reduce((sum, card) => sum + card.available + heldOn(card), 0));
}

it('goes as the model does, at two instances, each step sent once more', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (sequence) => {
      const context = await newContext();
      for (const happening of sequence) {
        if ('into' in happening) await takeStep(context, happening);
        else await spend(context, happening);
        await expectContext(context);
      }
    }),
    { numRuns: IS_LONG_RUN ? 40 : 6 },
  );
  expect(await refuteBooks(kontor)).toEqual([]);
}, 240_000);

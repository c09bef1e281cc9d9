import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { freshCard } from '../support/numbers.ts';
import { linkIn, pageAt, stateIn } from '../support/payer/pay-page.ts';
import type { TestService } from '../support/service.ts';
import { cardPaymentsShop, MASTERCARD, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';

// A stranger tries stolen numbers on the pages of one payee: from many networks, at two instances.

const ENVIRONMENT = { KONTOR_TRUSTED_PROXIES: '127.0.0.1', KONTOR_PAGES_PER_MINUTE: '0' };
/** What an attacker has on the way at once, so that what is under way passes. */
const BESIDE = 8;
/** Those that may pass: half of the limit, to the next look, and what is on its way then. */
const FEW_DOZEN = 36;

let both: TwoInstances;
let kontor: TestService;
beforeAll(async () => {
  both = await twoInstances(ENVIRONMENT);
  kontor = both.kontor;
});
afterAll(() => both.stop());

type Payee = Awaited<ReturnType<TestService['addPayee']>>;

let turn = 0;

/** A form with a card, sent from an address to a page of a payment of its own. */
async function pay(payee: Payee, sent: { number: string; address: string; amount: number; cards?: object }) {
  const { number, address, amount, cards } = sent;
  const members = { prices: [{ type: 'CreditCard', amount }] };
  const made = await cardPaymentsShop(kontor).create(members, {
    accessToken: payee.accessToken,
    ...(cards && { cards: cards as never }),
  });
  const instance = turn++ % 2 === 0 ? kontor : both.other;
  const page = pageAt(instance, linkIn(made));
  const from = { headers: { 'x-forwarded-for': address } };
  return { ...(await page.pay({ number }, from)), shown: async () => stateIn(await page.open(from)) };
}

/** The issuer declines it. */
const DECLINED = 900351;

/** Tries numbers, some at once, and answers how many were looked at before pages took no more. */
async function attack(payee: Payee, addressOf: (index: number) => string, numbers: number): Promise<number> {
  let [next, tried] = [0, 0];
  const worker = async () => {
    while (next < numbers) {
      const index = next++;
      const answer = await pay(payee, { number: freshCard('debit'), address: addressOf(index), amount: DECLINED });
      if (answer.status !== 429) tried++;
    }
  };
  await Promise.all(Array.from({ length: BESIDE }, worker));
  return tried;
}

const eventsOf = ({ payeeId }: Payee) =>
  kontor.database.asAdmin(`select type from event where payee_id = '${payeeId}' and type = 'card-payment.testing'`);

/** In a short run as many as show that no more pass. */
const STOLEN = IS_LONG_RUN ? 190 : 70;

describe(`${STOLEN} stolen numbers`, () => {
  test.each([
    ['from one /48', (index: number) => `2001:db8:7:${(index * 256).toString(16)}::1`],
    ['from as many networks', (index: number) => `203.${index}.113.7`],
  ])(
    '%s are stopped within a few dozen, which the payee is told once, and no other payee is touched',
    async (_where, addressOf) => {
      const [payee, other] = [await kontor.addPayee(), await kontor.addPayee()];
      expect(await attack(payee, addressOf, STOLEN)).toBeLessThan(FEW_DOZEN);
      expect(await eventsOf(payee)).toHaveLength(1);
      const mine = { address: '198.51.100.1', amount: 100 };
      const stopped = await pay(payee, { ...mine, number: MASTERCARD });
      expect(stopped.status).toBe(429);
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(1_700);
      expect(stopped.text).toContain('Många kort har nekats här');
      expect(stateIn(stopped)).toBe('ready');
      expect((await pay(other, { ...mine, number: MASTERCARD })).status, 'another payee').toBe(303);
      expect(await eventsOf(other)).toEqual([]);
    },
  );

  test('of one network stop that one alone: it cannot close the pages of a payee', async () => {
    const payee = await kontor.addPayee();
    expect(await attack(payee, () => '203.0.116.7', 40)).toBeLessThan(FEW_DOZEN);
    expect(await eventsOf(payee)).toEqual([]);
    const mine = { number: MASTERCARD, address: '198.51.100.3', amount: 100 };
    expect((await pay(payee, mine)).status).toBe(303);
  });

  test('are not hidden behind one good card that is typed again and again', async () => {
    const payee = await kontor.addPayee();
    // It begins as the stolen ones do: else these would be many of their kind.
    const number = freshCard('debit');
    const good = (index: number) =>
      pay(payee, { number, address: `198.${index}.7.1`, amount: 100 }).then(({ status }) => status);
    const paid = await Promise.all(Array.from({ length: 80 }, (_, index) => good(index)));
    expect(new Set(paid)).toEqual(new Set([303]));
    expect(await attack(payee, (index) => `203.${index}.115.7`, 60)).toBeLessThan(FEW_DOZEN);
  });

  test('have payers authenticate, also where the payee does not want it; and it ends by itself', async () => {
    const payee = await kontor.addPayee();
    const mine = { address: '198.51.100.2', amount: 100, cards: { no3DSecure: true } };
    expect(await (await pay(payee, { ...mine, number: VISA_WITH_3D_SECURE })).shown()).toBe('paid');
    await attack(payee, (index) => `203.${index}.114.7`, 40);
    expect(await (await pay(payee, { ...mine, number: VISA_WITH_3D_SECURE })).shown()).toBe('authentication');
    expect((await pay(payee, { ...mine, number: MASTERCARD })).status).toBe(429);
    const direct = cardPaymentsShop(kontor);
    const made = await direct.create({}, { accessToken: payee.accessToken });
    const options = { accessToken: payee.accessToken };
    expect((await direct.authorize(made.body.payment.id, { cardNumber: MASTERCARD }, options)).status, 'a call').toBe(
      200,
    );
    await kontor.database.asAdmin(`
      update attempt set window_starts_at = kontor_now() - interval '2 hours', window_ends_at = kontor_now() - interval '1 second'
      where payee_id = '${payee.payeeId}'`);
    expect((await pay(payee, { ...mine, number: MASTERCARD })).status).toBe(303);
  });

  test('are told to the operator', async () => {
    const { text } = await kontor.send('GET', '/metrics', { accessToken: null });
    const counted = Number(/kontor_card_testing_total (\d+)/.exec(text)?.[1] ?? 0);
    const begun = await kontor.database.asAdmin("select from event where type = 'card-payment.testing'");
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(begun.length);
  });
});

test('a shop of which 8 % of the cards are declined is never stopped', async () => {
  const payee = await kontor.addPayee();
  const sold = Array.from({ length: 250 }, (_, index) => (index % 12 === 5 ? DECLINED : 100));
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: BESIDE }, async () => {
      for (let amount = sold.pop(); amount !== undefined; amount = sold.pop()) {
        const address = `192.0.${sold.length}.1`;
        statuses.push((await pay(payee, { number: freshCard('debit'), address, amount })).status);
      }
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(21);
  expect(statuses.filter((status) => status === 303)).toHaveLength(229);
  expect(await eventsOf(payee)).toEqual([]);
});

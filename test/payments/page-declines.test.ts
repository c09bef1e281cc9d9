import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_DECLINES_OF_NETWORK, CARD_TRIES } from '../../src/kit/cards/card-payment-limits.ts';
import { CARD_LEAVES } from '../../src/payments/tries/tries.rules.ts';
import { attemptIn, linkIn, type PayPage, pageAt, payPage, stateIn } from '../support/payer/pay-page.ts';
import { type TestService, testService } from '../support/service.ts';
import { cardPaymentsShop, MASTERCARD, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';

/** Of a purchase: the issuer declines it. */
const DECLINED = { prices: [{ type: 'CreditCard', amount: 900351 }] };
/** The issuer never answers. */
const UNDECIDED = { prices: [{ type: 'CreditCard', amount: 900304 }] };

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService({ KONTOR_TRUSTED_PROXIES: '127.0.0.1', KONTOR_PAGES_PER_MINUTE: '0' });
});
afterAll(() => kontor.stop());

/** How a payer of an address comes here, through the proxy. */
const from = (address: string, headers = {}) => ({ headers: { 'x-forwarded-for': address, ...headers } });

/** Lets a network have so many cards declined, over as many links as that takes. */
async function decline(address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let page: PayPage | undefined; statuses.length < times; ) {
    if (page === undefined || statuses.length % (CARD_TRIES - 1) === 0) page = await payPage(kontor, DECLINED);
    statuses.push((await page.pay({}, from(address))).status);
  }
  return statuses;
}

describe('cards that are declined', () => {
  it('80 times over 40 links stop their network, and no other one, no other payee, and no call of the payee’s', async () => {
    const statuses = await decline('203.0.113.7', 80);
    expect(statuses).toEqual([...Array(CARD_DECLINES_OF_NETWORK).fill(200), ...Array(60).fill(429)]);
    const good = await payPage(kontor);
    const neighbour = await good.pay({ number: MASTERCARD }, from('203.0.113.250'));
    expect(neighbour.status, 'the next address').toBe(429);
    const seconds = Number(neighbour.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(1_700);
    expect(neighbour.text).toContain(`Vänta ${Math.ceil(seconds / 60)} min`);
    expect(stateIn(neighbour)).toBe('ready');
    const other = await kontor.addPayee();
    const created = await cardPaymentsShop(kontor).create({}, { accessToken: other.accessToken });
    const theirs = pageAt(kontor, linkIn(created));
    expect((await theirs.pay({ number: MASTERCARD }, from('203.0.113.7'))).status, 'another payee').toBe(303);
    const direct = await cardPaymentsShop(kontor).authorize(
      await cardPaymentsShop(kontor).purchase(100),
      { cardNumber: MASTERCARD },
      from('203.0.113.7'),
    );
    expect(direct.status, 'a call of the payee’s').toBe(200);
    expect((await good.pay({ number: MASTERCARD }, from('203.0.114.7'))).status, 'another network').toBe(303);
    // A payer who has paid is told so, wherever from.
    expect(stateIn(await good.open(from('203.0.113.7')))).toBe('paid');
    expect((await good.pay({ number: MASTERCARD }, from('203.0.113.7'))).status).toBe(303);
  });

  it('are told to the script, with what the payer can do, and the form is there for later', async () => {
    await decline('198.51.100.1', CARD_DECLINES_OF_NETWORK);
    const page = await payPage(kontor, { language: 'fi-FI', urls: { hostUrls: ['https://shop.example'] } });
    const answer = await page.pay({}, { below: '/frame', ...from('198.51.100.2', { accept: 'application/json' }) });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ outcome: 'Declined', title: 'Korttimaksut on keskeytetty' });
    expect(answer.body.message).toMatch(/Tätä korttia ei kokeiltu.*Odota (29|30) min/);
    expect(answer.body.attempt).toMatch(/^[0-9a-f-]{36}$/);
    expect((await page.payment()).body.payment.state).toBe('Ready');
    await kontor.database.asAdmin(`
      update attempt set window_starts_at = kontor_now() - interval '2 hours', window_ends_at = kontor_now() - interval '1 second'
      where kind = 'page-declines-network'`);
    expect((await page.pay({ number: MASTERCARD }, from('198.51.100.2'))).status).toBe(303);
  });

  it('count those of 3-D Secure that are declined or given up; approvals and cards that were not looked at count nothing', async () => {
    const counted = async () =>
      Number(
        (
          await kontor.database.asAdmin(`
          select coalesce(max(count), 0) as count from attempt
          where kind = 'page-declines-network' and window_starts_at > (select max(created_at) from card_payment)
            - interval '1 hour' and window_ends_at > kontor_now()`)
        )[0]?.['count'],
      );
    await kontor.database.asAdmin("delete from attempt where kind = 'page-declines-network'");
    const at = from('192.0.2.9');
    for (let round = 0; round < 3; round++) await (await payPage(kontor)).pay({ number: MASTERCARD }, at);
    await (await payPage(kontor, UNDECIDED)).pay({ number: MASTERCARD }, at);
    expect(await counted()).toBe(0);
    const page = await payPage(kontor);
    await page.pay({ number: VISA_WITH_3D_SECURE }, at);
    expect(await counted()).toBe(0);
    await page.pay({ number: VISA_WITH_3D_SECURE }, at);
    expect(await counted(), 'the first one was given up').toBe(1);
    await page.confirm('Declined', at);
    expect(await counted()).toBe(2);
    await page.pay({ number: VISA_WITH_3D_SECURE }, at);
    await page.confirm('Approved', at);
    expect(await counted()).toBe(2);
  });

  it('are not counted on the machine of a sandbox', async () => {
    await kontor.database.asAdmin("delete from attempt where kind = 'page-declines-network'");
    const page = await payPage(kontor, DECLINED);
    await page.pay();
    expect(await kontor.database.asAdmin("select from attempt where kind = 'page-declines-network'")).toEqual([]);
  });
});

describe('leaving the page', () => {
  const rows = async (id: string) => {
    const paymentId = id.slice(id.lastIndexOf('/') + 1);
    const [found] = await kontor.database.asAdmin(`
      select (select count(*)::int from audit where object_id = '${paymentId}') as audit,
        (select count(*)::int from reference where payment_id = '${paymentId}') as reference,
        (select count(*)::int from event where resource_id = '${paymentId}') as event`);
    return found;
  };

  it('ends the payment with the tenth time, and then writes nothing more', async () => {
    const page = await payPage(kontor, { urls: { cancelUrl: 'https://shop.example/cart' } });
    for (let time = 1; time < CARD_LEAVES; time++) {
      const left = await page.post('/cancel', { attempt: attemptIn(await page.open()) });
      expect(await page.leadsTo(left)).toBe('https://shop.example/cart');
    }
    expect((await page.payment()).body.payment.state).toBe('Ready');
    const last = await page.post('/cancel', { attempt: attemptIn(await page.open()) });
    expect(await page.leadsTo(last)).toBe(page.path);
    const over = await page.open();
    expect(stateIn(over)).toBe('aborted');
    expect(over.text).toContain('https://shop.example/cart');
    const before = await rows(page.id);
    for (let time = 0; time < 5; time++) await page.post('/cancel', { attempt: crypto.randomUUID() });
    expect(await rows(page.id)).toEqual(before);
    expect(before).toEqual({ audit: CARD_LEAVES + 1, reference: CARD_LEAVES, event: 2 });
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { insistent } from '../support/crash/insistent.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import type { TestService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// Ends of authorizations at two instances, with all that may happen to the same payments, and one instance killed among it.

let both: TwoInstances;
let alive: TestService;
beforeAll(async () => {
  both = await twoInstances();
  alive = insistent(both.kontor);
}, 300_000);
afterAll(() => both.stop());

/** Payments whose end takes a second at the acquirer, by the amount that is left. */
const SLOW = { amount: 2_000_305, captured: 1_100_000, payments: 40 };
/** Payments that are captured, given back and cancelled meanwhile. */
const BUSY = { amount: 2_000, payments: 24 };
const UNPAID = 12;
/** Longer than the lease of a row, two rounds of the job and what it does take; far less than the hour that a decline is waited for. */
const ENDED_MS = 90_000;

const uuid = (id: string) => id.slice(id.lastIndexOf('/') + 1);
const listed = (ids: readonly string[]) => ids.map((id) => `'${uuid(id)}'`).join(', ');
const asAdmin = (sql: string) => both.kontor.database.asAdmin(sql);
const count = async (from: string) => Number((await asAdmin(`select count(*) from ${from}`))[0]?.['count']);

let references = 0;
function follow(kontor: TestService, id: string, what: 'captures' | 'cancellations' | 'reversals', amount?: number) {
  references++;
  const payeeReference = `R${references}`;
  const sums = amount === undefined ? {} : { amount, vatAmount: 0 };
  return cardPaymentsShop(kontor).follow(id, what, { ...sums, description: what, payeeReference });
}

async function authorized(amount: number, captured = 0): Promise<string> {
  const shop = cardPaymentsShop(alive);
  const id = await shop.purchase(amount);
  expect((await shop.authorize(id)).status).toBe(200);
  if (captured > 0) expect((await follow(alive, id, 'captures', captured)).status).toBe(200);
  return id;
}

const several = (number: number, make: () => Promise<string>) => Promise.all(Array.from({ length: number }, make));

const makeOver = (ids: readonly string[]) =>
  asAdmin(`update card_payment set authorized_until = kontor_now() where payment_id in (${listed(ids)})`);

/** Whether ends of some of these are under way. */
const isAtWork = async (ids: readonly string[]) =>
  (await count(`row_at_work where work = 'end-card-authorizations' and is_under_way and row_id in (${listed(ids)})`)) >
  0;

/** Goes on at an instance until told to stop: each step is of another payment. What a kill cuts off has no answer. */
async function goOn(
  kontor: TestService,
  { slow, busy, unpaid }: Readonly<Record<'slow' | 'busy' | 'unpaid', readonly string[]>>,
  isOver: () => boolean,
): Promise<void> {
  for (let step = 0; !isOver(); step++) {
    const one = busy[step % busy.length] ?? '';
    await Promise.allSettled([
      follow(kontor, one, 'captures', 100),
      follow(kontor, one, 'reversals', 50),
      follow(kontor, slow[step % slow.length] ?? '', 'reversals', 10),
      ...(step % 5 === 0 ? [follow(kontor, busy[(step * 7) % busy.length] ?? '', 'cancellations')] : []),
      ...(step % 5 === 2 ? [cardPaymentsShop(kontor).abort(unpaid[(step * 3) % unpaid.length] ?? '')] : []),
    ]);
    await pause(20);
  }
}

test('an instance killed while both end authorizations, and payees change the same payments, leaves none waiting, and each event is told once', async () => {
  const slow = await several(SLOW.payments, () => authorized(SLOW.amount, SLOW.captured));
  const busy = await several(BUSY.payments, () => authorized(BUSY.amount, 200));
  const unpaid = await several(UNPAID, () => cardPaymentsShop(alive).purchase(100));
  const all = [...slow, ...busy];
  let isOver = false;
  const loads = [alive, both.other].map((kontor) => goOn(kontor, { slow, busy, unpaid }, () => isOver));
  await pause(500);
  // The first instance that comes by takes these, and is at them for seconds; so the other one takes those that come due then.
  const [first, second] = [slow.slice(0, 32), [...slow.slice(32), ...busy]];
  await makeOver(first);
  await until(() => isAtWork(first), 20_000);
  await makeOver(second);
  await asAdmin(`update card_payment set expires_at = kontor_now() where payment_id in (${listed(unpaid)})`);
  await until(async () => (await isAtWork(first)) && (await isAtWork(second)), 20_000);
  both.kill();
  const left = `card_payment where payment_id in (${listed(all)}) and captured + cancelled < amount`;
  await until(async () => (await count(left)) === 0, ENDED_MS);
  isOver = true;
  await Promise.all(loads);
  await until(async () => (await count(`card_payment where unsettled > 0`)) === 0, ENDED_MS);
  await until(
    async () => (await count(`card_payment where payment_id in (${listed(unpaid)}) and state = 'Ready'`)) === 0,
    ENDED_MS,
  );

  expect(await count(left)).toBe(0);
  const ids = listed([...all, ...unpaid]);
  expect(
    await asAdmin(`
      select resource_id, type, payload ->> 'transactionId' as of, count(*)::integer from event
      where resource_id in (${ids}) group by 1, 2, 3 having count(*) > 1`),
  ).toEqual([]);
  const numbered = `select resource_id, count(*) as events from event where resource_id in (${ids}) group by 1`;
  expect(
    await asAdmin(`
      select p.payment_id, p.event_sequence, n.events from card_payment p
      left join (${numbered}) n on n.resource_id = p.payment_id::text
      where p.payment_id in (${ids}) and p.event_sequence is distinct from n.events`),
  ).toEqual([]);
  const named = `(values ('Capture', 'captured'), ('Cancellation', 'cancelled'), ('Reversal', 'reversed'))`;
  expect(
    await asAdmin(`
      select t.type, t.state, t.transaction_id from card_transaction t
      join ${named} as told (type, name) on told.type = t.type
      where t.payment_id in (${ids}) and t.state = 'Completed' and not exists (
        select from event e where e.resource_id = t.payment_id::text and e.type = 'card-payment.' || told.name
          and e.payload ->> 'transactionId' = t.transaction_id::text)`),
  ).toEqual([]);
  expect(await refuteBooks(both.kontor)).toEqual([]);
}, 300_000);

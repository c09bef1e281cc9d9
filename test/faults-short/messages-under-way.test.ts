import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcquirerSite, acquirerSite, LINE, PATIENT_LINE } from '../support/issuer/acquirer-site.ts';
import { acquiringShop, href } from '../support/issuer/acquiring.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { testCardNumber } from '../support/numbers.ts';
import { until } from '../support/until.ts';

// Two instances are killed while an acquirer has many messages that it has booked and not answered, of each kind; and while it is away. What
// is asked afterwards is made of the database alone. The acquirer is of the strict kind: it knows nothing of a repeat whose first message
// has not come.

/** Messages of each of four kinds: 100, or 20 in a short run. */
const EACH = IS_LONG_RUN ? 25 : 5;
const PAID = 10_000;
/** Amounts by which the acquirer tells the kinds. What is cancelled after a capture of the rest has one of its own too. */
const AUTHORIZED = 701;
const CAPTURED = 702;
const CANCELLED = 703;
const REFUNDED = 704;
const UNANSWERED = [
  { type: '1100', amount: AUTHORIZED },
  { type: '1220', amount: CAPTURED },
  { type: '1420', amount: CANCELLED },
  { type: '1200', amount: REFUNDED },
];
/** Captures that are kept, sent once, and whose repeat is refused: the first of them as a duplicate. */
const DUPLICATE = 705;
const REFUSED = 706;
/** An authorization that is not answered, and whose take-back is refused as a duplicate when it is repeated. */
const TAKEN_BACK = 707;
const REPEATS_REFUSED = [
  { type: '1220', amount: DUPLICATE, does: 'RefuseRepeat', code: '913' },
  { type: '1220', amount: REFUSED, does: 'RefuseRepeat', code: '902' },
  { type: '1100', amount: TAKEN_BACK, does: 'NoAnswer' },
  { type: '1420', amount: TAKEN_BACK, does: 'RefuseRepeat', code: '913' },
];
/** Approved; the acquirer says with it that its next day has begun. */
const CUT_OVER = 900342;
const SOON_MS = 60_000;

let site: AcquirerSite;
beforeAll(async () => {
  const script = UNANSWERED.map(({ type, amount }) => ({ type, amount, does: 'NoAnswer' }));
  site = await acquirerSite({ script: [...script, ...REPEATS_REFUSED] });
  site.waitFor(PATIENT_LINE);
  await Promise.all([site.acquirers[0]?.start(), site.serve(), site.serve()]);
}, 240_000);
afterAll(() => site.remove());

const shop = acquiringShop(() => ({ ...site.where(), journal: '' }));
let cards = 0;

async function paid(amount = PAID): Promise<string> {
  // Every eighth test card is Visa's.
  const { made, tried } = await shop.authorize(amount, testCardNumber(8 * ++cards));
  expect(tried.body.authorization.transaction.state).toBe('Completed');
  return made.body.payment.id;
}
const step = async (id: string, rel: string, others: object = {}) => {
  const transaction = { description: rel, payeeReference: `${rel}-${id.slice(-12)}`, ...others };
  return shop.send(href(await shop.send(id), rel), { transaction });
};
const capture = (id: string, amount: number) => step(id, 'create-capture', { amount, vatAmount: 0 });
const many = <Result>(make: () => Promise<Result>) => Promise.all(Array.from({ length: EACH }, make));

const received = () => (site.acquirers[0]?.journal() ?? []).filter(({ event }) => event === 'received');
/** How many messages of these types and amounts came. */
const receivedOf = (kinds: readonly { readonly type: string; readonly amount: number }[]) =>
  received().filter(({ type, fields }) =>
    kinds.some((one) => one.type === type && one.amount === Number(fields['amount'])),
  ).length;
const nameOf = ({ fields }: ReturnType<typeof received>[number]) => `${fields['stan']} ${fields['sentAt']}`;

/** Repeats whose first message had not come before them. */
function repeatsOfNothing(): string[] {
  const came = new Set<string>();
  return received().flatMap((line) => {
    const isRepeat = ['1221', '1421', '1521'].includes(line.type);
    const isFirst = !came.has(nameOf(line));
    came.add(nameOf(line));
    return isRepeat && isFirst ? [`${line.type} ${nameOf(line)}`] : [];
  });
}

async function restarted(line = LINE): Promise<void> {
  await Promise.all([...site.instances].map((instance) => instance.kill()));
  site.waitFor(line);
  await Promise.all([site.serve(), site.serve()]);
}

test(`killed while ${4 * EACH} messages are under way: the books of both sides are the same, and what failed can be asked for again`, async () => {
  const toCapture = await many(() => paid());
  const toCancel = await many(() => paid(PAID + CANCELLED));
  await Promise.all(toCancel.map((id) => capture(id, PAID)));
  const toRefund = await many(() => paid());
  await Promise.all(toRefund.map((id) => capture(id, PAID)));
  const cutOff: Promise<unknown>[] = [
    ...Array.from({ length: EACH }, () => shop.authorize(AUTHORIZED, testCardNumber(8 * ++cards))),
    ...toCapture.map((id) => capture(id, CAPTURED)),
    ...toCancel.map((id) => step(id, 'create-cancellation')),
    ...toRefund.map((id) => step(id, 'create-reversal', { amount: REFUNDED, vatAmount: 0 })),
  ].map((asked) => asked.catch(() => 'cut off'));
  await until(() => receivedOf(UNANSWERED) === 4 * EACH, SOON_MS);
  await restarted();
  expect(new Set(await Promise.all(cutOff))).toEqual(new Set(['cut off']));
  await site.settled();
  expect(repeatsOfNothing()).toEqual([]);
  expect(await site.broken([])).toEqual([]);
  // A cancel counts as done; a capture and a refund were taken back, and are there again, whole.
  const rest = (ids: readonly string[], rel: string) =>
    Promise.all(
      ids.map(async (id) => (await shop.send(id)).body.operations.some((one: { rel: string }) => one.rel === rel)),
    );
  expect(new Set(await rest(toCancel, 'create-cancellation'))).toEqual(new Set([false]));
  await Promise.all(
    toCapture.map((id) => shop.follow(id, 'create-capture', { ...WHOLE, payeeReference: `again-${id.slice(-12)}` })),
  );
  await Promise.all(
    toRefund.map((id) => shop.follow(id, 'create-reversal', { ...WHOLE, payeeReference: `again-${id.slice(-12)}` })),
  );
  expect(await site.broken([])).toEqual([]);
}, 300_000);

const WHOLE = { amount: PAID, vatAmount: 0 };

test(`killed after ${EACH} cancels while the acquirer is away: it is told once, and first of all for the first time`, async () => {
  const [north] = site.acquirers;
  const toCancel = await many(() => paid());
  const before = received().length;
  north?.board.cut();
  const outcomes = await Promise.all(toCancel.map((id) => step(id, 'create-cancellation')));
  expect(new Set(outcomes.map(({ body }) => body.cancellation.transaction.state))).toEqual(new Set(['Completed']));
  await restarted();
  north?.board.join();
  await site.settled();
  const told = received()
    .slice(before)
    .filter(({ type }) => type.startsWith('142'));
  expect(new Set(told.map(nameOf)).size).toBe(EACH);
  expect(repeatsOfNothing()).toEqual([]);
  expect(await site.broken([])).toEqual([]);
}, 300_000);

test(`killed while ${4 * EACH} messages are under way whose repeats the acquirer refuses, at its cut-over: nothing is taken twice`, async () => {
  const [north] = site.acquirers;
  // A capture that no line takes is kept at once, and its answer is waited for until the kill.
  await restarted({ ...PATIENT_LINE, sendMs: LINE.sendMs });
  const [duplicate, refused] = [await many(() => paid()), await many(() => paid())];
  const stateOf = async (id: string, amount: number) => (await capture(id, amount)).body.capture?.transaction.state;
  const [captures, toTakeBack] = [REPEATS_REFUSED.slice(0, 2), REPEATS_REFUSED.slice(2, 3)];
  north?.board.cut();
  const kept = [...duplicate.map((id) => stateOf(id, DUPLICATE)), ...refused.map((id) => stateOf(id, REFUSED))];
  expect(new Set(await Promise.all(kept))).toEqual(new Set(['Initialized']));
  north?.board.join();
  await until(() => receivedOf(captures) === 2 * EACH, SOON_MS);
  const cutOff = Array.from({ length: 2 * EACH }, () => shop.authorize(TAKEN_BACK, testCardNumber(8 * ++cards))).map(
    (asked) => asked.catch(() => 'cut off'),
  );
  await until(() => receivedOf(toTakeBack) === 2 * EACH, SOON_MS);
  await paid(CUT_OVER);
  await until(async () => (await toldDays()).length === 1, SOON_MS);
  const [told] = await toldDays();
  await until(async () => (await notedAsSent()) === 2 * EACH, SOON_MS);
  await restarted();
  expect(new Set(await Promise.all(cutOff))).toEqual(new Set(['cut off']));
  await site.settled();
  expect(repeatsOfNothing()).toEqual([]);
  expect(await site.broken([])).toEqual([]);
  // A duplicate was taken. Of any other refusal nothing is known: it was taken back, and all can be captured.
  const left = await Promise.all([...duplicate, ...refused].map(leftToCapture));
  expect(left).toEqual([...duplicate.map(() => PAID - DUPLICATE), ...refused.map(() => PAID)]);
  // The day that the acquirer has begun is that of answers after the restart, at both instances.
  await many(() => paid());
  expect(await toldDays()).toEqual([told]);
  const days = await site.kontor.database.asAdmin(
    `select distinct business_day::text as day from (
      select business_day from acquirer_exchange where operation = 'Authorize' order by answered_at desc nulls last limit ${EACH}
    ) as last`,
  );
  expect(days).toEqual([told]);
}, 300_000);

const toldDays = () => site.kontor.database.asAdmin('select day::text as day from acquirer_day');
async function notedAsSent(): Promise<number> {
  const [row] = await site.kontor.database.asAdmin(`
    select count(*)::integer as sent from acquirer_exchange
    where kind = 'Ask' and operation = 'Capture' and state = 'Forwarded'`);
  return Number(row?.['sent']);
}
const leftToCapture = async (id: string): Promise<number> => (await shop.send(id)).body.payment.remainingCaptureAmount;

import { afterAll, beforeAll, expect, test } from 'vitest';
import { BEHAVIOUR_AMOUNTS } from '../../sandbox/acquirer/behaviour.rules.ts';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { hasCheckDigit } from '../../sandbox/acquirer/test-values.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { ownBooks, type Sums, sumsOf } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { sendTo } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// What breaks its line has an acquirer of its own each time, found by the card's number: others wait for answers on theirs.

const BREAKING = [900309, 900310, 900311, 900314, 900315, 900316, 900324];
/** Acquirers of one way to pay: the first is for all amounts that break nothing. */
const ACQUIRERS = 1 + BREAKING.length;
/** Milliseconds that acquirers are waited for: longer than 900305 takes. */
const ANSWER_MS = 2_000;
const NOK = { currency: 'NOK' };
/** Held before anything follows a payment: more than twice what follows. */
const HELD = 1_900_000;

interface Line {
  readonly id: string;
  readonly cardNumber: string;
  readonly host: RunningTestAcquirer;
}

let kontor: Acquiring;
let shop: CardPaymentsShop;
let client: Parameters<typeof payPage>[0];
let lines: readonly Line[];
beforeAll(async () => {
  kontor = await acquiring({
    KONTOR_TRUSTED_PROXIES: '127.0.0.1',
    KONTOR_PAGES_PER_MINUTE: '0',
    KONTOR_CARD_TESTING_NUMBERS: '0',
  });
  lines = await Promise.all(
    Array.from({ length: 2 * ACQUIRERS + 1 }, async (_, index) => ({
      id: `host${index}`,
      cardNumber: numberOf(index),
      host: await startTestAcquirer({ dialect: ISO93, port: 0, answerMs: ANSWER_MS }),
    })),
  );
  kontor.configure({
    acquirers: lines.map(({ id, host }) => simulated(host.port, { id, answerMs: ANSWER_MS, connections: 1 })),
    agreements: lines.map(({ id, cardNumber }) =>
      agreed(kontor.payeeId, { id: `at-${id}`, acquirer: id, bins: [cardNumber.slice(0, 9)] }),
    ),
  });
  const { baseUrl } = await kontor.serve();
  const own = { accessToken: kontor.accessToken, hmac: { user: '', secret: '' } };
  client = { baseUrl, send: (method, path, options) => sendTo(baseUrl, own, { method, path, ...options }) };
  shop = cardPaymentsShop(client);
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await Promise.all(lines.map(({ host }) => host.close()));
});

/** A card of the acquirer's; of an amount one of its own, since a card that is declined for good is not tried again. */
function numberOf(index: number, amount = 0): string {
  const start = `492500${String(index).padStart(3, '0')}000${String(amount % 1000).padStart(3, '0')}`;
  return Array.from({ length: 10 }, (_, digit) => start + digit).find(hasCheckDigit) ?? '';
}

function lineAt(index: number): Line {
  const line = lines[index];
  if (line === undefined) throw new Error('there is an acquirer for each amount');
  return line;
}

const nameOf = (problem: { readonly type: string } | undefined) => problem?.type.split('/').at(-1);

const DONE = 'Completed Ready';
/** It is taken back, and the payer may not try again before. */
const SILENT = 'Failed acquirergatewaytimeout Later Pending';
/** State of the authorization, its problem and what is advised, state of the payment at once. */
const OUTCOMES: readonly (readonly [amount: number, outcome: string])[] = [
  [900304, SILENT],
  [900305, DONE],
  [900306, SILENT],
  [900307, DONE],
  [900308, DONE],
  [900309, SILENT],
  [900310, SILENT],
  [900311, SILENT],
  [900312, SILENT],
  [900313, 'Failed acquirerinvalidamount NewData Ready'],
  [900314, SILENT],
  [900315, DONE],
  [900316, DONE],
  [900317, DONE],
  [900318, DONE],
  [900319, SILENT],
  [900320, 'Failed acquirerinsufficientfunds NewData Pending'],
  [900321, DONE],
  [900322, SILENT],
  [900323, SILENT],
  [900324, DONE],
  [900325, 'Failed acquirergatewayerror Later Pending'],
  [900326, DONE],
  [900327, DONE],
  [900328, DONE],
  [900329, SILENT],
  [900330, DONE],
  [900331, DONE],
  [900332, SILENT],
  [900333, SILENT],
  [900334, 'Failed acquirerpossiblefraud Never Ready'],
  [900335, SILENT],
  [900336, SILENT],
  [900337, SILENT],
  [900338, DONE],
  [900339, DONE],
  [900340, DONE],
  [900341, DONE],
  [900342, DONE],
  [900343, 'Failed acquirercardstolen Never Ready'],
  [900344, DONE],
  [900345, DONE],
  [900346, DONE],
  [900347, DONE],
  [900348, DONE],
  [900349, DONE],
  [900350, DONE],
  [900352, DONE],
  [900353, 'Failed carddeclined Later Ready'],
  [900355, DONE],
  [900351, 'Failed carddeclined Later Ready'],
  [900354, 'Failed acquirercardexpired NewData Ready'],
  [900359, 'Failed acquirerpossiblefraud Never Ready'],
  [900361, 'Failed acquirerinsufficientfunds Later Ready'],
  [900362, 'Failed carddeclined Later Ready'],
  // No agreement here has a directory server to authenticate with.
  [900365, 'Failed authenticationrequired AfterAuthentication Ready'],
  [900370, DONE],
  [900371, DONE],
  [900372, DONE],
  [900373, DONE],
  [900374, DONE],
  [900391, 'Failed acquirergatewayerror Later Ready'],
];

async function outcomeOf(id: string): Promise<string> {
  const { authorizationList } = (await client.send('GET', `${id}/authorizations`)).body.authorizations;
  const [{ transaction }] = authorizationList;
  const { state } = (await shop.get(id)).body.payment;
  return [transaction.state, nameOf(transaction.problem), transaction.problem?.retry, state].filter(Boolean).join(' ');
}

/** What an act on each amount of the table comes to, all at once. */
const tried = (act: (amount: number) => Promise<readonly unknown[]>) =>
  Promise.all(OUTCOMES.map(async ([amount]) => [amount, ...(await act(amount))]));

test('the table has every amount of the test acquirer', () => {
  expect(OUTCOMES.map(([amount]) => amount)).toEqual(BEHAVIOUR_AMOUNTS.toSorted());
});

test('an authorization by the API', async () => {
  const found = await tried(async (amount) => {
    const id = await shop.purchase(amount, NOK);
    const cardNumber = numberOf(1 + BREAKING.indexOf(amount), amount);
    const { status } = await shop.authorize(id, { cardNumber });
    return [await outcomeOf(id), status];
  });
  expect(found).toEqual(OUTCOMES.map((expected) => [...expected, 200]));
});

test('one on the page, which asks again where nothing was taken and goes on elsewhere', async () => {
  const found = await tried(async (amount) => {
    const page = await payPage(client, { ...NOK, prices: [{ type: 'CreditCard', amount }] });
    const number = numberOf(ACQUIRERS + 1 + BREAKING.indexOf(amount), amount);
    // Declines are counted by network: each payer has one of their own.
    const headers = { 'x-forwarded-for': `203.0.${amount % 100}.1` };
    const { status } = await page.pay({ number }, { headers });
    return [await outcomeOf(page.id), status];
  });
  const asksAgain = (outcome: string) => outcome.startsWith('Failed') && outcome.endsWith('Ready');
  expect(found).toEqual(OUTCOMES.map(([amount, outcome]) => [amount, outcome, asksAgain(outcome) ? 200 : 303]));
});

/** What the table says of follow-ups too: of refunds what it says of authorizations, an advice is not for trying again. */
const FOLLOWING: readonly (readonly [amount: number, problem: string, refund: string])[] = [
  [900313, 'acquirerinvalidamount', 'NewData'],
  [900334, 'acquirerpossiblefraud', 'Never'],
  [900343, 'acquirercardstolen', 'Never'],
  [900351, 'carddeclined', 'Later'],
  [900354, 'acquirercardexpired', 'NewData'],
  [900359, 'acquirerpossiblefraud', 'Never'],
  [900361, 'acquirerinsufficientfunds', 'Later'],
  [900362, 'carddeclined', 'Later'],
  [900391, 'acquirergatewayerror', 'Later'],
];
const UNANSWERED = [900304, 900306];
const SLOW = 900305;
const FOLLOWED = [...FOLLOWING.map(([amount]) => amount), ...UNANSWERED, SLOW];

type FollowUp = 'captures' | 'cancellations' | 'reversals';

async function followUp(what: FollowUp, amount: number): Promise<string> {
  const id = await shop.purchase(HELD, NOK);
  await shop.authorize(id, { cardNumber: lineAt(2 * ACQUIRERS).cardNumber });
  let steps = 0;
  const step = (kind: FollowUp, sent?: number) =>
    shop.follow(id, kind, {
      ...(sent === undefined ? {} : { amount: sent, vatAmount: 0 }),
      description: kind,
      payeeReference: `${kind}${amount}${what}${steps++}`,
    });
  if (what === 'cancellations') await step('captures', HELD - amount);
  if (what === 'reversals') await step('captures', HELD);
  const { status } = await step(what, what === 'cancellations' ? undefined : amount);
  const { body } = await client.send('GET', `${id}/${what}`);
  const { transaction } = body[what][`${what.slice(0, -1)}List`].at(-1);
  const { problem } = transaction;
  return [status, transaction.state, nameOf(problem), problem?.retry].filter(Boolean).join(' ');
}

test.each([
  ['captures', () => 'Never', '200 Failed acquirergatewaytimeout Later'],
  // Released here at once, and told to the acquirer until it acknowledges.
  ['cancellations', () => 'Never', '200 Completed'],
  ['reversals', (refund: string) => refund, '200 Failed acquirergatewaytimeout Later'],
] as const)('codes and silence for %s', async (what, retryOf, unanswered) => {
  const found = await Promise.all(FOLLOWED.map(async (amount) => [amount, await followUp(what, amount)]));
  expect(found).toEqual([
    ...FOLLOWING.map(([amount, problem, refund]) => [amount, `200 Failed ${problem} ${retryOf(refund)}`]),
    ...UNANSWERED.map((amount) => [amount, unanswered]),
    [SLOW, '200 Completed'],
  ]);
});

function acquirersBooks(): Sums {
  const payments = lines.flatMap(({ host }) => host.acquirer.books.bookings().map(({ payment }) => payment));
  return sumsOf(payments.map(({ attemptId, held, captured, refunded }) => [attemptId, [held, captured, refunded]]));
}

test('afterwards the books of both sides are the same: each hold is one of ours, or was taken back', async () => {
  const open = () =>
    kontor.database.asAdmin(`
      select e.amount::float from issuer_attempt a join acquirer_exchange e using (payee_id, attempt_id)
      where e.kind = 'Ask' and a.state not in ('SETTLED', 'REVERSED')`);
  // Its acquirer says twice, a minute apart, that it knows nothing: that is not waited for here.
  await until(async () => (await open()).every(({ amount }) => amount === 900322));
  const theirs = acquirersBooks();
  expect(await ownBooks(kontor.database)).toEqual(theirs);
  const done = OUTCOMES.filter(([, outcome]) => outcome === DONE);
  expect(Object.keys(theirs)).toHaveLength(2 * done.length + 3 * FOLLOWED.length);
});

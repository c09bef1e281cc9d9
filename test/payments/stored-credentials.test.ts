import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedIssuer, schemeId, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  type Members,
  VISA,
} from '../support/shop/card-payments-shop.ts';

let base: TestService;
let kontor: TestService;
let shop: CardPaymentsShop;
let issuer: ScriptedIssuer;
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base);
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

/** A test card that no other test here has blocked. */
const OTHER_VISA = '4581097032723517';

/** Others, each of one test. */
const STOLEN = freshCard('debit');
const WAITING = freshCard('debit');
const TRIED = freshCard('debit');
const TRIED_MASTERCARD = freshCard('credit');

const NEVER = {
  outcome: 'Declined',
  problem: 'carddeclined',
  responseCode: '204',
  retry: { advice: 'Never' },
} as const;
const LATER = { ...NEVER, responseCode: '116', retry: { advice: 'Later' } } as const;

/** A payment by the payer that stores the card; the token that it made. */
const store = async (payerReference: string, cardNumber = VISA): Promise<string> => {
  const id = await shop.purchase(100, { payerReference, generateRecurrenceToken: true });
  const { body } = await shop.authorize(id, { cardNumber });
  expect(body.authorization.transaction.state).toBe('Completed');
  return body.authorization.recurrenceToken;
};
const recur = (recurrenceToken: string, members: Members = {}) =>
  shop.create({ operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined, ...members });
const recurred = async (recurrenceToken: string) => {
  const { body } = await recur(recurrenceToken);
  const { body: list } = await kontor.send('GET', `${body.payment.id}/authorizations`);
  return list.authorizations.authorizationList[0].transaction;
};
/** What all cards wait for is over. */
const over = (column: 'blocked_until' | 'retry_at') =>
  kontor.database.asAdmin(`update blocked_card set ${column} = kontor_now()`);
const asked = () => issuer.questions.at(-1);
const storedFor = (token: string) =>
  kontor.database.asAdmin(
    `select scheme_transaction_id as id, acquirer from stored_credential where token = '${token}'`,
  );

describe('a payment by the merchant names the one that stored the card', () => {
  it('by what the scheme called that, with every payment', async () => {
    const token = await store('anna');
    expect(asked()).toMatchObject({
      initiator: { by: 'Customer', channel: 'Api', credential: { use: 'Recurring', step: 'First' } },
    });
    const stored = schemeId(issuer.questions.length);
    expect(await storedFor(token)).toEqual([{ id: stored, acquirer: 'sandbox' }]);
    for (const _ of [1, 2]) {
      await recur(token);
      expect(asked()).toMatchObject({
        schemeTransactionId: stored,
        initiator: { by: 'Merchant', channel: 'Api', credential: { use: 'Recurring', step: 'Subsequent' } },
      });
    }
  });

  it('also where its own approval makes another token of the card', async () => {
    const token = await store('berit');
    const stored = schemeId(issuer.questions.length);
    const { body } = await recur(token, { generateUnscheduledToken: true, payerReference: 'berit' });
    const { body: paid } = await kontor.send('GET', `${body.payment.id}/paid`);
    expect(await storedFor(paid.paid.tokens[0].token)).toEqual([{ id: stored, acquirer: 'sandbox' }]);
  });

  it('by what a line of an import says', async () => {
    const token = '01d00000-0000-4000-8000-00000000000a';
    const line = { payerReference: 'carl', tokenType: 'Recurrence', instrument: 'CreditCard', pan: MASTERCARD, token };
    const whole = { ...line, expiryDate: '12/2039', schemeTransactionId: 'MCC123456789' };
    expect(await kontor.importLines([whole])).toEqual(['imported']);
    expect(await kontor.importLines([whole])).toEqual(['unchanged']);
    expect(await storedFor(token)).toEqual([{ id: 'MCC123456789', acquirer: null }]);
    await recur(token);
    expect(asked()).toMatchObject({ schemeTransactionId: 'MCC123456789' });
  });

  it('with the blanks that the scheme has in it', async () => {
    const schemeTransactionId = ' MCC123456  0714  ';
    issuer.answerNext({
      outcome: 'Approved',
      responseCode: '000',
      references: { retrievalReference: '600100000001', schemeTransactionId },
    });
    const token = await store('bodil');
    expect(await storedFor(token)).toEqual([{ id: schemeTransactionId, acquirer: 'sandbox' }]);
    await recur(token);
    expect(asked()).toMatchObject({ schemeTransactionId });
  });

  it('with its blanks also from a line of an import, where it is not blanks alone', async () => {
    const token = '01d00000-0000-4000-8000-00000000000b';
    const line = { payerReference: 'cato', tokenType: 'Recurrence', instrument: 'CreditCard', pan: MASTERCARD, token };
    const named = (schemeTransactionId: string) => ({ ...line, expiryDate: '12/2039', schemeTransactionId });
    expect(await kontor.importLines([named('MCC1  0714 ')])).toEqual(['imported']);
    expect(await storedFor(token)).toEqual([{ id: 'MCC1  0714 ', acquirer: null }]);
    await expect(kontor.importLines([named('   ')])).rejects.toThrow('not blanks alone');
  });

  it('over the wire to an acquirer that knows it with its blanks alone', async () => {
    const real = cardPaymentsShop(base);
    const id = await real.purchase(900_347, { payerReference: 'berta', generateRecurrenceToken: true });
    const { recurrenceToken } = (await real.authorize(id)).body.authorization;
    const members = { operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined };
    const { body } = await real.create(members);
    const { body: list } = await base.send('GET', `${body.payment.id}/authorizations`);
    expect(list.authorizations.authorizationList[0].transaction).toMatchObject({ state: 'Completed' });
  });

  it.each([
    [{ generateRecurrenceToken: true }, 'Missing'],
    [{ generateUnscheduledToken: true }, 'Missing'],
    [{ generatePaymentToken: true }, undefined],
    [{}, undefined],
  ])('or the first payment says that it cannot: %j', async (members, schemeReference) => {
    const real = cardPaymentsShop(base);
    const id = await real.purchase(900_346, { payerReference: 'britt', ...members });
    const { authorization } = (await real.authorize(id)).body;
    expect(authorization.transaction.state).toBe('Completed');
    expect(authorization.schemeReference).toBe(schemeReference);
  });

  it('not where it is not known, and not once the token is deleted', async () => {
    issuer.answerNext({
      outcome: 'Approved',
      responseCode: '000',
      references: { retrievalReference: '600100000001', schemeTransactionId: 'not visible\u0007' },
    });
    const unnamed = await store('dina');
    expect(await storedFor(unnamed)).toEqual([]);
    await recur(unnamed);
    expect(asked()).toMatchObject({ schemeTransactionId: undefined });
    const token = await store('dora');
    await kontor.send('PATCH', `/psp/paymentorders/recurrenceTokens/${token}`, {
      body: { state: 'Deleted', comment: 'closed her account' },
    });
    expect(await storedFor(token)).toEqual([]);
  });
});

describe('a card that is never to be tried again', () => {
  it('is not charged by its payee for 30 days, and its payer can pay', async () => {
    const token = await store('erik', MASTERCARD);
    issuer.answerNext(NEVER);
    expect(await recurred(token)).toMatchObject({ state: 'Failed', problem: { acquirerCode: '204', retry: 'Never' } });
    const before = issuer.questions.length;
    const refused = await recurred(token);
    expect(refused).toMatchObject({ state: 'Failed', problem: { status: 403 } });
    expect(refused.problem.type).toMatch(/carddeclined$/);
    expect(refused.problem).not.toHaveProperty('acquirerCode');
    expect(issuer.questions).toHaveLength(before);
    const id = await shop.purchase(100);
    const { body } = await shop.authorize(id, { cardNumber: MASTERCARD });
    expect(body.authorization.transaction.state).toBe('Completed');
    const [block] = await kontor.database.asAdmin(
      `select round(extract(epoch from blocked_until - kontor_now()) / 86400)::integer as days from blocked_card`,
    );
    expect(block).toEqual({ days: 30 });
    await over('blocked_until');
    expect(await recurred(token)).toMatchObject({ state: 'Completed' });
  });

  it('is one after such a decline alone, also of a payment by the payer', async () => {
    const token = await store('frida', OTHER_VISA);
    issuer.answerNext(LATER);
    expect(await recurred(token)).toMatchObject({ state: 'Failed', problem: { retry: 'Later' } });
    expect(await recurred(token)).toMatchObject({ state: 'Completed' });
    issuer.answerNext(NEVER);
    const { body } = await shop.authorize(await shop.purchase(100), { cardNumber: OTHER_VISA });
    expect(body.authorization.transaction.problem).toMatchObject({ retry: 'Never' });
    const before = issuer.questions.length;
    expect((await recurred(token)).problem.type).toMatch(/carddeclined$/);
    expect(issuer.questions).toHaveLength(before);
    await over('blocked_until');
    expect(await recurred(token)).toMatchObject({ state: 'Completed' });
  });

  it('is not tried by its payer either, but in the sandbox', async () => {
    const real = await scriptedIssuer(base, { mode: 'production' });
    const at = cardPaymentsShop(real.kontor);
    real.answerNext(NEVER);
    const tried = async () => {
      const id = await at.purchase(100);
      const { body } = await at.authorize(id, { cardNumber: STOLEN });
      return [body.authorization.transaction.state, real.questions.length];
    };
    expect(await tried()).toEqual(['Failed', 1]);
    expect(await tried()).toEqual(['Failed', 1]);
    await over('blocked_until');
    expect(await tried()).toEqual(['Completed', 2]);
    await real.stop();
  });
});

describe('a card that its issuer has declined', () => {
  const declines = (times: number, ofWhen = '0 minutes') =>
    `array_fill(kontor_now() - interval '${ofWhen}', array[${times}])`;
  const set = (values: string) => kontor.database.asAdmin(`update blocked_card set ${values}`);
  const refused = async (token: string) => {
    const before = issuer.questions.length;
    const { state, problem } = await recurred(token);
    if (state === 'Failed') expect(problem.type).toMatch(/velocitycheck$/);
    return state === 'Failed' && issuer.questions.length === before;
  };

  it('is charged by its payee no sooner than the issuer has said, and by its payer at any time', async () => {
    const token = await store('gerd', WAITING);
    issuer.answerNext({ ...LATER, retry: { advice: 'Later', afterHours: 24 } });
    expect(await recurred(token)).toMatchObject({ problem: { retry: 'Later', retryAfterHours: 24 } });
    expect(await Promise.all([refused(token), refused(token), refused(token)])).toEqual([true, true, true]);
    const [waiting] = await kontor.database.asAdmin(
      `select round(extract(epoch from max(retry_at) - kontor_now()) / 3600)::integer as hours from blocked_card`,
    );
    expect(waiting).toEqual({ hours: 24 });
    // Another decline, which says nothing of when, ends no wait; an approval does.
    issuer.answerNext(LATER);
    const pay = async () => (await shop.authorize(await shop.purchase(100), { cardNumber: WAITING })).body;
    expect((await pay()).authorization.transaction.state).toBe('Failed');
    expect(await refused(token)).toBe(true);
    expect((await pay()).authorization.transaction.state).toBe('Completed');
    expect(await recurred(token)).toMatchObject({ state: 'Completed' });
  });

  it('waits until the time is over', async () => {
    const token = await store('gina', WAITING);
    issuer.answerNext({ ...LATER, retry: { advice: 'Later', afterHours: 1 } });
    await recurred(token);
    expect(await refused(token)).toBe(true);
    await over('retry_at');
    expect(await recurred(token)).toMatchObject({ state: 'Completed' });
  });

  it.each([
    ['Visa', TRIED, declines(14), false],
    ['Visa', TRIED, declines(15), true],
    ['Visa', TRIED, declines(15, '31 days'), false],
    ['Mastercard', TRIED_MASTERCARD, declines(9), false],
    ['Mastercard', TRIED_MASTERCARD, declines(10), true],
    ['Mastercard', TRIED_MASTERCARD, declines(34, '25 hours'), false],
    ['Mastercard', TRIED_MASTERCARD, declines(35, '25 hours'), true],
  ])(
    'of %s is charged by its payee as often as the scheme allows: %s %s',
    async (_brand, ...[number, before, isOver]) => {
      const token = await store('hans', number);
      issuer.answerNext(LATER);
      expect(await recurred(token)).toMatchObject({ state: 'Failed' });
      await set(`declined_at = ${before}`);
      expect(await refused(token)).toBe(isOver);
      await set('declined_at = null');
    },
  );

  it('counts each decline once, and none that an acquirer is the cause of', async () => {
    const token = await store('ida', TRIED);
    const counted = async () =>
      (await kontor.database.asAdmin('select max(cardinality(declined_at)) as times from blocked_card'))[0]?.['times'];
    issuer.answerNext(LATER, { ...LATER, outcome: 'AuthenticationRequired' } as never, {
      ...LATER,
      problem: 'acquirererror',
    });
    for (const times of [1, 2, 2]) {
      await recurred(token);
      expect(await counted()).toBe(times);
    }
    await recurred(token);
    expect(await counted()).toBeNull();
  });
});

describe('the date on a stored card that is past', () => {
  it.each(['Recur', 'UnscheduledPurchase'])('does not keep a %s from its acquirer, who decides', async (operation) => {
    const isRecur = operation === 'Recur';
    const token = isRecur ? '01d00000-0000-4000-8000-00000000001a' : '01d00000-0000-4000-8000-00000000001b';
    const tokenType = isRecur ? 'Recurrence' : 'Unscheduled';
    const line = { payerReference: 'past', tokenType, instrument: 'CreditCard', pan: OTHER_VISA, token };
    expect(await kontor.importLines([{ ...line, expiryDate: '01/2020' }])).toEqual(['imported']);
    const pays = isRecur ? { recurrenceToken: token } : { unscheduledToken: token };
    const before = issuer.questions.length;
    const answer = () => shop.create({ operation, amount: 250, vatAmount: 0, prices: undefined, ...pays });
    const transactionOf = async ({ body }: Awaited<ReturnType<typeof answer>>) =>
      (await kontor.send('GET', `${body.payment.id}/authorizations`)).body.authorizations.authorizationList[0]
        .transaction;
    expect((await transactionOf(await answer())).state).toBe('Completed');
    expect(issuer.questions.length).toBe(before + 1);
    issuer.answerNext({
      outcome: 'Declined',
      problem: 'acquirercardexpired',
      responseCode: '101',
      retry: { advice: 'NewData' },
    });
    const declined = await transactionOf(await answer());
    expect([declined.state, declined.problem.type]).toEqual(['Failed', expect.stringMatching(/acquirercardexpired$/)]);
  });

  it('keeps the payer from paying with it, before an issuer is asked', async () => {
    const before = issuer.questions.length;
    const id = await shop.purchase(100, {});
    const { body } = await shop.authorize(id, { cardNumber: OTHER_VISA, cardExpiryYear: '2020' });
    expect(body.authorization.transaction.problem.type).toMatch(/acquirercardexpired$/);
    expect(issuer.questions.length).toBe(before);
  });
});

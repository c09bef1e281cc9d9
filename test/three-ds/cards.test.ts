import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerBank, atBank, formIn, testCard, type Verdict } from '../support/issuer/three-ds.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { attemptIn, type PayPage, payPage, stateIn, TYPED } from '../support/payer/pay-page.ts';
import { CARDS, DECLINED, type Ends, expectAuthentication } from '../support/payer/three-ds-cards.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { PAYMENTS } from '../support/shop/card-payments-shop.ts';

// Each card of the test directory server, on the page as its script drives it, and without a script.

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const JSON_PLEASE = { accept: 'application/json' };
const SCREEN = { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60' };

/** The script of the page, by hand. */
async function payWithScript(page: PayPage, number: string, verdict: Verdict = 'Approved'): Promise<void> {
  const headers = JSON_PLEASE;
  const started = await page.pay({ number }, { headers });
  if (started.body.outcome !== 'Authenticate') return;
  const below = (address: string) => address.slice(page.path.length);
  const method = started.body.method === undefined ? 'U' : await methodOf(page, below(started.body.method));
  const asked = await page.post('/authenticate', { ...SCREEN, method, cvc: '123' }, { headers });
  if (asked.body.outcome !== 'Challenge') return;
  const leading = await page.open({ below: below(asked.body.url), query: '?size=03' });
  const back = await answerOf(formIn(leading.text, 'lead'), number, verdict);
  const returned = await atNotification(back);
  expect(stateIn(returned)).toBe('returned');
  await page.post('/finish', { cvc: '123' }, { headers });
}

/** Code 12 waits by itself; all others are answered. */
async function answerOf(lead: ReturnType<typeof formIn>, number: string, verdict: Verdict) {
  if (number !== testCard('12')) return answerBank(lead, verdict);
  const waiting = formIn(await atBank(lead), 'forward');
  await new Promise((resolve) => setTimeout(resolve, 5_300));
  return waiting;
}

function atNotification({ action, fields }: ReturnType<typeof formIn>): Promise<Answer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'cross-site',
    origin: 'null',
  };
  return kontor.send('POST', action, { accessToken: null, headers, body: new URLSearchParams(fields).toString() });
}

/** Goes to the method page; the one that is silent never leads back. */
async function methodOf(page: PayPage, below: string): Promise<'Y' | 'N'> {
  const leading = await page.open({ below });
  const shown = await atBank(formIn(leading.text, 'lead'));
  if (!shown.includes('id="forward"')) return 'N';
  expect(stateIn(await atNotification(formIn(shown, 'forward')))).toBe('returned');
  return 'Y';
}

async function payWithoutScript(page: PayPage, number: string): Promise<void> {
  const answer = await page.pay({ number });
  if (!answer.headers.get('location')?.endsWith('/challenge')) return;
  const leading = await page.open({ below: '/challenge' });
  const back = await answerOf(formIn(leading.text, 'lead'), number, 'Approved');
  const returned = await atNotification(back);
  expect(returned.status).toBe(303);
}

async function expectEnd(page: PayPage, ends: Ends): Promise<void> {
  expect(stateIn(await page.open())).toBe(ends[0]);
  await expectAuthentication(kontor, page.id, ends);
}

/** Cards that something is silent for, for seconds. */
const SILENT = ['08', '11', '12'];
/** The bank of code 12 waits for five seconds. */
const WAITING = CARDS.filter(({ code }) => SILENT.includes(code) && (IS_LONG_RUN || code !== '12'));

describe.each(CARDS.filter(({ code }) => !SILENT.includes(code)))('the card with $code', ({ code, number, ends }) => {
  test('with a script', () => paysWithScript(number, ends));
  test.runIf(IS_LONG_RUN || Number(code) % 3 === 0)('without a script', () => paysWithoutScript(number, ends));
});

// Beside each other: they wait.
describe.concurrent.each(WAITING)('the card with $code', ({ number, ends }) => {
  test('with a script', () => paysWithScript(number, ends));
  test('without a script', () => paysWithoutScript(number, ends));
});

test.concurrent('a forged return from the bank pays nothing', async () => {
  const page = await payPage(kontor, { language: 'en-US' });
  await page.pay({ number: testCard('07') });
  const { fields } = formIn((await page.open({ below: '/challenge' })).text, 'lead');
  const cres = Buffer.from(JSON.stringify({ messageType: 'CRes', transStatus: 'Y' })).toString('base64url');
  const back = { cres, threeDSSessionData: fields['threeDSSessionData'] ?? '' };
  const answer = await atNotification({ action: `${kontor.baseUrl}/3ds/challenge`, fields: back });
  expect(answer.status).toBe(303);
  await expectEnd(page, DECLINED);
});

async function paysWithScript(number: string, ends: Ends): Promise<void> {
  const page = await payPage(kontor, { language: 'en-US' });
  await payWithScript(page, number);
  await expectEnd(page, ends);
}

async function paysWithoutScript(number: string, ends: Ends): Promise<void> {
  const page = await payPage(kontor, { language: 'en-US' });
  await payWithoutScript(page, number);
  await expectEnd(page, ends);
}

test('Mastercard has indicators of its own', async () => {
  const page = await payPage(kontor);
  await payWithScript(page, testCard('01', '522661'));
  const { body } = await kontor.send('GET', `${page.id}/authorizations`);
  expect(body.authorizations.authorizationList[0]).toMatchObject({ eci: '02', liabilityShift: 'Issuer' });
});

describe('on the way', () => {
  test('what the issuer wants its holder to read is shown as text', async () => {
    const page = await payPage(kontor, { language: 'en-US' });
    await payWithScript(page, testCard('04'));
    expect((await page.open()).text).toContain('Call the test bank on 815 00 000');
  });

  test('a payer who declines or gives up at the bank is not charged, and may try again', async () => {
    const declined = await payPage(kontor, { language: 'en-US' });
    await payWithScript(declined, testCard('07'), 'Declined');
    await expectEnd(declined, DECLINED);
    const cancelled = await payPage(kontor, { language: 'en-US' });
    await payWithScript(cancelled, testCard('07'), 'Cancelled');
    await expectEnd(cancelled, ['declined', 'N', undefined, '3dsecureusercancelled']);
    await payWithScript(cancelled, testCard('07'), 'Approved');
    expect(stateIn(await cancelled.open())).toBe('paid');
  });

  test('a challenge that the payer closes is given up, whatever the bank says afterwards', async () => {
    const page = await payPage(kontor, { language: 'en-US' });
    await page.pay({ number: testCard('07') }, { headers: JSON_PLEASE });
    await page.post('/authenticate', { ...SCREEN, method: 'U', cvc: '123' }, { headers: JSON_PLEASE });
    const leading = await page.open({ below: '/challenge', query: '?size=05' });
    const lead = formIn(leading.text, 'lead');
    await page.post('/finish', { closed: 'yes' }, { headers: JSON_PLEASE });
    await answerBank(lead, 'Approved');
    await expectEnd(page, ['declined', 'N', undefined, '3dsecureusercancelled']);
  });

  test('the question is asked once, and the issuer once, however often the steps are sent', async () => {
    const page = await payPage(kontor);
    await page.pay({ number: testCard('01') }, { headers: JSON_PLEASE });
    const step = { ...SCREEN, method: 'Y', cvc: '123' };
    await Promise.all([1, 2, 3].map(() => page.post('/authenticate', step, { headers: JSON_PLEASE })));
    await Promise.all([1, 2, 3].map(() => page.post('/finish', { cvc: '123' }, { headers: JSON_PLEASE })));
    const { body } = await kontor.send('GET', `${page.id}/authorizations`);
    expect(body.authorizations.authorizationList).toHaveLength(1);
    expect(stateIn(await page.open())).toBe('paid');
  });

  test('a page that was loaded again goes on where it was', async () => {
    const page = await payPage(kontor);
    await page.pay({ number: testCard('07') }, { headers: JSON_PLEASE });
    expect(stateIn(await page.open())).toBe('authentication');
    const again = await page.post('/authenticate', {}, { headers: JSON_PLEASE });
    expect(again.body).toMatchObject({ outcome: 'Authenticate' });
    const answer = await page.post('/authenticate', {});
    expect(answer.headers.get('location')).toBe(`${page.path}/challenge`);
    await page.confirm('Approved');
    expect(stateIn(await page.open())).toBe('paid');
  });

  test.each(['', '/pay/x', '/pay/../admin', 'https://evil.example/', '//evil.example'])(
    'a return with %j for its way leads nowhere',
    async (way) => {
      const threeDSSessionData = Buffer.from(way).toString('base64url');
      const answer = await atNotification({
        action: `${kontor.baseUrl}/3ds/challenge`,
        fields: { threeDSSessionData },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('location')).toBeNull();
      expect(stateIn(answer)).toBe('returned');
    },
  );

  test('nothing secret of it is stored', async () => {
    const tables = await kontor.database.asAdmin(
      `select (select string_agg(a::text, '') from authentication a) as authentications,
        (select string_agg(t::text, '') from card_transaction t) as transactions`,
    );
    const dump = JSON.stringify(tables);
    for (const code of ['01', '07', '17']) expect(dump).not.toContain(testCard(code));
    const kept = await kontor.database.asAdmin(
      'select count(*)::int as count from authentication where value_sealed is not null',
    );
    expect(kept).toEqual([{ count: 0 }]);
  });
});

test('a payment by the API leads its payer to the page for it', async () => {
  const made = await kontor.send('POST', PAYMENTS, {
    body: {
      payment: {
        operation: 'Purchase',
        intent: 'Authorization',
        currency: 'NOK',
        prices: [{ type: 'CreditCard', amount: 1500, vatAmount: 0 }],
        description: 'x',
        userAgent: 'x',
        language: 'nb-NO',
      },
    },
  });
  const page = await payPage(kontor);
  expect(made.status).toBe(200);
  const { body } = await kontor.send('POST', `${page.id}/authorizations`, {
    body: {
      transaction: {
        cardNumber: testCard('07'),
        cardExpiryMonth: '12',
        cardExpiryYear: '2039',
        cardVerificationCode: '123',
      },
    },
  });
  expect(body.authorization.transaction).toMatchObject({ state: 'AwaitingActivity' });
  const answer = await page.open({ below: '/challenge' });
  expect(answer.headers.get('location')).toBe(page.path);
  const attempt = attemptIn(await page.open());
  expect(attempt).not.toBe(TYPED['name']);
  await page.post('/authenticate', {});
  await page.confirm('Approved');
  expect(stateIn(await page.open())).toBe('paid');
});

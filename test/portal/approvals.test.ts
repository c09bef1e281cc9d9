import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/kit/portal-user.ts';
import { forgetGivings } from '../../src/portal/approvals/weigh-giving.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

const NEW_CARD = '/api/payments/gift-card/get-new-gift-card';
let kontor: TestService;
let here: string;
/** Two people of each role that gives money away, and one who does not. */
const people = new Map<string, Browser>();
beforeAll(async () => {
  kontor = await testService();
  here = `/portal/api/payees/${kontor.payeeId}`;
  const named: readonly (readonly [string, Role])[] = [
    ['anna', 'finance'],
    ['bo', 'finance'],
    ['siv', 'support'],
    ['ivar', 'integrator'],
  ];
  for (const [name, role] of named) people.set(name, await signedInAs(kontor, role));
});
afterAll(() => kontor.stop());
// 50 and 100 crowns; what was given before counts no more.
beforeEach(async () => {
  await kontor.database.asAdmin(`delete from giving; delete from giving_limit;
    insert into giving_limit values ('${kontor.payeeId}', '*', 50, 100)`);
  await forgetPasswords();
});

const person = (name: string) => people.get(name) as Browser;
const forgetPasswords = () =>
  kontor.database.asAdmin(`update portal_session set authenticated_at = authenticated_at - interval '6 minutes'`);
const givePassword = async (name: string) => {
  const password = 'plenty of fish in the fjord';
  expect((await person(name).post('/portal/api/session/reauthenticate', { password })).status).toBe(200);
};
const credentialsOf = async (name: string) => (await person(name).post(`${here}/session-credentials`)).body;

/** A request to the API as this person's page sends it. */
async function asked(name: string, path: string, body: object, key?: string) {
  const { accessToken, hmac } = await credentialsOf(name);
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } };
  return kontor.send('POST', path, { accessToken, hmac, body, ...headers });
}
const newCard = (name: string, amount: number, key: string = crypto.randomUUID()) =>
  asked(name, NEW_CARD, { amount }, key);
const cards = async () => Number((await kontor.database.asAdmin('select count(*) as n from gift_card'))[0]?.['n']);
const decide = (name: string, changeId: string, what: 'approve' | 'refuse' | 'collect') =>
  person(name).post(`${here}/pending-changes/${changeId}/${what}`);
/** A new gift card of 200 crowns that waits for a second person. */
async function waiting(name = 'anna', key: string = crypto.randomUUID()): Promise<string> {
  await givePassword(name);
  const answer = await newCard(name, 20_000, key);
  expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
  return answer.body.approval.changeId;
}
const nameOf = ({ body }: { body: { problems?: readonly { name: string }[] } }) => body.problems?.[0]?.name;

describe('what a person gives away by a page', () => {
  test('needs no password up to the first limit, and one above it', async () => {
    expect((await newCard('anna', 5_000)).status).toBe(200);
    const above = await newCard('anna', 1);
    expect([above.status, nameOf(above)]).toEqual([403, 'reauthentication']);
    await givePassword('anna');
    expect((await newCard('anna', 5_000)).status).toBe(200);
  });

  test('is added up over a day, so many small amounts are one large one', async () => {
    await givePassword('anna');
    for (let times = 0; times < 4; times++) expect((await newCard('anna', 2_500)).status).toBe(200);
    expect((await newCard('anna', 100)).status).toBe(202);
    expect((await newCard('bo', 2_500)).status).toBe(200);
    await kontor.database.asAdmin(`update giving set given_at = given_at - interval '24 hours'`);
    expect((await newCard('anna', 2_500)).status).toBe(200);
  });

  test('is added up also where all comes at once', async () => {
    await givePassword('anna');
    const { accessToken, hmac } = await credentialsOf('anna');
    const before = await cards();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        kontor.send('POST', NEW_CARD, {
          ...{ accessToken, hmac, body: { amount: 2_500 } },
          headers: { 'idempotency-key': crypto.randomUUID() },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await cards()) - before).toBe(4);
  });

  test('is weighed by the limits of its currency, of the payee, then of the installation', async () => {
    await kontor.database.asAdmin(`insert into giving_limit values ('${kontor.payeeId}', 'NOK', 10, 10)`);
    expect(nameOf(await newCard('anna', 1_001))).toBe('reauthentication');
    await kontor.database.asAdmin(`update giving_limit set confirm_above = null, second_person_above = null`);
    expect((await newCard('anna', 100_000)).status).toBe(200);
    await kontor.database.asAdmin('delete from giving_limit; delete from giving');
    expect((await newCard('anna', 500_000)).status).toBe(200);
    expect(nameOf(await newCard('anna', 1))).toBe('reauthentication');
  });

  test('by a refund is weighed in the currency of its payment', async () => {
    const { reverse } = await paidAndCaptured(20_000);
    const all = { transaction: { amount: 20_000, vatAmount: 0, description: 'All', payeeReference: newReference() } };
    expect(nameOf(await asked('siv', reverse, all))).toBe('reauthentication');
    await givePassword('siv');
    const { status, body } = await asked('siv', reverse, all);
    expect(status).toBe(202);
    expect((await kontor.send('GET', reverse)).text).not.toContain('20000');
    await givePassword('bo');
    expect((await decide('bo', body.approval.changeId, 'approve')).body.state).toBe('Done');
    expect((await kontor.send('GET', reverse)).text).toContain('20000');
  });

  test('is nothing that a program is asked about', async () => {
    expect((await kontor.send('POST', NEW_CARD, { body: { amount: 20_000 } })).status).toBe(200);
  });
});

/** A payment by card that was captured whole, and where it is given back. */
async function paidAndCaptured(amount: number) {
  const shop = cardPaymentsShop(kontor);
  const id = await shop.purchase(amount);
  expect((await shop.authorize(id)).status).toBe(200);
  const captured = { amount, vatAmount: 0, description: 'All', payeeReference: newReference() };
  expect((await shop.follow(id, 'captures', captured)).status).toBe(200);
  return { reverse: `${id}/reversals` };
}

describe('what waits for another person', () => {
  test('is done once a second person with the same right agrees, with a password', async () => {
    const before = await cards();
    const changeId = await waiting();
    expect(await cards()).toBe(before);
    await givePassword('anna');
    const own = await decide('anna', changeId, 'approve');
    expect([own.status, nameOf(own)]).toEqual([403, 'second-person']);
    await givePassword('siv');
    for (const name of ['siv', 'ivar']) {
      const refused = await decide(name, changeId, 'approve');
      expect([name, refused.status, nameOf(refused)]).toEqual([name, 403, 'role']);
    }
    expect(nameOf(await decide('bo', changeId, 'approve'))).toBe('reauthentication');
    await givePassword('bo');
    const done = await decide('bo', changeId, 'approve');
    expect([done.status, done.body.state]).toEqual([200, 'Done']);
    expect(done.body).toMatchObject({ operationId: 'getNewGiftCard', amount: 20_000, currency: 'NOK', problem: null });
    expect(done.text).not.toContain('accountKey');
    expect(await cards()).toBe(before + 1);
    expect((await decide('bo', changeId, 'collect')).status).toBe(403);
    await givePassword('anna');
    const card = await decide('anna', changeId, 'collect');
    expect(card.body).toMatchObject({
      accountKey: expect.stringMatching(/^\d{16}$/),
      cvc: expect.stringMatching(/^\d{3}$/),
    });
    expect((await decide('bo', changeId, 'refuse')).status).toBe(409);
  });

  test('is done once, however many agree at once and again', async () => {
    const before = await cards();
    const changeId = await waiting();
    const operator = await signedInAs(kontor, 'operator');
    const administrator = await signedInAs(kontor, 'administrator');
    await givePassword('bo');
    const yes = [person('bo'), operator, administrator].flatMap((browser) => [browser, browser]);
    const answers = await Promise.all(
      yes.map((browser) => browser.post(`${here}/pending-changes/${changeId}/approve`)),
    );
    for (const { status, body } of answers)
      expect([status, ['Done', 'Approved']]).toEqual([200, expect.arrayContaining([body.state])]);
    expect((await decide('bo', changeId, 'approve')).body.state).toBe('Done');
    expect(await cards()).toBe(before + 1);
    const { rows } = await kontor.database.read<{ action: string }>(
      { name: 'test-audit-of-change', text: 'select action from audit where object_id = $1::text order by audit_id' },
      [changeId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'ask-pending-change',
      'approve-pending-change',
      'complete-pending-change',
    ]);
  });

  test('is asked for once, however often the request comes', async () => {
    const key = crypto.randomUUID();
    const changeId = await waiting('anna', key);
    expect(await waiting('anna', key)).toBe(changeId);
  });

  test('can be refused, and taken back by the person who asked', async () => {
    for (const name of ['bo', 'anna']) {
      const changeId = await waiting();
      const refused = await decide(name, changeId, 'refuse');
      expect([refused.status, refused.body.state]).toEqual([200, 'Refused']);
      await givePassword('bo');
      expect((await decide('bo', changeId, 'approve')).status).toBe(409);
    }
  });

  test('is over after 24 hours, and not a minute before', async () => {
    const [nearly, over] = [await waiting(), await waiting()];
    const turnBack = (changeId: string, by: string) =>
      kontor.database.asAdmin(
        `update pending_change set asked_at = asked_at - interval '${by}', expires_at = expires_at - interval '${by}'
         where change_id = '${changeId}'`,
      );
    await turnBack(nearly, '23 hours 59 minutes');
    await turnBack(over, '24 hours');
    const { changes } = (await person('bo').get(`${here}/pending-changes`)).body;
    const stateOf = (id: string) => changes.find(({ changeId }: { changeId: string }) => changeId === id).state;
    expect([stateOf(nearly), stateOf(over)]).toEqual(['Pending', 'Expired']);
    await givePassword('bo');
    expect((await decide('bo', over, 'approve')).status).toBe(409);
    expect((await decide('bo', nearly, 'approve')).body.state).toBe('Done');
  });

  test('is deleted sealed as it was once its time is over, whichever payee is next, and amounts a day later', async () => {
    const [past, fresh, done] = [await waiting(), await waiting(), await waiting()];
    await givePassword('bo');
    expect((await decide('bo', done, 'approve')).body.state).toBe('Done');
    await givePassword('anna');
    expect((await newCard('anna', 1_000)).status).toBe(200);
    const turnBack = (hours: number, ids: readonly string[]) =>
      kontor.database.asAdmin(`
        update pending_change
        set asked_at = asked_at - interval '${hours} hours', expires_at = expires_at - interval '${hours} hours'
        where change_id in (${ids.map((id) => `'${id}'`).join(', ')})`);
    const kept = async () => {
      await kontor.service.database.transact(forgetGivings);
      const rows = await kontor.database.asAdmin(
        'select change_id from pending_change where request_sealed is not null and sealed_with is not null',
      );
      return [past, fresh, done].map((id) => rows.some(({ change_id }) => change_id === id));
    };
    expect(await kept()).toEqual([true, true, true]);
    await turnBack(24, [past, done]);
    expect(await kept()).toEqual([false, true, true]);
    expect((await decide('anna', done, 'collect')).status).toBe(200);
    await turnBack(25, [done]);
    await kontor.database.asAdmin(`update giving set given_at = given_at - interval '25 hours'`);
    expect(await kept()).toEqual([false, true, false]);
    expect(await kontor.database.asAdmin('select * from giving')).toEqual([]);
    const { changes } = (await person('bo').get(`${here}/pending-changes`)).body;
    expect(changes.map(({ changeId }: { changeId: string }) => changeId)).toEqual(
      expect.arrayContaining([past, fresh, done]),
    );
  });

  test('that was agreed to without an answer is not tried once its request is deleted', async () => {
    const changeId = await waiting();
    await kontor.database.asAdmin(`
      update pending_change set state = 'Approved', decided_by_kind = 'portal-user', decided_by_id = '${kontor.payeeId}', decided_at = kontor_now(), request_sealed = null
      where change_id = '${changeId}'`);
    await givePassword('bo');
    expect((await decide('bo', changeId, 'approve')).status).toBe(409);
  });

  test('says so where it has become impossible', async () => {
    const { reverse } = await paidAndCaptured(20_000);
    const some = (amount: number) => ({
      transaction: { amount, vatAmount: 0, description: 'Back', payeeReference: newReference() },
    });
    await givePassword('anna');
    const { body } = await asked('anna', reverse, some(20_000));
    expect((await kontor.send('POST', reverse, { body: some(5_000) })).status).toBe(200);
    await givePassword('bo');
    const approved = await decide('bo', body.approval.changeId, 'approve');
    expect([approved.status, approved.body.state, approved.body.problem]).toEqual([200, 'Impossible', 'forbidden']);
    expect((await decide('bo', body.approval.changeId, 'approve')).body.state).toBe('Impossible');
  });

  test('is listed with who asked and when, and told as events', async () => {
    const changeId = await waiting();
    const { body } = await person('siv').get(`${here}/pending-changes`);
    expect(body.changes[0]).toMatchObject({ changeId, state: 'Pending', askedByName: 'Ada Example', decidedBy: null });
    expect((await person('ivar').get(`${here}/pending-changes`)).status).toBe(403);
    const types = async () =>
      (
        await kontor.database.asAdmin(
          `select type from event where resource_id = '${changeId}' order by resource_sequence`,
        )
      ).map(({ type }) => type);
    expect(await types()).toEqual(['pending-change.asked']);
    await givePassword('bo');
    await decide('bo', changeId, 'approve');
    expect(await types()).toEqual(['pending-change.asked', 'pending-change.approved', 'pending-change.completed']);
  });

  test('keeps no code of a card, and its request sealed', async () => {
    await givePassword('anna');
    const number = '9578010000000010';
    const body = {
      ...{ amount: 20_000, currency: 'NOK', orderRef: newReference() },
      SimpleAccountIdentifier: { accountKey: number, cvc: '123' },
    };
    const answer = await asked('anna', '/api/payments/gift-card/pre-deposit', body);
    expect([answer.status, nameOf(answer)]).toEqual([400, 'cvc']);
    const withoutCode = { ...body, SimpleAccountIdentifier: { accountKey: number } };
    expect((await asked('anna', '/api/payments/gift-card/pre-deposit', withoutCode)).status).toBe(202);
    const [row] = await kontor.database.asAdmin(
      `select encode(request_sealed, 'escape') as text from pending_change where operation_id = 'preDeposit'`,
    );
    expect(row?.['text']).not.toContain(number);
  });

  test("is nothing of another payee's", async () => {
    const changeId = await waiting();
    const other = await kontor.addPayee();
    const operator = await signedInAs(kontor, 'operator');
    const elsewhere = `/portal/api/payees/${other.payeeId}/pending-changes`;
    expect((await operator.post(`${elsewhere}/${changeId}/approve`)).status).toBe(404);
    expect((await operator.get(elsewhere)).body.changes).toEqual([]);
  });
});

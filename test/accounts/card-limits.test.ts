import { afterAll, beforeAll, expect, it } from 'vitest';
import { sentIdentifier } from '../../src/accounts/account-requests.http.ts';
import type { AccountsContext } from '../../src/accounts/accounts.types.ts';
import { makePayment } from '../../src/accounts/make-payment.flow.ts';
import type { Retry } from '../../src/issuers/questions.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { type ScriptedAcquirers, scriptedAcquirers } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop, newReference } from '../support/shop/accounts-shop.ts';

// Account payments that an acquirer is asked for count for the limits of schemes, as card payments do. The sandbox's own acquirer is none.

/** As often as schemes let a card of Visa be declined in 30 days. */
const MOST = 15;

let kontor: TestService;
let acquirers: ScriptedAcquirers;
let context: AccountsContext;
beforeAll(async () => {
  kontor = await testService();
  acquirers = scriptedAcquirers(kontor.service.accounts.issuers, []);
  const { issuers } = acquirers;
  const routesOf: typeof issuers.routesOf = (payeeId, wanted) =>
    issuers.routesOf(payeeId, wanted).filter(({ issuer }) => issuer.issuerId === 'second');
  context = { ...kontor.service.accounts, isSandbox: false, issuers: { ...issuers, routesOf } };
});
afterAll(() => kontor.stop());

const declined = (retry: Retry) =>
  ({ outcome: 'Declined', responseCode: '116', problem: 'acquirerinsufficientfunds', retry }) as const;
const LATER = declined({ advice: 'Later' });

/** What pays with one card, and tells what became of it. */
async function payer() {
  const accountKey = freshCard('debit');
  const { paymentAccountId } = await accountsShop(kontor).firstSight(accountKey);
  return async (operation: 'Authorize' | 'Credit' = 'Authorize') => {
    const { payment } = await makePayment(context, {
      payeeId: kontor.payeeId,
      actor: SERVICE,
      paymentAccountId,
      paymentOrderRef: 'o',
      paymentTransactionRef: newReference(),
      repeat: false,
      words: {},
      circumstances: {},
      operation,
      amount: 1500,
      currency: 'NOK',
      identifier: sentIdentifier({ accountKey }),
    });
    return payment.problem ?? payment.state;
  };
}

it('a card is asked for as often as schemes allow, also of many at the same moment, and counts as one of card payments', async () => {
  const pay = await payer();
  const before = acquirers.questions.length;
  acquirers.answerNext(...Array.from({ length: MOST }, () => LATER));
  const outcomes = await Promise.all(Array.from({ length: MOST + 9 }, () => pay()));
  expect(acquirers.questions.length - before).toBe(MOST);
  expect(outcomes.filter((one) => one === 'velocitycheck')).toHaveLength(9);
  expect(await pay()).toBe('velocitycheck');
  // Money goes to the card all the same.
  expect(await pay('Credit')).toBe('OK');
  const [card] = await kontor.database.asAdmin(
    'select cardinality(declined_at) as declines from blocked_card where cardinality(declined_at) > 1',
  );
  expect(card).toEqual({ declines: MOST });
});

it('one that its issuer says never to try again is not asked for', async () => {
  const pay = await payer();
  acquirers.answerNext(declined({ advice: 'Never' }));
  expect(await pay()).toBe('acquirerinsufficientfunds');
  const before = acquirers.questions.length;
  expect(await pay()).toBe('carddeclined');
  expect(acquirers.questions.length).toBe(before);
});

it('one whose issuer says when is not asked for before, and an approval ends the count', async () => {
  const pay = await payer();
  acquirers.answerNext(LATER);
  expect([await pay(), await pay()]).toEqual(['acquirerinsufficientfunds', 'OK']);
  acquirers.answerNext(...Array.from({ length: MOST - 1 }, () => LATER), declined({ advice: 'Later', afterHours: 24 }));
  for (let turn = 0; turn < MOST; turn++) expect(await pay()).toBe('acquirerinsufficientfunds');
  await kontor.database.asAdmin("update blocked_card set declined_at = '{}' where retry_at is not null");
  expect(await pay()).toBe('velocitycheck');
  await kontor.database.asAdmin('update blocked_card set retry_at = kontor_now() where retry_at is not null');
  expect(await pay()).toBe('OK');
});

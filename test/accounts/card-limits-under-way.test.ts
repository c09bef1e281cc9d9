import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sentIdentifier } from '../../src/accounts/account-requests.http.ts';
import { makePayment } from '../../src/accounts/make-payment.flow.ts';
import type { IssuerAnswer, IssuerHost } from '../../src/issuers/questions.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop, newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

// Charges of one card at the same moment, by card payments and by account payments: what waits for its issuer counts for both.

/** As often as schemes let a card of Visa be declined in 30 days. */
const MOST = 15;
const EACH = 10;

const DECLINED: IssuerAnswer = {
  outcome: 'Declined',
  responseCode: '116',
  problem: 'acquirerinsufficientfunds',
  retry: { advice: 'Later' },
};

/** An issuer that answers nothing until it is told to decline all that waits. Without a wait it approves. */
function waitingIssuer() {
  let waiting: (() => void)[] | undefined;
  const host: IssuerHost = {
    ask: ({ exchange: { retrievalReference } }) =>
      new Promise((resolve) => {
        if (waiting !== undefined) return void waiting.push(() => resolve(DECLINED));
        const references = { retrievalReference, schemeTransactionId: 'SCHEME' };
        resolve({ outcome: 'Approved', responseCode: '000', approvalCode: 'A00001', references });
      }),
    reverse: async () => ({ outcome: 'TakenBack' }),
  };
  return {
    host,
    wait: () => {
      waiting = [];
    },
    asked: () => waiting?.length ?? 0,
    decline: () => {
      for (const answer of waiting ?? []) answer();
      waiting = undefined;
    },
  };
}

const issuer = waitingIssuer();
let kontor: TestService;
let scripted: ScriptedIssuer;
beforeAll(async () => {
  kontor = await testService();
  scripted = await scriptedIssuer(kontor, { failoverCodes: [], termsOf: () => ({ host: issuer.host }) });
});
afterAll(async () => {
  await scripted.stop();
  await kontor.stop();
});

afterEach(() => issuer.decline());

/** What charges one card in both ways, each answering why it did not succeed. */
async function charges() {
  const accountKey = freshCard('debit');
  const shop = cardPaymentsShop(scripted.kontor);
  const id = await shop.purchase(100, { payerReference: 'anna', generateRecurrenceToken: true });
  const { recurrenceToken } = (await shop.authorize(id, { cardNumber: accountKey })).body.authorization;
  const { paymentAccountId } = await accountsShop(kontor).firstSight(accountKey);
  const { issuers } = scripted;
  const ofSecond: typeof issuers.routesOf = (payeeId, wanted) =>
    issuers.routesOf(payeeId, wanted).filter((route) => route.issuer.issuerId === 'second');
  const context = { ...kontor.service.accounts, isSandbox: false, issuers: { ...issuers, routesOf: ofSecond } };
  const renewal = async (): Promise<string> => {
    const { body } = await shop.create({ operation: 'Recur', amount: 1500, recurrenceToken, prices: undefined });
    const authorizations = await scripted.kontor.send('GET', `${body.payment.id}/authorizations`);
    const [{ transaction }] = authorizations.body.authorizations.authorizationList;
    return transaction.problem?.type.split('/').at(-1);
  };
  const ofAccount = async (): Promise<string> => {
    const { payment } = await makePayment(context, {
      payeeId: kontor.payeeId,
      actor: SERVICE,
      paymentAccountId,
      paymentOrderRef: 'o',
      paymentTransactionRef: newReference(),
      repeat: false,
      words: {},
      circumstances: {},
      operation: 'Authorize',
      amount: 1500,
      currency: 'NOK',
      identifier: sentIdentifier({ accountKey }),
    });
    return payment.problem ?? payment.state;
  };
  return { renewal, ofAccount };
}

test.each(['renewal', 'ofAccount'] as const)('with %s first, no more go out than the schemes allow', async (first) => {
  const charge = await charges();
  issuer.wait();
  const ended: string[] = [];
  const begin = (way: keyof typeof charge) =>
    Array.from({ length: EACH }, () => charge[way]().then((how) => void ended.push(how)));
  const before = begin(first);
  await until(() => issuer.asked() === EACH);
  const after = begin(first === 'renewal' ? 'ofAccount' : 'renewal');
  await until(() => issuer.asked() + ended.length === EACH + EACH);
  expect(issuer.asked()).toBe(MOST);
  expect(ended).toEqual(Array.from({ length: EACH + EACH - MOST }, () => 'velocitycheck'));
  issuer.decline();
  await Promise.all([...before, ...after]);
});

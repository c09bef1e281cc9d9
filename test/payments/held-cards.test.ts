import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeDue } from '../../src/issuers/attempts.ts';
import { forwardCancel } from '../../src/issuers/forward-advice.flow.ts';
import type { Issuer } from '../../src/issuers/issuers.types.ts';
import type { FollowUpQuestion } from '../../src/issuers/questions.types.ts';
import { findDueHolds, releaseHeldCards } from '../../src/payments/cards/release-cards.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { payPage } from '../support/payer/pay-page.ts';
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
/** What each acquirer is, beside what it is in the sandbox. */
let terms: Record<string, Partial<Issuer>> = {};
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base, { failoverCodes: ['907'], termsOf: (id) => terms[id] ?? {} });
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});
beforeEach(() => {
  terms = { sandbox: { needCard: ['Capture', 'Cancel', 'Reversal'] } };
});

const CARD = { expiryDate: '12/39' };
const follow = (id: string, kind: string, amount?: number, payeeReference = `${kind}-${id.slice(-12)}-${amount}`) => {
  const amounts = amount === undefined ? {} : { amount, vatAmount: 0 };
  const transaction = { ...amounts, description: kind, payeeReference };
  return kontor.send('POST', `${id}/${kind}`, { body: { transaction } });
};
const asked = () => issuer.questions.at(-1) as FollowUpQuestion;
const rels = async (id: string) =>
  (await kontor.send('GET', id)).body.operations.map(({ rel }: { readonly rel: string }) => rel);
const paid = async (members: Members = {}, cardNumber = VISA) => {
  const id = await shop.purchase(1500, members);
  const { body } = await shop.authorize(id, { cardNumber });
  return { id, authorization: body.authorization };
};
const held = async () =>
  (await kontor.database.asAdmin('select i.last_four from held_card h join instrument i using (instrument_id)')).map(
    (row) => row['last_four'],
  );
const inVault = async () =>
  (await kontor.database.asAdmin('select last_four from instrument order by last_four')).map((row) => row['last_four']);

/** The job's round; time passes for what is held. */
async function look(): Promise<void> {
  const { read, transact } = kontor.service.database;
  await kontor.database.asAdmin(`update held_card set due_at = kontor_now() - interval '1 second'`);
  for (
    let due = await findDueHolds(read, issuer.issuers);
    due.length > 0;
    due = await findDueHolds(read, issuer.issuers)
  ) {
    const holds = due;
    await transact((transaction) => releaseHeldCards(transaction, holds));
  }
}

describe('an acquirer that wants the card again gets number and expiry with what follows, and never the code', () => {
  it('from an authorization to a refund; then the card is destroyed', async () => {
    const { id } = await paid();
    expect(await held()).toEqual(['0004']);
    await follow(id, 'captures', 1000);
    expect(asked()).toMatchObject({ operation: 'Capture', card: CARD });
    expect(asked().card?.number.reveal()).toBe(VISA);
    expect(Object.keys(asked().card ?? {}).sort()).toEqual(['expiryDate', 'number']);
    await follow(id, 'cancellations');
    expect(asked()).toMatchObject({ operation: 'Cancel', card: CARD });
    await look();
    expect(await held()).toEqual(['0004']);
    await follow(id, 'reversals', 1000);
    expect(asked()).toMatchObject({ operation: 'Reversal', card: CARD });
    await look();
    expect([await held(), await inVault()]).toEqual([[], []]);
    // What is done is told again, though the card is gone.
    const again = await follow(id, 'reversals', 1000);
    expect(again.body.reversal.transaction.state).toBe('Completed');
  });

  it('on the page, and by a token, whose card stays when the token goes', async () => {
    const page = await payPage(kontor);
    await page.pay();
    await follow(page.id, 'captures', 100);
    expect(asked().card?.number.reveal()).toBe(VISA);
    const { authorization } = await paid({ payerReference: 'anna', generateRecurrenceToken: true }, MASTERCARD);
    const { recurrenceToken } = authorization;
    const recur = { operation: 'Recur', amount: 250, vatAmount: 0, recurrenceToken, prices: undefined };
    const { id } = (await shop.create(recur)).body.payment;
    await kontor.send('PATCH', `/psp/paymentorders/recurrenceTokens/${recurrenceToken}`, {
      body: { state: 'Deleted', comment: 'closed her account' },
    });
    await look();
    await follow(id, 'captures', 250);
    expect(asked().card?.number.reveal()).toBe(MASTERCARD);
    await kontor.database.asAdmin(`update held_card set held_at = held_at - interval '540 days'`);
    await look();
    expect([await held(), await inVault()]).toEqual([[], []]);
  });

  it('also one that the first acquirer was not asked for', async () => {
    terms = { second: { needCard: ['Reversal'] } };
    issuer.answerNext({ outcome: 'NotSent', cause: 'NoConnection' });
    const { id } = await paid();
    await follow(id, 'captures', 1500);
    expect(asked()).toMatchObject({ operation: 'Capture', agreement: { id: 'second' } });
    expect(asked()).not.toHaveProperty('card');
    await follow(id, 'reversals', 1500);
    expect(asked()).toMatchObject({ operation: 'Reversal', card: CARD });
    await look();
    expect(await held()).toEqual([]);
  });
});

it('a cancel that is told again has the card each time, which is held until it is acknowledged', async () => {
  const { id } = await paid();
  issuer.answerNext({ outcome: 'Forwarded', sent: 'Yes' });
  await follow(id, 'cancellations');
  await look();
  expect(await held()).toEqual(['0004']);
  const { transact } = kontor.service.database;
  await kontor.database.asAdmin(`update issuer_attempt set due_at = kontor_now() where state = 'FORWARDING'`);
  const [advice] = await transact((transaction) => takeDue(transaction));
  if (advice === undefined) throw new Error('the cancel is to be told again');
  await forwardCancel({ transact, asker: { ...kontor.service.cardPayments, issuers: issuer.issuers } }, advice);
  expect(asked()).toMatchObject({ operation: 'Cancel', sentBefore: 'Yes', card: CARD });
  await look();
  expect([await held(), await inVault()]).toEqual([[], []]);
});

describe('nothing is held', () => {
  it.each([
    ['of a card that is declined', () => issuer.answerNext({ ...DECLINED })],
    [
      'for an acquirer that does not want it',
      () => {
        terms = {};
      },
    ],
  ])('%s', async (_, given) => {
    given();
    const { id } = await paid();
    await look();
    expect([await held(), await inVault()]).toEqual([[], []]);
    expect(await rels(id)).toBeDefined();
  });

  it('of a card that is only looked at', async () => {
    const made = await shop.create({ operation: 'Verify', prices: undefined, intent: undefined });
    await shop.verify(made.body.payment.id);
    expect(await held()).toEqual([]);
  });
});

describe('a step is refused before anything is kept apart for it', () => {
  const remaining = async (id: string) => (await kontor.send('GET', id)).body.payment.remainingCaptureAmount;

  it.each([
    ['captures', 'Capture'],
    ['cancellations', 'Cancellation'],
  ])('%s: the card is kept no more', async (kind, name) => {
    const { id } = await paid();
    await kontor.database.asAdmin(`update held_card set held_at = held_at - interval '541 days'`);
    await look();
    const before = issuer.questions.length;
    const refused = await follow(id, kind, kind === 'captures' ? 500 : undefined);
    const description = 'The acquirer wants the number of the card again, and it is kept no more.';
    expect(refused).toMatchObject({ status: 403, body: { problems: [{ name, description }] } });
    expect([issuer.questions.length, await remaining(id)]).toEqual([before, 1500]);
  });

  it.each([
    ['captures', 'Capture', 'Capture', 'create-capture'],
    ['cancellations', 'Cancel', 'Cancellation', 'create-cancellation'],
    ['reversals', 'Reversal', 'Reversal', 'create-reversal'],
  ] as const)('%s: the acquirer does not offer it, and it is no operation', async (kind, operation, name, rel) => {
    terms = {};
    const { id } = await paid();
    if (kind === 'reversals') await follow(id, 'captures', 500);
    expect(await rels(id)).toContain(rel);
    const all = ['Authorize', 'Capture', 'Cancel', 'Reversal'] as const;
    terms = { sandbox: { operations: all.filter((one) => one !== operation) } };
    expect(await rels(id)).not.toContain(rel);
    const before = [issuer.questions.length, await remaining(id)];
    const refused = await follow(id, kind, kind === 'cancellations' ? undefined : 500, `no-${kind}`);
    const description = 'The acquirer of the payment does not offer it.';
    expect(refused).toMatchObject({ status: 403, body: { problems: [{ name, description }] } });
    expect([issuer.questions.length, await remaining(id)]).toEqual(before);
  });
});

const DECLINED = {
  outcome: 'Declined',
  problem: 'carddeclined',
  responseCode: '100',
  retry: { advice: 'Later' },
} as const;

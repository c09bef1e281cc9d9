import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Issuer } from '../../src/issuers/issuers.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { pageAt } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

// A payee with two agreements wants no 3-D Secure: that counts under an agreement that allows it.

let base: TestService;
let kontor: TestService;
let shop: CardPaymentsShop;
let issuer: ScriptedIssuer;
let allowing: readonly string[];
beforeAll(async () => {
  base = await serviceWithoutJobs();
  const agreementsOf = (id: string) => (payeeId: PayeeId) =>
    base.service.cardPayments.issuers
      .named('sandbox')
      .agreementsOf(payeeId)
      .map((agreement) => ({ ...agreement, id, acquirer: id, allowNo3DSecure: allowing.includes(id) }));
  const termsOf = (id: string): Partial<Issuer> => ({ agreementsOf: agreementsOf(id) });
  issuer = await scriptedIssuer(base, { failoverCodes: ['912'], termsOf });
  kontor = issuer.kontor;
  shop = cardPaymentsShop(kontor);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

/** Its issuer wants to see the payer. */
const CHALLENGED = testCard('02');

/** A try with `no3DSecure`: how it stands, where to, and which agreements were asked. */
async function attempt(isAllowing: readonly string[]) {
  allowing = isAllowing;
  const before = issuer.questions.length;
  const made = await shop.create({}, { cards: { no3DSecure: true } });
  const { body } = await shop.authorize(made.body.payment.id, { cardNumber: CHALLENGED });
  const { state, operations } = body.authorization.transaction;
  return { state, operations, asked: () => issuer.questions.slice(before).map(({ agreement }) => agreement.id) };
}

it('the agreement that allows it charges the card, also where another one comes first', async () => {
  const { state, asked } = await attempt(['second']);
  expect([state, asked()]).toEqual(['Completed', ['second']]);
});

it('no agreement that does not allow it is asked, also where the one that does was not', async () => {
  issuer.answerNext({ outcome: 'NotSent', cause: 'NoConnection' });
  const { state, asked } = await attempt(['sandbox']);
  expect([state, asked()]).toEqual(['Failed', ['sandbox']]);
});

it('where none allows it for the card its payer authenticates, and then it is charged', async () => {
  const { state, operations, asked } = await attempt([]);
  expect([state, asked()]).toEqual(['AwaitingActivity', []]);
  const page = pageAt(kontor, operations[0].href.replace(/\/challenge$/, ''));
  await page.post('/authenticate', {});
  await page.confirm('Approved');
  expect(asked()).toEqual(['sandbox']);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endOverdueAuthentication,
  findOverdueAuthentications,
} from '../../src/payments/tries/authenticate-payer.flow.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { pageAt } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

// One try and two authentications: a process has ended before it erased the proof of the first one.

/** Its issuer says yes at once. */
const CARD = testCard('02');

let base: TestService;
let issuer: ScriptedIssuer;
let kontor: TestService;
let shop: CardPaymentsShop;
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

/** A payment whose payer finds the bank at its page, and has not been there. */
async function waiting() {
  const id = await shop.purchase(1500);
  const { body } = await shop.authorize(id, { cardNumber: CARD });
  const [{ href }] = body.authorization.transaction.operations;
  const page = pageAt(kontor, href.replace(/\/challenge$/, ''));
  const transactionId = body.authorization.transaction.id.split('/').at(-1);
  const authentications = () =>
    kontor.database.asAdmin(
      `select state, expires_at > kontor_now() as "isOpen" from authentication
       where transaction_id = '${transactionId}' order by created_at`,
    );
  return { page, authentications, transactionId };
}

test('an authentication that another one has replaced is ended by itself, and looked for no more', async () => {
  const { page, authentications, transactionId } = await waiting();
  await page.post('/authenticate', {});
  await kontor.database.asAdmin(
    `insert into authentication (payee_id, three_ds_server_trans_id, payment_id, transaction_id, scheme, version, state,
       challenge_wanted, created_at, expires_at)
     select payee_id, gen_random_uuid(), payment_id, transaction_id, scheme, version, 'Requested', challenge_wanted,
       created_at - interval '1 hour', created_at - interval '45 minutes'
     from authentication where transaction_id = '${transactionId}'`,
  );
  const flows = { transact: kontor.database.transact, context: kontor.service.cardPayments };
  const round = async () => {
    const overdue = await findOverdueAuthentications(flows as never, 100);
    for (const one of overdue) await endOverdueAuthentication(flows as never, one);
    return overdue.length;
  };
  expect(await round()).toBe(1);
  expect(await authentications()).toEqual([
    { state: 'Expired', isOpen: null },
    { state: 'Succeeded', isOpen: null },
  ]);
  expect(await round()).toBe(0);
});

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveUpRetiredKeys, removeDestroyedKeys } from '../../src/keys/destroy-retired-keys.ts';
import { rotateKeys } from '../../src/keys/keys.cli.ts';
import type { KeyPurpose } from '../../src/keys/keys.types.ts';
import { retireEndedKeys } from '../../src/keys/retire-keys.job.ts';
import { loadWriteKeys } from '../../src/keys/ring/load-write-keys.ts';
import { OPERATOR } from '../../src/kit/ids.ts';
import { Secret } from '../../src/kit/secret.ts';
import { endCardHistory } from '../../src/payments/cards/end-card-history.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { freshCard } from '../support/numbers.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { accountsShop } from '../support/shop/accounts-shop.ts';
import { type CardPaymentsShop, cardPaymentsShop, type Members } from '../support/shop/card-payments-shop.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { DELETION } from '../support/shop/tokens-shop.ts';
import { recover } from './recovery.ts';

// Who has the database and the key ring tries all numbers that fit what is stored of a card. What was declined, was never stored
// or was deleted must not come back once its period is over, and the keys of that time are destroyed.

let kontor: TestService;
let issuer: ScriptedIssuer;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  issuer = await scriptedIssuer(kontor);
  shop = cardPaymentsShop(issuer.kontor);
});
afterAll(async () => {
  await issuer.stop();
  await kontor.stop();
});

const DECLINED = freshCard('debit');
const STOLEN = freshCard('credit');
const PAID = freshCard('debit');
const STORED = freshCard('credit');
const IMPORTED = freshCard('debit');
/** Of an account payment: its issuer is elsewhere, and its number is stored nowhere. */
const AT_ISSUER = freshCard('debit');
const GONE = [DECLINED, STOLEN, PAID, STORED, IMPORTED, AT_ISSUER];

const keys = () => kontor.service.slices.keys.commands.keys();
const inTransaction: TestService['database']['transact'] = (work) => kontor.database.transact(work);
const attack = async (numbers: readonly string[]) =>
  recover(
    {
      database: kontor.database,
      keyFile: kontor.config.keyFile,
      payeeIds: [kontor.payeeId, OPERATOR],
      payerReferences: ['anna', 'bjorn'],
    },
    numbers,
  );
const numbersIn = (found: readonly string[]) => [...new Set(found.map((one) => one.split(' ')[0]))].sort();
const rotate = (purpose: KeyPurpose) =>
  rotateKeys({ pause: async () => undefined, progress: () => undefined }, keys(), purpose);
const pay = async (cardNumber: string, members: Members = {}) =>
  (await shop.authorize(await shop.purchase(100, members), { cardNumber })).body.authorization?.transaction.state;
/** So many days pass for what cards leave behind and for the keys. */
const pass = (days: number) =>
  kontor.database.asAdmin(`
    update card_transaction set created_at = created_at - interval '${days} days', updated_at = updated_at - interval '${days} days';
    update blocked_card set blocked_until = blocked_until - interval '${days} days',
      declined_at = array(select at - interval '${days} days' from unnest(declined_at) as at);
    update account set number_ends_at = number_ends_at - interval '${days} days';
    update key_check set changed_at = changed_at - interval '${days} days', created_at = created_at - interval '${days} days';
  `);

test('every card comes back while it is counted: the attack works', async () => {
  issuer.answerNext({ outcome: 'Declined', problem: 'carddeclined', responseCode: '204', retry: { advice: 'Later' } });
  expect(await pay(DECLINED)).toBe('Failed');
  issuer.answerNext({ outcome: 'Declined', problem: 'carddeclined', responseCode: '209', retry: { advice: 'Never' } });
  expect(await pay(STOLEN)).toBe('Failed');
  expect(await pay(PAID)).toBe('Completed');
  expect(await pay(STORED, { payerReference: 'bjorn', generateRecurrenceToken: true })).toBe('Completed');
  const line = cardLine(0, { pan: IMPORTED, expiryDate: '12/2039' });
  expect(await kontor.importLines([line])).toEqual(['imported']);
  await accountsShop(kontor).firstSight(AT_ISSUER);
  expect(numbersIn(await attack(GONE))).toEqual([...GONE].sort());
});

test('a deleted token leaves nothing of its number, and does not come back with an import', async () => {
  for (const payer of ['anna', 'bjorn']) {
    const deleted = await kontor.send('PATCH', `/psp/paymentorders/payerownedtokens/${payer}`, { body: DELETION });
    expect(deleted.status).toBe(200);
  }
  expect(await attack([IMPORTED])).toEqual([]);
  expect(await kontor.importLines([cardLine(0, { pan: IMPORTED, expiryDate: '12/2039' })])).toEqual(['unchanged']);
});

test('after 30 days no card comes back, with every key of the ring, and after 45 none of an account that was not used', async () => {
  await pass(31);
  await inTransaction(endCardHistory);
  expect(await attack(GONE)).toEqual([`${AT_ISSUER} from account.number_digest`]);
  await pass(15);
  await inTransaction(endCardHistory);
  expect(await attack(GONE)).toEqual([]);
});

test('a rotation moves what it can, waits for the rest, and destroyed keys are gone', async () => {
  expect(await pay(PAID)).toBe('Completed');
  for (const purpose of ['fingerprint', 'token-lines', 'portal-users'] as const) {
    expect(await rotate(purpose)).toMatchObject({ isEnding: false });
  }
  expect(await rotate('card-history')).toMatchObject({ from: 'card-history-1', isEnding: true });
  expect(await rotate('account-numbers')).toMatchObject({ from: 'account-numbers-1' });
  expect(await inTransaction((transaction) => retireEndedKeys(transaction, keys()))).toEqual([]);
  await pass(32);
  await inTransaction(endCardHistory);
  expect(await inTransaction((transaction) => retireEndedKeys(transaction, keys()))).toContain('card-history-1');
  await inTransaction((transaction) => giveUpRetiredKeys(transaction, 0));
  const destroyed = await inTransaction((transaction) => removeDestroyedKeys(transaction, keys()));
  expect(destroyed).toEqual(expect.arrayContaining(['card-history-1', 'fingerprint-1', 'token-lines-1']));
  expect(await readFile(kontor.config.keyFile, 'utf8')).not.toContain('card-history-1');
  expect(await attack(GONE)).toEqual([]);
});

test('a digest that is put back is found, and says where', async () => {
  const { keyRing } = keys();
  await inTransaction(async (transaction) => {
    const keyId = (await loadWriteKeys(transaction, keyRing)).current['card-history'];
    const digest = keyRing.digest(keyId, kontor.payeeId, new Secret(`card ${DECLINED}`));
    await transaction.run(
      {
        name: 'test-put-back',
        text: `update card_transaction set card_digest = $1 where transaction_id = (select transaction_id from card_transaction limit 1)`,
      },
      [digest],
    );
  });
  expect(await attack(GONE)).toEqual([`${DECLINED} from card_transaction.card_digest`]);
});

test.each(['hex', 'base64'] as const)('so is one in a text, in %s', async (encoding) => {
  const { keyRing } = keys();
  await inTransaction(async (transaction) => {
    const keyId = (await loadWriteKeys(transaction, keyRing)).current['card-history'];
    const digest = keyRing.digest(keyId, kontor.payeeId, new Secret(`card ${STOLEN}`)).toString(encoding);
    await kontor.database.asAdmin(`update payee set name = 'of ${digest}' where payee_id = '${kontor.payeeId}'`);
  });
  expect(await attack([STOLEN])).toEqual([`${STOLEN} from payee.name`]);
});

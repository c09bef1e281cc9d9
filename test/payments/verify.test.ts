import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenInvariants } from '../support/crash/books.ts';
import { type Damage, testDamages } from '../support/crash/damages.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
let paid: string;
let unpaid: string;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
  paid = await shop.purchase(1000);
  await shop.authorize(paid);
  await shop.follow(paid, 'captures', { amount: 400, payeeReference: 'part-1' });
  await shop.follow(paid, 'reversals', { amount: 100 });
  await shop.follow(paid, 'captures', { amount: 200 });
  await shop.follow(paid, 'cancellations');
  unpaid = await shop.purchase(900351);
  await shop.authorize(unpaid);
  await shop.authorize(await shop.purchase(70, { intent: 'AutoCapture' }));
  const verified = (await shop.create({ operation: 'Verify', prices: undefined })).body.payment.id;
  await shop.verify(verified);
});
afterAll(() => kontor.stop());

const uuid = (id: string) => id.slice(id.lastIndexOf('/') + 1);
const ofPaid = () => `payment_id = '${uuid(paid)}'`;
const payment = (id: () => string) => () => `card payment ${uuid(id())}`;
const set = (what: string, where: () => string) => () => `update card_payment set ${what} where ${where()}`;
const setTransaction = (what: string, more: string) => () =>
  `update card_transaction set ${what} where ${ofPaid()} and ${more}`;

it('payments that were only used have nothing wrong', async () => {
  expect(await brokenInvariants(kontor)).toEqual({});
});

describe('ledger verify finds', () => {
  const DAMAGES: readonly Damage[] = [
    [
      'an amount that was not authorized',
      set('amount = amount + 1', ofPaid),
      set('amount = amount - 1', ofPaid),
      /is paid by the one authorization/,
      payment(() => paid),
    ],
    [
      'a payment that is paid by a capture',
      set(`paid_by = (select transaction_id from card_transaction where payee_reference = 'part-1')`, ofPaid),
      () => `update card_payment p set paid_by = transaction_id from card_transaction t
        where p.payment_id = t.payment_id and p.${ofPaid()} and t.type = 'Authorization'`,
      /is paid by the one authorization/,
      payment(() => paid),
    ],
    [
      'a second success',
      () => `update card_transaction set state = 'Completed', problem = null where payment_id = '${uuid(unpaid)}'`,
      () =>
        `update card_transaction set state = 'Failed', problem = 'carddeclined' where payment_id = '${uuid(unpaid)}'`,
      /is paid by the one authorization/,
      payment(() => unpaid),
    ],
    [
      'a captured amount that no capture says',
      set('captured = captured + 1, cancelled = cancelled - 1', ofPaid),
      set('captured = captured - 1, cancelled = cancelled + 1', ofPaid),
      /what its transactions say/,
      payment(() => paid),
    ],
    [
      'captures of more than was authorized',
      setTransaction('amount = amount + 1000', `payee_reference = 'part-1'`),
      setTransaction('amount = amount - 1000', `payee_reference = 'part-1'`),
      /captured and cancelled than was authorized/,
      payment(() => paid),
    ],
    [
      'reversals of more than was captured',
      setTransaction('amount = amount + 501', `type = 'Reversal'`),
      setTransaction('amount = amount - 501', `type = 'Reversal'`),
      /no more reversed than captured/,
      payment(() => paid),
    ],
    [
      'a capture that moved another amount',
      setTransaction('amount = amount + 1', `payee_reference = 'part-1'`),
      setTransaction('amount = amount - 1', `payee_reference = 'part-1'`),
      /has moved, and nothing else/,
      () => 'card transaction ',
    ],
    [
      'a reversal that moved and has failed',
      setTransaction(`state = 'Failed', problem = 'carddeclined'`, `type = 'Reversal'`),
      setTransaction(`state = 'Completed', problem = null`, `type = 'Reversal'`),
      /has moved, and nothing else/,
      () => 'card transaction ',
    ],
    [
      'a movement in another currency',
      set(`currency = 'NOK'`, ofPaid),
      set(`currency = 'SEK'`, ofPaid),
      /has moved, and nothing else/,
      () => 'card transaction ',
    ],
    [
      'something reserved that nothing waits for',
      set('reserved_reversal = 1', ofPaid),
      set('reserved_reversal = 0', ofPaid),
      /wait for/,
      payment(() => paid),
    ],
    [
      'something unsettled that is settled',
      set('unsettled = 1', () => `payment_id = '${uuid(unpaid)}'`),
      set('unsettled = 0', () => `payment_id = '${uuid(unpaid)}'`),
      /unsettled/,
      payment(() => unpaid),
    ],
    [
      'a transaction that waits without an attempt',
      setTransaction(`state = 'Initialized'`, `type = 'Cancellation'`),
      setTransaction(`state = 'Completed'`, `type = 'Cancellation'`),
      /has an open attempt/,
      () => 'card transaction ',
    ],
    [
      'an open attempt that no payment waits for',
      () => `update issuer_attempt set state = 'REVERSING', due_at = 'infinity' where payment_id = '${uuid(unpaid)}'`,
      () => `update issuer_attempt set state = 'SETTLED', due_at = null where payment_id = '${uuid(unpaid)}'`,
      /has an open attempt/,
      () => 'attempt ',
    ],
    [
      'more tries than there were',
      set('failed_tries = 2', () => `payment_id = '${uuid(unpaid)}'`),
      set('failed_tries = 1', () => `payment_id = '${uuid(unpaid)}'`),
      /no more tries are counted/,
      payment(() => unpaid),
    ],
    [
      'a reference that stands for another payment’s transaction',
      () => `update reference set payment_id = '${uuid(unpaid)}' where reference like '%:part-1'`,
      () => `update reference set payment_id = '${uuid(paid)}' where reference like '%:part-1'`,
      /reference of a card payment stands for one/,
      () => ':part-1',
    ],
    [
      'a number that two have',
      // Of its authorization, which took the next one.
      set('number = number + 1', ofPaid),
      set('number = number - 1', ofPaid),
      /is one payment’s or one transaction’s/,
      () => 'number ',
    ],
    [
      'a number that its payee has yet to be given',
      () => `update number_counter set latest = latest - 1`,
      () => `update number_counter set latest = latest + 1`,
      /none that the payee has yet to be given/,
      () => 'number ',
    ],
    [
      'a number out of another payee’s block',
      () => 'update number_block set payee_id = null',
      () =>
        `update number_block set payee_id = '${kontor.payeeId}' where block > (select min(block) from number_block)`,
      /in a block of its payee/,
      () => 'number ',
    ],
    [
      'an event that is missing',
      set('event_sequence = event_sequence + 1', ofPaid),
      set('event_sequence = event_sequence - 1', ofPaid),
      /events of each card payment/,
      payment(() => paid),
    ],
    [
      'a payment that was not made',
      () => `alter table audit disable trigger user;
        update audit set object_kind = 'lost' where object_id = '${uuid(unpaid)}'; alter table audit enable trigger user`,
      () => `alter table audit disable trigger user;
        update audit set object_kind = 'card-payment' where object_id = '${uuid(unpaid)}';
        alter table audit enable trigger user`,
      /in the audit trail/,
      payment(() => unpaid),
    ],
  ];

  testDamages(DAMAGES, { run: (sql) => kontor.database.asAdmin(sql), broken: () => brokenInvariants(kontor) });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { Secret } from '../../src/kit/secret.ts';
import { prepareSentCard, prepareWaitingCard } from '../../src/payments/cards/prepare-card.ts';
import { releaseCards } from '../../src/payments/cards/release-cards.ts';
import { finishAuthentication, tryCard } from '../../src/payments/cards/try-card.flow.ts';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import { type TestService, testService } from '../support/service.ts';
import {
  AMEX,
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  relsOf,
  VISA,
  VISA_WITH_3D_SECURE,
} from '../support/shop/card-payments-shop.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const ALL = {
  generatePaymentToken: true,
  generateRecurrenceToken: true,
  generateTransactionOnFileToken: true,
  generateUnscheduledToken: true,
};

const tokensOf = async (payerReference: string) => {
  const { body } = await kontor.send('GET', `/online/payer/payees/${kontor.payeeId}/payers/${payerReference}/tokens`);
  return body.tokens.tokenlist;
};
const paidBy = async (payerReference: string, members: object = ALL, card: object = {}) => {
  const id = await shop.purchase(100, { payerReference, ...members });
  const { body } = await shop.authorize(id, card as never);
  return { id, authorization: body.authorization };
};
const archive = (token: string) =>
  kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/tokens/${token}/archives`, {
    body: { reason: 'No longer wanted', updatedBy: 'PAYEE' },
  });
const instruments = () => kontor.database.asAdmin('select masked from instrument order by masked');

describe('an approval makes the tokens that were asked for', () => {
  it('and they can be seen at once', async () => {
    const { id, authorization } = await paidBy('anna');
    const { paymentToken, recurrenceToken, transactionOnFileToken, unscheduledToken } = authorization;
    const listed = await tokensOf('anna');
    expect(listed).toHaveLength(4);
    expect(new Set(listed.map(({ token }: { token: string }) => token))).toEqual(
      new Set([paymentToken, recurrenceToken, transactionOnFileToken, unscheduledToken]),
    );
    expect(listed[0]).toMatchObject({
      instrument: 'CreditCard',
      instrumentDisplayName: '492500******0004',
      state: 'Active',
      instrumentParameters: { cardBrand: 'Visa', expiryDate: '12/2039', lastFourPan: '0004' },
    });
    const { paid } = (await kontor.send('GET', `${id}/paid`)).body;
    const card = { name: '492500******0004', expiryDate: '12/2039' };
    expect(paid.tokens).toHaveLength(4);
    for (const [type, token] of Object.entries({
      payment: paymentToken,
      recurrence: recurrenceToken,
      unscheduled: unscheduledToken,
      transactionsOnFile: transactionOnFileToken,
    })) {
      expect(paid.tokens).toContainEqual({ type, token, ...card });
    }
    const { body } = await kontor.send('GET', `/psp/paymentorders/recurrenceTokens/${recurrenceToken}`);
    expect(body.token).toBe(recurrenceToken);
  });

  it('and each is told and written down, as its first event; a rename is the second', async () => {
    const { id, authorization } = await paidBy('alma', { generateRecurrenceToken: true });
    const token = authorization.recurrenceToken;
    await kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/tokens/${token}/displaynames`, {
      body: { displayName: 'The blue one' },
    });
    const events = await kontor.database.asAdmin(`
      select type, resource_sequence as sequence, payload from event
      where resource_kind = 'token' and resource_id = '${token}-Recurrence' order by resource_sequence`);
    const payload = { token, tokenType: 'Recurrence' };
    expect(events).toEqual([
      { type: 'token.created', sequence: 1, payload },
      { type: 'token.renamed', sequence: 2, payload },
    ]);
    const audit = await kontor.database.asAdmin(`
      select action, concat_ws(':', actor_kind, actor_id) as actor from audit where object_id = '${token}-Recurrence' order by audit_id`);
    const [payer] = await kontor.database.asAdmin(
      `select concat_ws(':', actor_kind, actor_id) as actor from audit where object_id = '${id.split('/').at(-1)}' and action = 'settle-card-payment'`,
    );
    expect(audit[0]).toEqual({ action: 'create-token', actor: payer?.['actor'] });
  });

  it('of the same card again they have the same instrument', async () => {
    await paidBy('berit', { generatePaymentToken: true }, { cardNumber: MASTERCARD });
    await paidBy('berit', { generateRecurrenceToken: true }, { cardNumber: MASTERCARD });
    const ids = (await tokensOf('berit')).map(({ correlationsId }: { correlationsId: string }) => correlationsId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('for a payer without a name', async () => {
    const { body } = await shop.create({ generatePaymentToken: true });
    const { id, payerReference } = body.payment;
    expect(payerReference).toMatch(/^[0-9a-f-]{36}$/);
    await shop.authorize(id);
    expect(await tokensOf(payerReference)).toHaveLength(1);
  });

  it('of a verification too', async () => {
    const made = await shop.create({
      operation: 'Verify',
      prices: undefined,
      payerReference: 'cato',
      generateRecurrenceToken: true,
    });
    const { body } = await shop.verify(made.body.payment.id);
    expect((await tokensOf('cato'))[0].token).toBe(body.verification.recurrenceToken);
  });

  it('but a decline makes none, and keeps no card', async () => {
    const before = await instruments();
    const id = await shop.purchase(900351, { payerReference: 'dora', ...ALL });
    await shop.authorize(id, { cardNumber: '6764429999947470' });
    expect(await tokensOf('dora')).toEqual([]);
    expect(await instruments()).toEqual(before);
  });

  it('and a card without tokens is not kept', async () => {
    const before = await instruments();
    await paidBy('erik', {}, { cardNumber: '5019994016316467' });
    expect(await instruments()).toEqual(before);
  });
});

describe('a payment with a token', () => {
  it('Recur: reserved at once, captured, reversed; refused once the token is archived', async () => {
    const { authorization } = await paidBy('frida');
    const { recurrenceToken, paymentToken } = authorization;
    const recur = (members: object = {}) =>
      shop.create({ operation: 'Recur', prices: undefined, amount: 1000, vatAmount: 250, recurrenceToken, ...members });
    const answer = await recur();
    expect(answer).toMatchObject({
      status: 200,
      body: {
        payment: {
          operation: 'Recur',
          state: 'Ready',
          amount: 1000,
          payerReference: 'frida',
          recurrenceToken,
          remainingCaptureAmount: 1000,
        },
      },
    });
    expect(relsOf(answer)).toEqual(['create-capture', 'create-cancellation', 'paid-payment']);
    const { id } = answer.body.payment;
    expect((await shop.follow(id, 'captures', { amount: 1000, vatAmount: 250 })).body.capture.transaction.state).toBe(
      'Completed',
    );
    expect((await shop.follow(id, 'reversals', { amount: 1000 })).body.reversal.transaction.state).toBe('Completed');
    expect(await recur({ recurrenceToken: paymentToken })).toMatchObject({ status: 404 });
    await archive(recurrenceToken);
    expect(await recur()).toMatchObject({
      status: 422,
      body: { type: expect.stringMatching(/paymenttokeninactive$/) },
    });
    await kontor.send('PATCH', `/psp/paymentorders/recurrenceTokens/${recurrenceToken}`, {
      body: { state: 'Deleted', comment: 'Gone' },
    });
    expect(await recur()).toMatchObject({ status: 422 });
  });

  it.each([
    ['unscheduledToken', 'unscheduledToken'],
    ['transactionOnFileToken', 'unscheduledToken'],
    ['unscheduledToken', 'paymentToken'],
  ] as const)('UnscheduledPurchase: with a %s as %s', async (made, member) => {
    const { authorization } = await paidBy('gry');
    const answer = await shop.create({
      operation: 'UnscheduledPurchase',
      prices: undefined,
      amount: 50,
      [member]: authorization[made],
    });
    const names = { unscheduledToken: authorization[made] };
    expect(answer.body.payment).toMatchObject({ amount: 50, operation: 'UnscheduledPurchase', ...names });
  });

  it('that is declined has failed: there is no second try', async () => {
    const { authorization } = await paidBy('hedda');
    const { recurrenceToken } = authorization;
    const payeeInfo = { payeeReference: 'recur-declined' };
    const recur = () =>
      shop.create({ operation: 'Recur', prices: undefined, amount: 900361, recurrenceToken, payeeInfo });
    const answer = await recur();
    expect(answer).toMatchObject({ status: 200, body: { payment: { state: 'Failed' } } });
    expect(relsOf(answer)).toEqual(['failed-payment']);
    expect((await recur()).body).toEqual(answer.body);
    const { authorizationList } = (await kontor.send('GET', `${answer.body.payment.id}/authorizations`)).body
      .authorizations;
    expect(authorizationList).toHaveLength(1);
  });

  it('of AutoCapture is captured at once', async () => {
    const { authorization } = await paidBy('ida');
    const { recurrenceToken } = authorization;
    const answer = await shop.create({
      operation: 'Recur',
      intent: 'AutoCapture',
      prices: undefined,
      amount: 70,
      recurrenceToken,
    });
    expect(relsOf(answer)).toEqual(['create-reversal', 'paid-payment']);
  });

  it('Purchase: an archived token is refused', async () => {
    const { authorization } = await paidBy('jan');
    const { paymentToken } = authorization;
    expect(await shop.create({ paymentToken })).toMatchObject({
      status: 200,
      body: { payment: { payerReference: 'jan' } },
    });
    await archive(paymentToken);
    expect(await shop.create({ paymentToken })).toMatchObject({ status: 422 });
  });
});

describe('a card that two requests try at once', () => {
  const found = async (id: string) =>
    findCardPayment(kontor.service.cardPayments, {
      payeeId: kontor.payeeId,
      paymentId: id.split('/').at(-1) ?? '',
    });
  const unused = () =>
    kontor.database.asAdmin(
      `select masked from instrument i where not exists
        (select from payer_token t where t.payee_id = i.payee_id and t.instrument_id = i.instrument_id)`,
    );

  const begin = async (payerReference: string) => {
    const id = await shop.purchase(100, { payerReference, generatePaymentToken: true });
    const view = await found(id);
    const sent = {
      // No other test stores this one.
      number: new Secret(AMEX),
      month: '12',
      year: '39',
      code: { digits: new Secret('1234'), cameAsNumber: false },
      holderName: undefined,
    };
    const { payment } = view;
    const card = await kontor.service.database.transact((work) =>
      prepareSentCard(work, kontor.service.cardPayments, { payment, sent }),
    );
    const tried = card.summary.instrumentId;
    if (tried === undefined) throw new Error('a card that tokens are made of is sealed');
    const comeToNothing = () =>
      kontor.service.database.transact((work) => releaseCards(work, kontor.payeeId, { candidates: [tried], tried }));
    return { view, card, comeToNothing };
  };

  it('goes with the last of them', async () => {
    const [first, second] = [await begin('leif'), await begin('leon')];
    await first.comeToNothing();
    expect(await unused()).toHaveLength(1);
    await second.comeToNothing();
    expect(await unused()).toEqual([]);
  });

  it('outlasts the end of one between the sealing and the start of the other', async () => {
    const [first, second] = [await begin('leo'), await begin('lise')];
    await first.comeToNothing();
    const { cardPayments: context, database } = kontor.service;
    const { transaction } = await tryCard(
      { context, transact: database.transact },
      {
        payeeId: kontor.payeeId,
        actor: COMMAND_LINE,
        idempotencyKey: undefined,
        view: second.view,
        type: 'Authorization',
        card: second.card,
        origin: { channel: 'Api', device: {} },
      },
    );
    expect(transaction).toMatchObject({ state: 'Completed', problem: null });
    expect(await tokensOf('lise')).toHaveLength(1);
  });
});

const OUTCOMES = {
  Approved: { consequence: 'Authorize', shown: { authenticationStatus: 'Y' }, result: undefined },
  Declined: { consequence: '3dsecuredeclined', shown: { authenticationStatus: 'N' }, result: undefined },
  Cancelled: { consequence: '3dsecureusercancelled', shown: { authenticationStatus: 'N' }, result: undefined },
} as const;

describe('3-D Secure', () => {
  const waiting = async (members: Readonly<Record<string, unknown>> = {}) => {
    const id = await shop.purchase(100, members);
    const { body } = await shop.authorize(id, { cardNumber: VISA_WITH_3D_SECURE });
    expect(body.authorization.transaction.state).toBe('AwaitingActivity');
    return id;
  };
  const finish = async (id: string, verdict: keyof typeof OUTCOMES) => {
    const { cardPayments: context, database } = kontor.service;
    const { payeeId } = kontor;
    const view = await findCardPayment(context, { payeeId, paymentId: id.split('/').at(-1) ?? '' });
    const { payment } = view;
    const transaction = view.transactions.at(-1);
    if (transaction === undefined) throw new Error('the payment has a transaction');
    const card = await database.transact((work) =>
      prepareWaitingCard(work, context, { payment, waiting: transaction, cvc: undefined }),
    );
    const origin = { channel: 'Page', device: {} } as const;
    return finishAuthentication(context, {
      payeeId,
      actor: COMMAND_LINE,
      view,
      waiting: transaction,
      outcome: OUTCOMES[verdict],
      card,
      origin,
    });
  };
  const sealed = () =>
    kontor.database.asAdmin(`select instrument_id from card_transaction where instrument_id is not null`);

  const unused = () =>
    kontor.database.asAdmin(
      `select masked from instrument i where not exists
        (select from payer_token t where t.payee_id = i.payee_id and t.instrument_id = i.instrument_id)`,
    );

  it('approved: the payment goes on, without a code, and makes its tokens', async () => {
    const id = await waiting({ payerReference: 'kari', generateRecurrenceToken: true });
    expect(await sealed()).toHaveLength(1);
    const { transaction } = await finish(id, 'Approved');
    expect(transaction).toMatchObject({ state: 'Completed', card: { authenticationStatus: 'Y' } });
    expect(await tokensOf('kari')).toHaveLength(1);
    expect(await sealed()).toEqual([]);
    expect((await finish(id, 'Declined')).transaction.state).toBe('Completed');
  });

  it.each([
    ['Declined', '3dsecuredeclined'],
    ['Cancelled', '3dsecureusercancelled'],
  ] as const)('%s: failed with %s, and usable', async (verdict, problem) => {
    const id = await waiting();
    const { transaction, leftOver } = await finish(id, verdict);
    expect(transaction).toMatchObject({ state: 'Failed', problem, card: { authenticationStatus: 'N' } });
    expect(leftOver).toHaveLength(1);
    const { payeeId, service } = kontor;
    await service.database.transact((work) => releaseCards(work, payeeId, { candidates: leftOver, tried: undefined }));
    expect(await unused()).toEqual([]);
    expect((await shop.authorize(id, { cardNumber: VISA })).body.authorization.transaction.state).toBe('Completed');
  });

  it('is over where the payer takes another card, and the first one is not kept', async () => {
    const id = await waiting();
    await shop.authorize(id, { cardNumber: VISA });
    expect(await unused()).toEqual([]);
  });

  it('is over with an abort, and the card is not kept', async () => {
    const id = await waiting();
    await shop.abort(id);
    expect(await sealed()).toEqual([]);
    expect(await unused()).toEqual([]);
    expect((await finish(id, 'Approved')).transaction.state).toBe('Failed');
  });

  it('is not asked for where the payee does not want it', async () => {
    const { body } = await shop.create({}, { cards: { no3DSecure: true } });
    const answer = await shop.authorize(body.payment.id, { cardNumber: VISA_WITH_3D_SECURE });
    expect(answer.body.authorization.transaction.state).toBe('Completed');
  });
});

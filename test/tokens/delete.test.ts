import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHIVED, accountLine, cardLine, invoiceLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, DELETION, KIND_OF, type Kind, openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TYPES = ['Payment', 'Recurrence', 'Unscheduled'] as const;
const kindOf = (type: string) => KIND_OF[type] as Kind;
const tokenOf = async (guid: string) => (await shop.get(shop.tokenPath(guid))).body.token;

describe('the answer', () => {
  it('of a recurrence token is its GUID and that it is deleted', async () => {
    const [guid = ''] = await shop.store(cardLine(0, { tokenType: 'Recurrence' }));
    const { status, body } = await shop.remove('recurrenceTokens', guid);
    expect(status).toBe(200);
    expect(body).toEqual({ token: guid, isDeleted: true });
  });

  it.each([
    ['Unscheduled', 'token'],
    ['Payment', 'paymentToken'],
  ])('of an %s token names it %s and describes the card', async (tokenType, member) => {
    const [guid = ''] = await shop.store(cardLine(1, { tokenType }));
    const { correlationsId } = await tokenOf(guid);
    const { status, body } = await shop.remove(kindOf(tokenType), guid);
    expect(status).toBe(200);
    expect(body).toEqual({
      [member]: guid,
      instrument: 'CreditCard',
      instrumentDisplayName: '458109******0000',
      correlationId: correlationsId,
      instrumentParameters: { cardBrand: 'Visa', expiryDate: '01/2030' },
    });
  });

  it('again is the same, word for word, for a card', async () => {
    for (const tokenType of TYPES) {
      const [guid = ''] = await shop.store(cardLine(2, { tokenType }));
      const first = await shop.remove(kindOf(tokenType), guid);
      const again = await shop.remove(kindOf(tokenType), guid);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
  });

  it('is the same again for a card of unknown brand', async () => {
    const [guid = ''] = await shop.store(cardLine(3, { payerReference: 'rare' }));
    await shop.database.asAdmin(`update payer_token set card_brand = null where token = '${guid}'`);
    const first = await shop.remove('paymentTokens', guid);
    expect(first.body.instrumentParameters).toEqual({ expiryDate: '01/2030' });
    expect((await shop.remove('paymentTokens', guid)).text).toBe(first.text);
  });

  it('again leaves out what is personal: account, e-mail, number, postal code', async () => {
    for (const line of [accountLine(1), invoiceLine(1)]) {
      const [guid = ''] = await shop.store(line);
      const first = await shop.remove('paymentTokens', guid);
      const again = await shop.remove('paymentTokens', guid);
      expect(Object.keys(first.body.instrumentParameters).length).toBeGreaterThan(0);
      expect(again.body).toEqual({ ...first.body, instrumentParameters: {} });
    }
  });

  it('is the same by id, in capital letters and under any spelling of the path', async () => {
    for (const spelling of [
      (guid: string) => `/psp/paymentorders/paymentTokens/${guid}-Payment`,
      (guid: string) => `/psp/paymentorders/paymentTokens/${guid.toUpperCase()}`,
      (guid: string) => `/PSP/PaymentOrders/PAYMENTTOKENS/${guid}`,
      (guid: string) => `/psp/paymentorders/paymenttokens/${guid}`,
    ]) {
      const [guid = ''] = await shop.store(cardLine(5));
      const { status, body } = await shop.patch(spelling(guid), DELETION);
      expect([status, body.paymentToken]).toEqual([200, guid]);
    }
  });

  it('can do without a comment', async () => {
    const [guid = ''] = await shop.store(cardLine(6));
    const { status } = await shop.patch(`/psp/paymentorders/paymentTokens/${guid}`, { state: 'Deleted' });
    expect(status).toBe(200);
  });
});

describe('what is refused', () => {
  it.each(TYPES)('a token of another type than %s: 404, and it stays', async (tokenType) => {
    const types = ['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'].filter((type) => type !== tokenType);
    for (const type of types) {
      const [guid = ''] = await shop.store(cardLine(10, { tokenType: type }));
      for (const name of [guid, `${guid}-${type}`, `${guid}-${tokenType}`]) {
        expect((await shop.remove(kindOf(tokenType), name)).status).toBe(404);
      }
      expect((await tokenOf(guid)).state).toBe('Active');
    }
  });

  it('an unknown token, another payee`s and what is no GUID: 404, whatever the body', async () => {
    const other = await anotherShop(shop);
    const [foreign = ''] = await other.store(cardLine(11));
    for (const name of [UNKNOWN, foreign, 'nonsense']) {
      expect((await shop.remove('paymentTokens', name)).status).toBe(404);
      expect((await shop.patch(`/psp/paymentorders/paymentTokens/${name}`, { state: 'Gone' })).status).toBe(404);
    }
    expect((await other.get(other.tokenPath(foreign))).status).toBe(200);
  });

  it.each([[{ state: 'Archived' }], [{ state: 'Deleted ' }], [{}], [{ comment: 'why' }]])(
    'another state: 400 %j',
    async (body) => {
      const [guid = ''] = await shop.store(cardLine(12, { payerReference: 'stays' }));
      for (const path of [`paymentTokens/${guid}`, 'payerownedtokens/stays']) {
        const answer = await shop.patch(`/psp/paymentorders/${path}`, body);
        expect([answer.status, answer.body.problems[0].name]).toEqual([400, 'state']);
      }
      expect((await tokenOf(guid)).state).toBe('Active');
    },
  );

  it('a deleted token with another state or comment that is too long: 400', async () => {
    const [guid = ''] = await shop.store(cardLine(13));
    await shop.remove('paymentTokens', guid);
    const path = `/psp/paymentorders/paymentTokens/${guid}`;
    expect((await shop.patch(path, { state: 'Active' })).status).toBe(400);
    expect((await shop.patch(path, { ...DELETION, comment: 'x'.repeat(256) })).status).toBe(400);
  });
});

describe('a deleted token', () => {
  it.each([
    ['active', {}],
    ['archived', ARCHIVED],
  ])('that was %s is 404 everywhere and in no list', async (_, members) => {
    const payerReference = 'gone';
    for (const tokenType of TYPES) {
      const [guid = ''] = await shop.store(cardLine(20, { payerReference, tokenType, ...members }));
      const [stays = ''] = await shop.store(cardLine(21, { payerReference, tokenType }));
      await shop.remove(kindOf(tokenType), guid);
      for (const answer of [
        await shop.get(shop.tokenPath(guid)),
        await shop.get(shop.tokenPath(`${guid}-${tokenType}`)),
        await shop.rename(guid, 'Back'),
        await shop.archive(guid),
        await shop.get(`/psp/paymentorders/${kindOf(tokenType)}/${guid}`),
      ]) {
        expect(answer.status).toBe(404);
      }
      for (const path of [
        `${shop.payerPath(payerReference)}/tokens`,
        `${shop.payerPath(payerReference)}/archives`,
        `/psp/paymentorders/payerownedtokens/${payerReference}`,
      ]) {
        expect((await shop.get(path)).text).not.toContain(guid);
      }
      expect((await shop.archiveAll(payerReference)).text).not.toContain(guid);
      expect((await shop.remove('payerownedtokens', payerReference)).text).not.toContain(guid);
      expect((await shop.get(shop.tokenPath(stays))).status).toBe(404);
    }
  });

  it('leaves a tombstone: what it was, when it went and why', async () => {
    const [guid = ''] = await shop.store(cardLine(22, { instrumentDisplayName: 'Mine' }));
    await shop.remove('paymentTokens', guid);
    const [row] = await shop.database.asAdmin(`select * from payer_token where token = '${guid}'`);
    expect(row).toMatchObject({
      state: 'Deleted',
      token_type: 'Payment',
      instrument: 'CreditCard',
      instrument_id: null,
      display_name: 'Mine',
      card_brand: expect.any(String),
      expiry_date: '01/2030',
      last_four: expect.stringMatching(/^\d{4}$/),
      deleted_at: expect.stringMatching(/^20/),
      delete_comment: DELETION.comment,
    });
  });
});

describe('all that a payer has stored', () => {
  it('goes at once: the answer has the tokens of every type and state that this call deleted', async () => {
    const of = { payerReference: 'owner/1' };
    const guids = await shop.store(
      cardLine(30, of),
      cardLine(31, { ...of, tokenType: 'TransactionOnFile', ...ARCHIVED }),
      accountLine(32, { ...of, tokenType: 'Recurrence' }),
      invoiceLine(33, { ...of, tokenType: 'Unscheduled' }),
    );
    await shop.remove('paymentTokens', guids[0] ?? '');
    const { status, body } = await shop.remove('payerownedtokens', 'owner/1');
    expect(status).toBe(200);
    expect(body.payerOwnedTokens).toMatchObject({
      id: '/psp/paymentorders/payerownedtokens/owner%2F1',
      payerReference: 'owner/1',
    });
    expect(body.payerOwnedTokens.tokens).toEqual([
      {
        tokenType: 'Unscheduled',
        token: guids[3],
        instrument: 'Invoice-PayLater',
        instrumentDisplayName: '*******0033',
        correlationId: expect.any(String),
        instrumentParameters: { email: 'payer-33@example.com', msisdn: '+4740000033', zipCode: '0150' },
      },
      expect.objectContaining({ token: guids[2], instrumentParameters: { AccountId: 'NO000000032' } }),
      expect.objectContaining({
        token: guids[1],
        tokenType: 'TransactionOnFile',
        instrumentParameters: { cardBrand: expect.any(String), expiryDate: '01/2030' },
      }),
    ]);
    const again = await shop.remove('payerownedtokens', 'owner/1');
    expect([again.status, again.body.payerOwnedTokens.tokens]).toEqual([200, []]);
  });

  it('is an empty list for an unknown payer', async () => {
    const { status, body } = await shop.remove('payerownedtokens', 'never seen');
    expect(status).toBe(200);
    expect(body.payerOwnedTokens).toEqual({
      id: '/psp/paymentorders/payerownedtokens/never%20seen',
      payerReference: 'never seen',
      tokens: [],
    });
  });

  it('is the own payee`s only', async () => {
    const other = await anotherShop(shop);
    const [theirs = ''] = await other.store(cardLine(34, { payerReference: 'both' }));
    expect((await shop.remove('payerownedtokens', 'both')).body.payerOwnedTokens.tokens).toEqual([]);
    expect((await other.get(other.tokenPath(theirs))).status).toBe(200);
  });
});

describe('the card behind it', () => {
  const instruments = async (correlationId: string) =>
    (await shop.database.asAdmin(`select 1 from instrument where instrument_id = '${correlationId}'`)).length;

  it('goes with the last token that uses it, not before', async () => {
    const [first = '', second = ''] = await shop.store(cardLine(50), cardLine(50, { payerReference: 'bo' }));
    const { correlationsId } = await tokenOf(first);
    await shop.remove('paymentTokens', first);
    expect(await instruments(correlationsId)).toBe(1);
    expect((await tokenOf(second)).instrumentParameters.lastFourPan).toMatch(/^\d{4}$/);
    await shop.remove('paymentTokens', second);
    expect(await instruments(correlationsId)).toBe(0);
  });

  it('goes once for two tokens of one payer, and stays for an archived token', async () => {
    const of = { payerReference: 'twice' };
    const [first = ''] = await shop.store(cardLine(51, of), cardLine(51, { ...of, tokenType: 'Recurrence' }));
    const [other = ''] = await shop.store(cardLine(52, of));
    const [kept = ''] = await shop.store(cardLine(52, { payerReference: 'keeper', ...ARCHIVED }));
    const gone = (await tokenOf(first)).correlationsId;
    const stays = (await tokenOf(other)).correlationsId;
    expect((await shop.remove('payerownedtokens', 'twice')).body.payerOwnedTokens.tokens).toHaveLength(3);
    expect([await instruments(gone), await instruments(stays)]).toEqual([0, 1]);
    expect((await tokenOf(kept)).correlationsId).toBe(stays);
  });

  it('is another one when the same card comes again', async () => {
    const [first = ''] = await shop.store(cardLine(53));
    const before = (await tokenOf(first)).correlationsId;
    await shop.remove('paymentTokens', first);
    const [second = ''] = await shop.store(cardLine(53));
    expect((await tokenOf(second)).correlationsId).not.toBe(before);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { ARCHIVED, accountLine, cardLine, invoiceLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, operationOf, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('one token', () => {
  it('answers every member, and its operations', async () => {
    const [guid = ''] = await shop.store(cardLine(0, { payerReference: 'anna & bo/1', tokenType: 'Recurrence' }));
    const { status, headers, body } = await shop.get(shop.tokenPath(`${guid}-Recurrence`));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8; version=3.0');
    expect(headers.get('api-supported-versions')).toBe('3.1/3.0/2.0');
    const href = `${shop.baseUrl}${shop.tokenPath(`${guid}-Recurrence`)}`;
    const json = { contentType: 'application/json' };
    expect(body).toEqual({
      token: {
        id: `${guid}-Recurrence`,
        payerReference: 'anna & bo/1',
        token: guid,
        tokenType: 'Recurrence',
        instrument: 'CreditCard',
        instrumentDisplayName: '492500******0004',
        correlationsId: expect.stringMatching(GUID),
        state: 'Active',
        instrumentParameters: expect.any(Object),
      },
      operations: [
        { method: 'GET', href, rel: 'get-token', ...json },
        { method: 'PATCH', href: `${href}/displaynames`, rel: 'update-displayname', ...json },
        { method: 'PATCH', href: `${href}/archives`, rel: 'archive-token', ...json },
        {
          method: 'PATCH',
          href: `${shop.baseUrl}/psp/paymentorders/recurrenceTokens/${guid}`,
          rel: 'delete-recurrencetokens',
          ...json,
        },
      ],
    });
  });

  it.each(['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'])(
    'is found by id and by GUID: %s',
    async (type) => {
      const [guid = ''] = await shop.store(cardLine(1, { tokenType: type }));
      const byId = await shop.get(shop.tokenPath(`${guid}-${type}`));
      const byGuid = await shop.get(shop.tokenPath(guid));
      expect([byId.status, byGuid.status]).toEqual([200, 200]);
      expect(byGuid.text).toBe(byId.text);
      expect(byGuid.body.token.id).toBe(`${guid}-${type}`);
    },
  );

  it('is 404 under another type, an unknown type, an unknown GUID and what is no GUID', async () => {
    const [guid = ''] = await shop.store(cardLine(2));
    for (const name of [`${guid}-Recurrence`, `${guid}-Gift`, `${guid}-`, `${guid}x`, UNKNOWN, 'nonsense', '%20']) {
      const { status, body } = await shop.get(shop.tokenPath(name));
      expect([name, status, body.type]).toEqual([name, 404, `${shop.baseUrl}/errordetail/notfound`]);
    }
  });

  it('is the same 404 for another payee as an unknown one', async () => {
    const other = await anotherShop(shop);
    const [foreign = ''] = await other.store(cardLine(3));
    expect((await other.get(other.tokenPath(foreign))).status).toBe(200);
    const asOwn = await shop.get(shop.tokenPath(foreign));
    const asTheirs = await shop.get(other.tokenPath(foreign));
    const unknown = await shop.get(shop.tokenPath(UNKNOWN));
    expect([asOwn.status, asTheirs.status, unknown.status]).toEqual([404, 404, 404]);
    expect(asOwn.body.detail).toBe(unknown.body.detail);
    expect(asTheirs.body.detail).toBe(unknown.body.detail);
  });

  it('shows an archived one with its archiver, reason and all of its operations', async () => {
    const [guid = ''] = await shop.store(cardLine(4, ARCHIVED));
    const { body } = await shop.get(shop.tokenPath(guid));
    expect(body.token).toMatchObject({
      state: 'Archived',
      archivedBy: 'TOKEN_ISSUER',
      archiveReason: 'the card was lost',
    });
    expect(body.operations.map(({ rel }: { rel: string }) => rel)).toEqual([
      'get-token',
      'update-displayname',
      'archive-token',
      'delete-paymenttokens',
    ]);
  });
});

describe('what is shown of an instrument', () => {
  const parametersOf = async (guid = '') => (await shop.get(shop.tokenPath(guid))).body.token;

  it('of a card: brand, expiry twice, first six, last four, and what the card ranges say', async () => {
    const [guid] = await shop.store(cardLine(3, { payerReference: 'card', expiryDate: '11/2031' }));
    const number = testCardNumber(3);
    expect((await parametersOf(guid)).instrumentParameters).toEqual({
      cardBrand: 'Amex',
      expiryDate: '11/2031',
      expiryPan: '11/2031',
      issuerName: 'Nordkort',
      lastFourPan: number.slice(-4),
      bin: number.slice(0, 6),
      cardHolderType: 'Corporate',
      cardType: 'Credit',
      countryCode: '752',
    });
  });

  it('of a card with a network token: its last four and expiry too', async () => {
    const members = { lastFourDPan: '0042', expiryDPan: '12/2033' };
    const [guid] = await shop.store(cardLine(5, members));
    const token = await parametersOf(guid);
    expect(token.instrumentParameters).toMatchObject({ ...members, expiryDate: '01/2030', expiryPan: '01/2030' });
  });

  it('of a card that the ranges do not know: country 999, no issuer', async () => {
    const [guid = ''] = await shop.store(cardLine(6, { payerReference: 'abroad' }));
    const row = `(select instrument_id from payer_token where token = '${guid}')`;
    await shop.database.asAdmin(
      `update instrument set country_code = null, issuer_name = null, card_type = null, holder_type = null
       where instrument_id = ${row}`,
    );
    const { instrumentParameters } = await parametersOf(guid);
    expect(instrumentParameters.countryCode).toBe('999');
    for (const absent of ['issuerName', 'cardType', 'cardHolderType']) {
      expect(instrumentParameters).not.toHaveProperty(absent);
    }
  });

  it('of a bank account: the account, and a masked name', async () => {
    const [guid] = await shop.store(accountLine(1));
    const token = await parametersOf(guid);
    expect(token.instrumentParameters).toEqual({ AccountId: 'NO000000001' });
    expect(token.instrumentDisplayName).toBe('*******0001');
  });

  it('of an invoice: what there is of e-mail, number and postal code, and a masked name', async () => {
    const { email: _email, ...withoutEmail } = invoiceLine(2);
    const [whole, part] = await shop.store(invoiceLine(1), withoutEmail);
    expect(await parametersOf(whole)).toMatchObject({
      instrument: 'Invoice-PayLater',
      instrumentDisplayName: '*******0001',
      instrumentParameters: { email: 'payer-1@example.com', msisdn: '+4740000001', zipCode: '0150' },
    });
    expect((await parametersOf(part)).instrumentParameters).toEqual({ msisdn: '+4740000002', zipCode: '0150' });
  });

  it('is the same instrument for all tokens of one card of a payee, and not of another payee', async () => {
    const other = await anotherShop(shop);
    const [first, second] = await shop.store(
      cardLine(7),
      cardLine(7, { payerReference: 'bo', tokenType: 'Recurrence' }),
    );
    const [theirs = ''] = await other.store(cardLine(7));
    const id = (await parametersOf(first)).correlationsId;
    expect((await parametersOf(second)).correlationsId).toBe(id);
    expect((await other.get(other.tokenPath(theirs))).body.token.correlationsId).not.toBe(id);
  });

  it('is a name of its own where one was given', async () => {
    const [guid] = await shop.store(cardLine(8, { instrumentDisplayName: '  My card  ' }));
    expect((await parametersOf(guid)).instrumentDisplayName).toBe('My card');
  });
});

describe('hrefs', () => {
  it('work when they are followed as they are, also for a payer with characters that need encoding', async () => {
    const payerReference = 'ölaf / ?#%2F مريم';
    const [guid] = await shop.store(cardLine(9, { payerReference }));
    const { body } = await shop.get(`${shop.payerPath(payerReference)}/tokens`);
    const again = await shop.get(operationOf(body, 'get-payer-tokens').href);
    expect(again.body).toEqual(body);
    const [listed] = body.tokens.tokenlist;
    const single = await shop.get(operationOf(listed, 'get-token').href);
    expect(single.body.token.token).toBe(guid);
    const renamed = await shop.patch(operationOf(single.body, 'update-displayname').href, { displayName: 'Følg' });
    expect(renamed.body.token.instrumentDisplayName).toBe('Følg');
    const archiving = { reason: 'follow', updatedBy: 'PAYEE' };
    const archived = await shop.patch(operationOf(renamed.body, 'archive-token').href, archiving);
    expect(archived.body.token.state).toBe('Archived');
    const all = await shop.patch(operationOf(body, 'archive-payer-tokens').href, archiving);
    expect(all.status).toBe(200);
    expect(all.body.tokens.payerReference).toBe(payerReference);
  });
});

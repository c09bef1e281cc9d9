import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHIVED, accountLine, cardLine, invoiceLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, DELETION, KIND_OF, openShop, operationOf, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

describe('a single stored token', () => {
  it.each([
    ['Payment', 'delete-paymenttokens'],
    ['Recurrence', 'delete-recurrencetokens'],
    ['Unscheduled', 'delete-unscheduledtokens'],
  ])('of type %s shows what its deletion answers, its type and %s, which works', async (tokenType, rel) => {
    const [guid = ''] = await shop.store(cardLine(0, { tokenType }));
    const { status, body } = await shop.get(`/psp/paymentorders/${KIND_OF[tokenType]}/${guid}`);
    expect([status, body.tokenType]).toEqual([200, tokenType]);
    const deletion = operationOf(body, rel);
    expect([deletion.method, deletion.contentType]).toEqual(['PATCH', 'application/json']);
    expect(body.operations).toEqual((await shop.get(shop.tokenPath(guid))).body.operations);
    const deleted = await shop.patch(deletion.href, DELETION);
    expect(deleted.status).toBe(200);
    const { operations: _, tokenType: __, isDeleted, ...shown } = body;
    if (tokenType === 'Recurrence') expect(isDeleted).toBe(false);
    expect(deleted.body).toEqual(tokenType === 'Recurrence' ? { ...shown, isDeleted: true } : shown);
  });

  it('that is archived, of another type, unknown or another payee`s is 404', async () => {
    const other = await anotherShop(shop);
    const [archived = ''] = await shop.store(cardLine(1, ARCHIVED));
    const [recurrence = ''] = await shop.store(cardLine(1, { tokenType: 'Recurrence' }));
    const [foreign = ''] = await other.store(cardLine(1));
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const name of [archived, recurrence, foreign, unknown, 'nonsense', `${recurrence}-Payment`]) {
      expect((await shop.get(`/psp/paymentorders/paymentTokens/${name}`)).status).toBe(404);
    }
  });

  it('is found whatever the case of the path', async () => {
    const [guid = ''] = await shop.store(cardLine(2, { tokenType: 'Unscheduled' }));
    for (const path of ['/psp/paymentorders/unscheduledtokens', '/Psp/PaymentOrders/UnscheduledTokens']) {
      expect((await shop.get(`${path}/${guid}`)).body.token).toBe(guid);
    }
  });
});

type Offering = Parameters<typeof operationOf>[0];

describe('a deletion', () => {
  const owner = 'payer with one of each';
  const kinds = ['Payment', 'Recurrence', 'Unscheduled'];
  const deletionsOf = ({ operations }: Offering) =>
    operations.filter(({ rel }) => rel.startsWith('delete-')).map(({ rel }) => rel);

  it.each(kinds)('of one of type %s is found, and works, wherever it is shown', async (tokenType) => {
    const rel = `delete-${tokenType.toLowerCase()}tokens`;
    const owned = `/psp/paymentorders/payerownedtokens/${encodeURIComponent(owner)}`;
    const payer = shop.payerPath(owner);
    const shown: readonly [state: string, find: (guid: string) => Promise<Offering>][] = [
      ['Active', async (guid) => (await shop.get(shop.tokenPath(guid))).body],
      ['Archived', async (guid) => (await shop.get(shop.tokenPath(guid))).body],
      ['Active', async () => (await shop.get(`${payer}/tokens`)).body.tokens.tokenlist[0]],
      ['Archived', async () => (await shop.get(`${payer}/tokens`)).body.tokens.tokenlist[0]],
      ['Archived', async () => (await shop.get(`${payer}/archives`)).body.tokens.tokenlist[0]],
      ['Active', async () => (await shop.get(owned)).body.payerOwnedTokens.tokens[0]],
      ['Active', async (guid) => (await shop.rename(guid, 'Another name')).body],
      ['Active', async (guid) => (await shop.archive(guid)).body],
      ['Active', async () => (await shop.archiveAll(owner)).body.tokens.tokenlist[0]],
    ];
    for (const [index, [state, find]] of shown.entries()) {
      const members = { payerReference: owner, tokenType, ...(state === 'Archived' && ARCHIVED) };
      const [guid = ''] = await shop.store(cardLine(100 + index, members));
      const body = await find(guid);
      expect([index, deletionsOf(body)]).toEqual([index, [rel]]);
      const deleted = await shop.patch(operationOf(body, rel).href, DELETION);
      expect([index, deleted.status, deleted.body.token ?? deleted.body.paymentToken]).toEqual([index, 200, guid]);
    }
  });

  it('of one that has no address of its own goes with all of its payer, which their list says', async () => {
    const [guid = ''] = await shop.store(cardLine(120, { payerReference: 'on file', tokenType: 'TransactionOnFile' }));
    expect(deletionsOf((await shop.get(shop.tokenPath(guid))).body)).toEqual([]);
    const { body } = await shop.get(`${shop.payerPath('on file')}/tokens`);
    expect(deletionsOf(body)).toEqual(['delete-payerownedtokens']);
    const deleted = await shop.patch(operationOf(body, 'delete-payerownedtokens').href, DELETION);
    expect(deleted.body.payerOwnedTokens.tokens).toMatchObject([{ token: guid }]);
    expect(deleted.body.payerOwnedTokens.tokens[0]).not.toHaveProperty('operations');
  });
});

describe('what a payer has stored', () => {
  const pathOf = (payer: string, query = '') =>
    `/psp/paymentorders/payerownedtokens/${encodeURIComponent(payer)}${query}`;
  const guidsOf = (body: { payerOwnedTokens: { tokens: { token: string }[] } }) =>
    body.payerOwnedTokens.tokens.map(({ token }) => token);

  it('is listed newest first, only what is active, with its deletion, which works', async () => {
    const of = { payerReference: 'owner 1' };
    const guids = await shop.store(
      cardLine(10, of),
      cardLine(11, { ...of, ...ARCHIVED }),
      invoiceLine(12, { ...of, tokenType: 'TransactionOnFile' }),
    );
    const { status, body } = await shop.get(pathOf('owner 1'));
    expect(status).toBe(200);
    expect(body.payerOwnedTokens).toMatchObject({
      id: '/psp/paymentorders/payerownedtokens/owner%201',
      payerReference: 'owner 1',
      tokens: [
        {
          tokenType: 'TransactionOnFile',
          token: guids[2],
          instrument: 'Invoice-PayLater',
          instrumentParameters: { email: 'payer-12@example.com', msisdn: '+4740000012', zipCode: '0150' },
        },
        { tokenType: 'Payment', token: guids[0], instrument: 'CreditCard' },
      ],
    });
    expect(body.operations).toHaveLength(1);
    const deleted = await shop.patch(operationOf(body, 'delete-payerownedtokens').href, DELETION);
    expect(guidsOf(deleted.body)).toHaveLength(3);
  });

  it('is an empty list for an unknown payer', async () => {
    const { status, body } = await shop.get(pathOf('nobody'));
    expect([status, guidsOf(body)]).toEqual([200, []]);
  });

  it('comes in pages, as the other lists do', async () => {
    const lines = Array.from({ length: 5 }, (_, index) => accountLine(index, { payerReference: 'pages' }));
    const guids = await shop.store(...lines);
    const found: string[][] = [];
    for (let href: string | undefined = pathOf('pages', '?limit=2'); href !== undefined; ) {
      const { status, body } = await shop.get(href);
      expect(status).toBe(200);
      found.push(guidsOf(body));
      const more: boolean = body.operations.some(({ rel }: { rel: string }) => rel === 'next');
      href = more ? operationOf(body, 'next').href : undefined;
    }
    expect(found.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(found.flat()).toEqual([...guids].reverse());
  });

  it('is cut after 1000 and says so; all of it is deleted at once', async () => {
    const lines = Array.from({ length: 1001 }, (_, index) => accountLine(index, { payerReference: 'hoarder' }));
    const guids = await shop.store(...lines);
    const first = await shop.get(pathOf('hoarder'));
    const second = await shop.get(operationOf(first.body, 'next').href);
    expect(guidsOf(first.body)).toHaveLength(1000);
    expect(guidsOf(second.body)).toEqual([guids[0]]);
    const deleted = await shop.remove('payerownedtokens', 'hoarder');
    expect(guidsOf(deleted.body)).toHaveLength(1001);
  });

  it.each(['limit=0', 'limit=1001', 'cursor=nonsense'])('refuses %s', async (query) => {
    expect((await shop.get(pathOf('pages', `?${query}`))).status).toBe(400);
  });
});

describe('what a payer has stored to pay with, by its older address', () => {
  const address = '/psp/paymentorders/payerOwnedPaymentTokens';

  it('is what the newer address has of type Payment, at a root of its own, whatever the case of the address', async () => {
    const of = { payerReference: 'owner 2' };
    const guids = await shop.store(
      cardLine(130, of),
      cardLine(131, { ...of, tokenType: 'Recurrence' }),
      cardLine(132, { ...of, ...ARCHIVED }),
      cardLine(133, of),
    );
    const { body: all } = await shop.get('/psp/paymentorders/payerownedtokens/owner%202');
    for (const path of [address, address.toLowerCase(), address.toUpperCase()]) {
      const { status, body } = await shop.get(`${path}/owner%202`);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(['operations', 'payerOwnedPaymentTokens']);
      expect(body.payerOwnedPaymentTokens).toEqual({
        id: `${address}/owner%202`,
        payerReference: 'owner 2',
        tokens: all.payerOwnedTokens.tokens.filter(({ tokenType }: { tokenType: string }) => tokenType === 'Payment'),
      });
      expect(body.payerOwnedPaymentTokens.tokens.map(({ token }: { token: string }) => token)).toEqual([
        guids[3],
        guids[0],
      ]);
    }
  });

  it('is deleted there, and nothing else is', async () => {
    const of = { payerReference: 'owner 3' };
    const guids = await shop.store(
      cardLine(140, of),
      cardLine(141, { ...of, tokenType: 'Recurrence' }),
      cardLine(142, { ...of, ...ARCHIVED }),
    );
    const { body } = await shop.get(`${address}/owner%203`);
    const { href } = operationOf(body, 'delete-payerownedpaymenttokens');
    const deleted = await shop.patch(href, DELETION);
    expect(deleted.status).toBe(200);
    const tokens: { token: string; tokenType: string }[] = deleted.body.payerOwnedPaymentTokens.tokens;
    expect(tokens.map(({ token }) => token).sort()).toEqual([guids[0], guids[2]].sort());
    expect(await shop.list('owner 3')).toEqual([guids[1]]);
    expect((await shop.patch(href, DELETION)).body.payerOwnedPaymentTokens.tokens).toEqual([]);
    expect((await shop.get(`${address}/owner%203`)).body.payerOwnedPaymentTokens.tokens).toEqual([]);
  });

  it('comes in pages, whose next one is at the same address', async () => {
    await shop.store(...Array.from({ length: 3 }, (_, index) => cardLine(150 + index, { payerReference: 'owner 4' })));
    const first = await shop.get(`${address}/owner%204?limit=2`);
    const { href } = operationOf(first.body, 'next');
    expect(href).toContain(`${address}/owner%204?`);
    expect((await shop.get(href)).body.payerOwnedPaymentTokens.tokens).toHaveLength(1);
  });

  it('of another payee is not seen', async () => {
    const other = await anotherShop(shop);
    await other.store(cardLine(160, { payerReference: 'owner 5' }));
    expect((await shop.get(`${address}/owner%205`)).body.payerOwnedPaymentTokens.tokens).toEqual([]);
    expect((await other.get(`${address}/owner%205`)).body.payerOwnedPaymentTokens.tokens).toHaveLength(1);
  });
});

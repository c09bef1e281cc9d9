import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHIVED, accountLine, cardLine, invoiceLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, operationOf, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
/** Of the payer `mixed`, the oldest first. */
let mixed: string[];
beforeAll(async () => {
  shop = await openShop();
  mixed = [
    ...(await shop.store(cardLine(0, { payerReference: 'mixed' }))),
    ...(await shop.store(cardLine(1, { payerReference: 'mixed', tokenType: 'Recurrence', ...ARCHIVED }))),
    ...(await shop.store(accountLine(2, { payerReference: 'mixed', tokenType: 'Unscheduled' }))),
    ...(await shop.store(
      invoiceLine(3, { payerReference: 'mixed' }),
      cardLine(4, { payerReference: 'mixed', tokenType: 'TransactionOnFile', ...ARCHIVED }),
    )),
  ];
});
afterAll(() => shop.stop());

const guidsOf = (body: { tokens: { tokenlist: { token: string }[] } }) =>
  body.tokens.tokenlist.map(({ token }) => token);

describe("a payer's tokens", () => {
  it('are listed newest first, active and archived, each with what a single read answers', async () => {
    const { status, body } = await shop.get(`${shop.payerPath('mixed')}/tokens`);
    expect(status).toBe(200);
    expect(guidsOf(body)).toEqual([...mixed].reverse());
    const singles = await Promise.all(guidsOf(body).map((guid) => shop.get(shop.tokenPath(guid))));
    expect(body.tokens.tokenlist).toEqual(
      singles.map((single) => ({ ...single.body.token, operations: single.body.operations })),
    );
  });

  it('come with the id, the payer, where they came from, and what can be done with all of them', async () => {
    const { body } = await shop.get(`${shop.payerPath('mixed')}/tokens`);
    const id = `${shop.payerPath('mixed')}/tokens`;
    expect(body.tokens).toMatchObject({ id, payerReference: 'mixed', migratedFromConsumerProfile: true });
    const json = { contentType: 'application/json' };
    expect(body.operations).toEqual([
      { method: 'GET', rel: 'get-payer-tokens', href: `${shop.baseUrl}${id}`, ...json },
      {
        method: 'PATCH',
        rel: 'archive-payer-tokens',
        href: `${shop.baseUrl}${shop.payerPath('mixed')}/archives`,
        ...json,
      },
      {
        method: 'PATCH',
        rel: 'delete-payerownedtokens',
        href: `${shop.baseUrl}/psp/paymentorders/payerownedtokens/mixed`,
        ...json,
      },
    ]);
  });

  it('are only the archived ones under archives, whose id ends in /tokens too', async () => {
    const { body } = await shop.get(`${shop.payerPath('mixed')}/archives`);
    expect(guidsOf(body)).toEqual([mixed[4], mixed[1]]);
    expect(body.tokens.id).toBe(`${shop.payerPath('mixed')}/tokens`);
    expect(body.operations.map(({ rel }: { rel: string }) => rel)).toEqual([
      'get-payer-tokens',
      'archive-payer-tokens',
      'delete-payerownedtokens',
    ]);
  });

  it.each(['tokens', 'archives'])('are none for an unknown payer: %s', async (collection) => {
    const { status, body } = await shop.get(`${shop.payerPath('nobody')}/${collection}`);
    expect(status).toBe(200);
    expect(body.tokens).toEqual({
      id: `${shop.payerPath('nobody')}/tokens`,
      payerReference: 'nobody',
      migratedFromConsumerProfile: false,
      tokenlist: [],
    });
  });

  it('are the own payee`s only', async () => {
    const other = await anotherShop(shop);
    expect(await other.list('mixed')).toEqual([]);
    expect((await shop.get(`${other.payerPath('mixed')}/tokens`)).status).toBe(404);
  });

  it('were migrated only where the collection itself has one that was', async () => {
    await shop.store(cardLine(20, { payerReference: 'unarchived' }));
    const archives = await shop.get(`${shop.payerPath('unarchived')}/archives`);
    expect(archives.body.tokens.migratedFromConsumerProfile).toBe(false);
    const [guid = ''] = await shop.store(cardLine(21, { payerReference: 'leaver' }));
    await shop.remove('paymentTokens', guid);
    const left = await shop.get(`${shop.payerPath('leaver')}/tokens`);
    expect(left.body.tokens.migratedFromConsumerProfile).toBe(false);
  });
});

describe('filters', () => {
  it.each([
    ['?state=Active', [3, 2, 0]],
    ['?state=Archived', [4, 1]],
    ['?tokenType=Payment', [3, 0]],
    ['?tokenType=TransactionOnFile', [4]],
    ['?instrument=CreditCard', [4, 1, 0]],
    ['?instrument=Invoice-PayLater', [3]],
    ['?instrument=Nothing', []],
    ['?state=Active&tokenType=Payment&instrument=CreditCard', [0]],
    ['?state=Archived&tokenType=Payment', []],
  ])('%s', async (query, places) => {
    expect(await shop.list('mixed', query)).toEqual(places.map((place) => mixed[place]));
  });

  it('work on the archives too', async () => {
    const archives = `${shop.payerPath('mixed')}/archives`;
    expect(guidsOf((await shop.get(`${archives}?tokenType=Recurrence`)).body)).toEqual([mixed[1]]);
    expect(guidsOf((await shop.get(`${archives}?state=Active`)).body)).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['state=Deleted', 'state'],
    ['state=actively', 'state'],
    ['tokenType=Gift', 'tokenType'],
    ['instrument=', 'instrument'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=2026-02-30T00:00:00+00~00000000-0000-4000-8000-000000000000', 'cursor'],
    [`cursor=${'9'.repeat(201)}`, 'cursor'],
  ])('that are wrong are refused and named: %s', async (query, name) => {
    const { status, body } = await shop.get(`${shop.payerPath('mixed')}/tokens?${query}`);
    expect(status).toBe(400);
    expect(body.problems.map((problem: { name: string }) => problem.name)).toEqual([name]);
  });
});

describe('pages', () => {
  const walk = async (first: string): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let href: string | undefined = first; href !== undefined; ) {
      const { status, body } = await shop.get(href);
      expect(status).toBe(200);
      pages.push(guidsOf(body));
      const more = body.operations.some(({ rel }: { rel: string }) => rel === 'next');
      href = more ? operationOf(body, 'next').href : undefined;
    }
    return pages;
  };

  it('follow one another by the operation next, to the last token and no further', async () => {
    const pages = await walk(`${shop.payerPath('mixed')}/tokens?limit=2`);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual([...mixed].reverse());
  });

  it('have no next where the last page is full', async () => {
    const pages = await walk(`${shop.payerPath('mixed')}/tokens?limit=5`);
    expect(pages).toHaveLength(1);
  });

  it('keep the filters and the collection', async () => {
    const cards = await walk(`${shop.payerPath('mixed')}/tokens?limit=1&instrument=CreditCard&state=Archived`);
    expect(cards).toEqual([[mixed[4]], [mixed[1]]]);
    expect(await walk(`${shop.payerPath('mixed')}/archives?limit=1`)).toEqual([[mixed[4]], [mixed[1]]]);
  });

  it('hold 1000 tokens where the request does not say how many, and say so with next', async () => {
    const lines = Array.from({ length: 1001 }, (_, index) => accountLine(index, { payerReference: 'hoarder' }));
    const guids = await shop.store(...lines);
    const pages = await walk(`${shop.payerPath('hoarder')}/tokens`);
    expect(pages.map((page) => page.length)).toEqual([1000, 1]);
    expect(pages.flat()).toEqual([...guids].reverse());
    const all = await shop.archiveAll('hoarder');
    expect(guidsOf(all.body)).toHaveLength(1000);
    expect(await walk(operationOf(all.body, 'next').href)).toEqual([[guids[0]]]);
  });
});

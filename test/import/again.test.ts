import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile, settingsOf } from '../support/shop/tokens-command.ts';
import { ARCHIVED, accountLine, cardLine, fileOf, invoiceLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());

const importLines = (lines: readonly object[]) => importFile(fileOf(lines), settings);

describe('the same file again', () => {
  it('imports nothing twice and leaves what was changed meanwhile: renamed, archived, deleted', async () => {
    const [keeper, renamed, archived, deleted] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const of = (token: string) => ({ payerReference: 'again', token });
    const lines = [
      cardLine(0, of(keeper)),
      cardLine(1, of(renamed)),
      accountLine(2, of(archived)),
      invoiceLine(3, of(deleted)),
      cardLine(4, { payerReference: 'again', tokenType: 'Unscheduled' }),
      accountLine(5, { payerReference: 'again', ...ARCHIVED }),
      invoiceLine(6, { payerReference: 'again' }),
    ];
    expect((await importLines(lines)).summary).toEqual({ lines: 7, imported: 7, unchanged: 0, rejected: 0 });
    await shop.rename(renamed, 'Renamed');
    await shop.archive(archived, { reason: 'by hand' });
    await shop.remove('paymentTokens', deleted);
    const withoutGuid = (await shop.list('again', '?instrument=Invoice-PayLater'))[0] ?? '';
    await shop.remove('paymentTokens', withoutGuid);
    const before = (await shop.get(`${shop.payerPath('again')}/tokens`)).body;
    expect(before.tokens.tokenlist).toHaveLength(5);
    expect((await importLines(lines)).summary).toEqual({ lines: 7, imported: 0, unchanged: 7, rejected: 0 });
    expect((await shop.get(`${shop.payerPath('again')}/tokens`)).body).toEqual(before);
  });

  it('in another order, and in one file twice, imports nothing twice', async () => {
    const lines = [1, 2, 3].map((index) => cardLine(index, { payerReference: 'order' }));
    expect((await importLines([...lines, ...lines])).summary).toMatchObject({ imported: 3, unchanged: 3 });
    expect((await importLines([...lines].reverse())).summary).toMatchObject({ imported: 0, unchanged: 3 });
  });

  it('lists the last line of the file first', async () => {
    const guids = [1, 2, 3].map(() => randomUUID());
    await importLines(guids.map((token, index) => cardLine(index, { payerReference: 'sorted', token })));
    expect(await shop.list('sorted')).toEqual([...guids].reverse());
  });
});

describe('a GUID', () => {
  it('keeps its form: in capital letters it is the same one', async () => {
    const token = randomUUID();
    const line = cardLine(10, { payerReference: 'guid' });
    const { summary } = await importLines([
      { ...line, token: token.toUpperCase() },
      { ...line, token },
    ]);
    expect(summary).toMatchObject({ imported: 1, unchanged: 1 });
    expect((await shop.get(shop.tokenPath(token))).body.token.token).toBe(token);
  });

  it('with anything else another is refused, in the same file and in the next: the first line stands', async () => {
    const OTHERS: Readonly<Record<string, object>> = {
      payer: { payerReference: 'another payer' },
      type: { tokenType: 'Recurrence' },
      card: { pan: cardLine(12)['pan'] ?? '' },
      expiry: { expiryDate: '02/2030' },
      name: { instrumentDisplayName: 'Other' },
      state: ARCHIVED,
      'network token': { lastFourDPan: '4242' },
    };
    const pairs = Object.entries(OTHERS).map(([what, members]) => {
      const line = cardLine(11, { payerReference: 'twice', token: randomUUID() });
      return { what, line, changed: { ...line, ...members } };
    });
    // One run for all: three lines each, of which the second one is changed.
    const same = await importLines(pairs.flatMap(({ line, changed }) => [line, changed, line]));
    const count = pairs.length;
    expect(same.summary).toEqual({ lines: 3 * count, imported: count, unchanged: count, rejected: count });
    const refused = same.rejected.map(({ line, member }) => [pairs[(line - 2) / 3]?.what, member]);
    expect(refused).toEqual(pairs.map(({ what }) => [what, 'token']));
    for (const { reason } of same.rejected) expect(reason).toContain('other content');
    const next = await importLines(pairs.map(({ changed }) => changed));
    expect(next.rejected.map(({ line, member }) => [pairs[line - 1]?.what, member])).toEqual(refused);
    for (const { what, line } of pairs) {
      const { token } = (await shop.get(shop.tokenPath(line['token'] ?? ''))).body;
      expect(token, what).toMatchObject({ payerReference: 'twice', tokenType: 'Payment', state: 'Active' });
    }
  });

  it('of a deleted token stays deleted: the same line is unchanged, another one refused', async () => {
    const line = cardLine(13, { payerReference: 'dead', token: randomUUID() });
    await importLines([line]);
    await shop.remove('paymentTokens', line['token'] ?? '');
    const { summary } = await importLines([line, { ...line, expiryDate: '09/2035' }]);
    expect(summary).toEqual({ lines: 2, imported: 0, unchanged: 1, rejected: 1 });
    expect((await shop.get(shop.tokenPath(line['token'] ?? ''))).status).toBe(404);
  });

  it('is one payee`s own: another payee may have the same one', async () => {
    const other = await anotherShop(shop);
    const line = cardLine(14, { token: randomUUID() });
    expect(await shop.importLines([line])).toEqual(['imported']);
    expect(await shop.importLines([line], other.payeeId)).toEqual(['imported']);
    await shop.remove('paymentTokens', line['token'] ?? '');
    expect((await other.get(other.tokenPath(line['token'] ?? ''))).status).toBe(200);
  });
});

describe('a line without GUID', () => {
  it('is known by payer, type and instrument: another expiry, name or state is no other line', async () => {
    const line = cardLine(20, { payerReference: 'known' });
    const same = [{ expiryDate: '12/2039' }, { instrumentDisplayName: 'New' }, ARCHIVED];
    const other = [
      { payerReference: 'known to another' },
      { tokenType: 'Recurrence' },
      { pan: cardLine(21)['pan'] ?? '' },
    ];
    const outcomes = await shop.importLines([line, ...[...same, ...other].map((members) => ({ ...line, ...members }))]);
    expect(outcomes).toEqual(['imported', 'unchanged', 'unchanged', 'unchanged', 'imported', 'imported', 'imported']);
  });

  it('is known where a line with a GUID brought it; one with a GUID is a token of its own', async () => {
    const line = cardLine(22, { payerReference: 'both' });
    const outcomes = await shop.importLines([{ ...line, token: randomUUID() }, line, { ...line, token: randomUUID() }]);
    expect(outcomes).toEqual(['imported', 'unchanged', 'imported']);
  });

  it('stays deleted when its token was', async () => {
    const line = accountLine(23, { payerReference: 'leaver' });
    await shop.importLines([line]);
    await shop.remove('payerownedtokens', 'leaver');
    expect(await shop.importLines([line])).toEqual(['unchanged']);
    expect(await shop.list('leaver')).toEqual([]);
    const [row] = await shop.database.asAdmin(`select * from payer_token where payer_reference = 'leaver'`);
    expect(JSON.stringify(row)).not.toContain('NO000000023');
  });
});

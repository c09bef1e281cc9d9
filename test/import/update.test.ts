import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { importFile, settingsOf } from '../support/shop/tokens-command.ts';
import { ARCHIVED, accountLine, cardLine, fileOf } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, type Shop } from '../support/shop/tokens-shop.ts';

// New numbers and expiries of cards whose tokens are there.

let shop: Shop;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());

const importLines = (lines: readonly object[], ...args: readonly string[]) =>
  importFile(fileOf(lines), settings, ['--payee', shop.payeeId, ...args]);
const update = (...lines: readonly object[]) => importLines(lines, '--update', '--allow-refused');
const shown = async (token: string) => (await shop.get(shop.tokenPath(token))).body.token;
const events = async (token: string) =>
  (
    await shop.database.asAdmin(
      `select type, resource_sequence as n, payload from event where resource_id like '${token}-%' order by resource_sequence`,
    )
  ).map(({ type, n, payload }) => [type, Number(n), payload]);
const numberOf = async (token: string) =>
  (
    await shop.database.asAdmin(
      `select i.masked, i.instrument_id from payer_token t join instrument i using (payee_id, instrument_id) where t.token = '${token}'`,
    )
  )[0];

async function stored(index: number, members: Record<string, string> = {}): Promise<string> {
  const token = randomUUID();
  const { summary } = await importLines([cardLine(index, { token, ...members })]);
  expect(summary?.imported).toBe(1);
  return token;
}

describe('with --update', () => {
  it('a line gives a token another expiry, and what else it is stays', async () => {
    const token = await stored(1);
    await shop.rename(token, 'The blue card');
    const before = await shown(token);
    const { summary, code } = await update({ token: token.toUpperCase(), expiryDate: '12/2032' });
    expect([code, summary]).toEqual([0, { lines: 1, imported: 0, updated: 1, unchanged: 0, rejected: 0 }]);
    const after = await shown(token);
    expect(after.instrumentParameters.expiryDate ?? after.instrumentParameters.expiryPan).toBe('12/2032');
    expect({ ...after, instrumentParameters: undefined }).toEqual({ ...before, instrumentParameters: undefined });
    expect((await events(token)).at(-1)).toEqual(['token.updated', 2, { token, tokenType: 'Payment' }]);
    expect((await shop.auditOf(token)).map(({ action }) => action)).toEqual([
      'import-token',
      'rename-token',
      'update-token',
    ]);
    expect((await update({ token, expiryDate: '12/2032' })).summary).toMatchObject({ updated: 0, unchanged: 1 });
    // The line that it came by, but for its expiry, is still the token's.
    expect((await importLines([cardLine(1)])).summary).toMatchObject({ imported: 0, unchanged: 1 });
  });

  it('a line gives it another number: other tokens of the card keep it, and a card that none uses is destroyed', async () => {
    const [one, other] = [await stored(2), await stored(2, { tokenType: 'Recurrence' })];
    const before = await shown(one);
    const card = await numberOf(one);
    await update({ token: one, pan: '5226600159865967' });
    const after = await shown(one);
    expect(after.correlationId).toBe(before.correlationId);
    expect(after.instrumentDisplayName).toBe(before.instrumentDisplayName);
    expect(after.instrumentParameters).toMatchObject({ cardBrand: 'Mastercard', lastFourPan: '5967' });
    expect((await numberOf(other))?.['instrument_id']).toBe(card?.['instrument_id']);
    const cards = () =>
      shop.database.asAdmin(`select 1 from instrument where instrument_id = '${card?.['instrument_id']}'`);
    expect(await cards()).toHaveLength(1);
    await update({ token: other, pan: '5226600159865967', expiryDate: '02/2031' });
    expect(await cards()).toHaveLength(0);
    expect((await numberOf(other))?.['instrument_id']).toBe((await numberOf(one))?.['instrument_id']);
    // A line without a GUID is known by the new number, and by the earlier one, which is destroyed: the first file may come again.
    expect((await importLines([cardLine(2)])).summary).toMatchObject({ imported: 0, unchanged: 1 });
    expect((await importLines([cardLine(2, { expiryDate: '11/2033' })])).summary).toMatchObject({ imported: 1 });
    expect((await importLines([cardLine(2, { pan: '5226600159865967' })])).summary).toMatchObject({ unchanged: 1 });
    const renewed = await numberOf(one);
    for (const token of [one, other]) await shop.remove(token === one ? 'paymentTokens' : 'recurrenceTokens', token);
    expect(
      await shop.database.asAdmin(`select 1 from instrument where instrument_id = '${renewed?.['instrument_id']}'`),
    ).toHaveLength(0);
  });

  it('the same GUID twice in a file is updated twice, in its order, and told of once', async () => {
    const token = await stored(3);
    const lines = [
      { token, expiryDate: '01/2031' },
      { token, pan: testCardNumber(4) },
      { token, expiryDate: '02/2031' },
    ];
    expect((await update(...lines)).summary).toMatchObject({ updated: 3 });
    expect(await numberOf(token)).toMatchObject({ masked: expect.stringContaining(testCardNumber(4).slice(-4)) });
    expect((await events(token)).map(([type]) => type)).toEqual(['token.updated']);
  });

  it('a number that a later line of the same file replaces is not kept', async () => {
    const token = await stored(15);
    const { pan } = cardLine(15) as unknown as { readonly pan: string };
    await update({ token, pan: testCardNumber(16) }, { token, pan: testCardNumber(17) });
    await update({ token, pan: testCardNumber(18) }, { token, pan });
    expect(await numberOf(token)).toMatchObject({ masked: expect.stringContaining(pan.slice(-4)) });
    const unused = await shop.database.asAdmin(
      'select i.masked from instrument i left join payer_token t using (payee_id, instrument_id) where t.token is null',
    );
    expect(unused).toEqual([]);
  });

  it('other lines are imported as before, also between those', async () => {
    const [token, fresh] = [await stored(5), randomUUID()];
    const { summary, rejected } = await update(
      cardLine(6),
      { token, expiryDate: '03/2031' },
      cardLine(7, { token: fresh }),
      { token: randomUUID(), expiryDate: '03/2031' },
      cardLine(6),
    );
    expect(summary).toEqual({ lines: 5, imported: 2, updated: 1, unchanged: 1, rejected: 1 });
    expect(rejected).toEqual([
      { line: 4, member: 'payerReference', reason: 'is required, unless token is the GUID of a token that is there' },
    ]);
    expect((await shown(fresh)).token).toBe(fresh);
  });

  it('an archived token stays so, and a deleted one too', async () => {
    const [archived, deleted] = [await stored(8, ARCHIVED as Record<string, string>), await stored(9)];
    await shop.remove('paymentTokens', deleted);
    const lines = [archived, deleted].map((token) => ({ token, pan: testCardNumber(10), expiryDate: '04/2031' }));
    expect((await update(...lines)).summary).toMatchObject({ updated: 1, unchanged: 1 });
    expect((await shown(archived)).state).toBe('Archived');
    expect((await shop.get(shop.tokenPath(deleted))).status).toBe(404);
  });

  it('what cannot be is refused, and changes nothing', async () => {
    const token = await stored(11);
    const [account] = await shop.store(accountLine(12));
    const before = await shown(token);
    const { rejected } = await update(
      { token },
      { token, pan: '4925000000000005' },
      { token, pan: `4${'0'.repeat(14)}2` },
      { token, payerReference: 'bodil', expiryDate: '05/2031' },
      { token, tokenType: 'Recurrence', expiryDate: '05/2031' },
      { token: account, expiryDate: '05/2031' },
      { token, expiryDate: '13/2031' },
    );
    expect(rejected.map(({ line, member }) => [line, member])).toEqual([
      [1, 'pan'],
      [2, 'pan'],
      [3, 'pan'],
      [4, 'token'],
      [5, 'token'],
      [6, 'token'],
      [7, 'expiryDate'],
    ]);
    expect(await shown(token)).toEqual(before);
  });

  it("another payee's token is unknown", async () => {
    const token = await stored(13);
    const other = await anotherShop(shop);
    const file = fileOf([{ token, expiryDate: '06/2031' }]);
    const { summary } = await importFile(file, settings, ['--payee', other.payeeId, '--update', '--allow-refused']);
    expect(summary).toMatchObject({ updated: 0, rejected: 1 });
  });
});

it('without --update the same line is refused, as before', async () => {
  const token = await stored(14);
  const { summary } = await importLines([cardLine(14, { token, expiryDate: '07/2031' })], '--allow-refused');
  expect(summary).toEqual({ lines: 1, imported: 0, unchanged: 0, rejected: 1 });
});

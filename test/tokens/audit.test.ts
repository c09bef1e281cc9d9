import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHIVED, cardLine } from '../support/shop/tokens-lines.ts';
import { ARCHIVING, openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const actionsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ action }) => action);
const countAudit = async () => {
  const [row] = await shop.database.asAdmin('select count(*)::int as count from audit');
  return row?.['count'];
};

describe('a change', () => {
  it('leaves one row: who, what, which, in which session', async () => {
    const [guid = ''] = await shop.store(cardLine(0));
    const sessionId = randomUUID();
    const headers = { 'session-id': sessionId };
    await shop.rename(guid, 'Other', { headers });
    await shop.archive(guid, {}, { headers });
    await shop.remove('paymentTokens', guid, { headers });
    const rows = await shop.auditOf(guid);
    expect(actionsOf(rows)).toEqual(['import-token', 'rename-token', 'archive-token', 'delete-token']);
    for (const row of rows) {
      expect(row).toMatchObject({ payee_id: shop.payeeId, object_kind: 'token', object_id: `${guid}-Payment` });
    }
    expect(rows[0]).toMatchObject({ actor: 'operator:cli', session_id: null });
    for (const row of rows.slice(1)) {
      expect(row).toMatchObject({ actor: expect.stringMatching(/^access-token:/), session_id: sessionId });
    }
    expect(rows[2]).toMatchObject({ details: { archivedBy: 'PAYEE' } });
  });

  it('of all tokens of a payer leaves one row for each that changed', async () => {
    const of = { payerReference: 'all' };
    const guids = await shop.store(cardLine(1, of), cardLine(2, of), cardLine(3, { ...of, ...ARCHIVED }));
    await shop.archiveAll('all');
    await shop.archiveAll('all');
    await shop.remove('payerownedtokens', 'all');
    await shop.remove('payerownedtokens', 'all');
    const found = await Promise.all(guids.map(async (guid) => actionsOf(await shop.auditOf(guid))));
    const changed = ['import-token', 'archive-token', 'delete-token'];
    expect(found).toEqual([changed, changed, ['import-token', 'delete-token']]);
  });

  it('that changes nothing leaves none: archived or deleted before, imported before', async () => {
    const line = cardLine(4);
    const [guid = ''] = await shop.store(line);
    await shop.archive(guid);
    await shop.archive(guid);
    await shop.remove('paymentTokens', guid);
    await shop.remove('paymentTokens', guid);
    expect(await shop.importLines([line])).toEqual(['unchanged']);
    expect(actionsOf(await shop.auditOf(guid))).toEqual(['import-token', 'archive-token', 'delete-token']);
  });

  it('that is refused leaves none', async () => {
    const [guid = ''] = await shop.store(cardLine(5));
    const reader = { accessToken: await shop.addAccessToken(['tokens:read']) };
    const writer = { accessToken: await shop.addAccessToken(['tokens:write']) };
    const before = await countAudit();
    const statuses = [
      await shop.rename(guid, ''),
      await shop.rename(guid, 'x', reader),
      await shop.rename(`${guid}-Recurrence`, 'x'),
      await shop.archive(guid, { updatedBy: 'TOKEN_ISSUER' }, writer),
      await shop.archiveAll('anna', { updatedBy: 'TOKEN_ISSUER' }, writer),
      await shop.remove('recurrenceTokens', guid),
      await shop.remove('payerownedtokens', 'anna', { accessToken: 'kt_test_nonsense' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 403, 404, 403, 403, 404, 401]);
    expect(await countAudit()).toBe(before);
  });

  it('stands and falls with its row: where the row cannot be written, nothing changes', async () => {
    const [guid = ''] = await shop.store(cardLine(6));
    await shop.database.asAdmin(
      `alter table audit add constraint no_more check (object_id <> '${guid}-Payment') not valid`,
    );
    const statuses = [
      await shop.rename(guid, 'Unwritten'),
      await shop.archive(guid),
      await shop.remove('paymentTokens', guid),
    ].map(({ status }) => status);
    await shop.database.asAdmin('alter table audit drop constraint no_more');
    expect(statuses).toEqual([500, 500, 500]);
    const { body } = await shop.get(shop.tokenPath(guid));
    expect(body.token).toMatchObject({ state: 'Active', instrumentDisplayName: expect.stringContaining('*') });
    expect(body.token.instrumentParameters.bin).toBeDefined();
  });

  it('does not write what a person said', async () => {
    const [guid = ''] = await shop.store(cardLine(7));
    await shop.rename(guid, 'Grandmother');
    await shop.archive(guid, { reason: 'she told me so' });
    const text = JSON.stringify(await shop.auditOf(guid));
    expect(text).not.toMatch(/Grandmother|told|anna/);
  });
});

describe('the past', () => {
  it.each([`update audit set actor_kind = 'nobody'`, 'delete from audit', 'truncate audit'])(
    'cannot be changed by the service: %s',
    async (sql) => {
      const statement = { name: 'test-change-the-past', text: sql };
      await expect(shop.database.transact((transaction) => transaction.run(statement, []))).rejects.toThrow();
      expect(await countAudit()).toBeGreaterThan(0);
    },
  );

  it.each([
    `update audit set actor_kind = 'nobody'`,
    `update audit set details = details - 'address'`,
    'delete from audit',
    'truncate audit',
  ])('nor by the owner of the tables: %s', async (sql) => {
    await expect(shop.database.asAdmin(`set role kontor_owner; ${sql}`)).rejects.toThrow('stay as they are');
  });
});

it('the same session id comes back where it was sent', async () => {
  const sessionId = randomUUID();
  const answer = await shop.patch(`${shop.payerPath('anna')}/archives`, ARCHIVING, {
    headers: { 'session-id': sessionId },
  });
  expect(answer.headers.get('session-id')).toBe(sessionId);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCOPES, SERVICE } from '../../src/kit/caller.ts';
import type { Kontor } from '../../src/kontor.types.ts';
import { createAccessToken, revokeAccessToken } from '../../src/merchants/access-tokens/access-tokens.ts';
import { findCaller } from '../../src/merchants/access-tokens/find-caller.ts';
import { revokeHmacKey } from '../../src/merchants/hmac-keys/hmac-keys.ts';
import { revokeOAuthClient } from '../../src/merchants/oauth/oauth-clients.ts';
import { createPayee } from '../../src/merchants/payees/create-payee.ts';
import { selectPayees } from '../../src/merchants/payees/payees.store.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { merchantsContext } from '../../test/support/shop/merchants.ts';
import { ensureSandboxMerchant } from './ensure-merchant.ts';
import type { SandboxCredentials } from './merchant.types.ts';

const actor = SERVICE;
let database: TestDatabase;
let context: Kontor;
let first: SandboxCredentials;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  first = (await ensure(first)).credentials;
});

const ensure = (file: unknown) =>
  database.transact((transaction) => ensureSandboxMerchant(transaction, context, { file, actor }));

describe('the demo payee', () => {
  it('is made at the first start, with credentials that may do everything', async () => {
    const find = findCaller(context, { now: () => 0, noteUse: () => undefined });
    expect(await find(first.accessToken)).toMatchObject({ payeeId: first.payeeId, scopes: new Set(SCOPES) });
    expect(first).toEqual({
      payeeId: expect.any(String),
      accessToken: expect.stringMatching(/^kt_test_/),
      oauth: { clientId: expect.stringMatching(/^kc_/), clientSecret: expect.stringMatching(/^ks_/) },
      hmac: { user: expect.stringMatching(/^hk_/), secret: expect.stringMatching(/^hs_/) },
    });
    const { rows: payees } = await database.transact((transaction) => selectPayees(transaction, null));
    expect(payees).toMatchObject([{ payeeId: first.payeeId, name: 'Demo shop' }]);
  });

  it('stays as it is at a later start, whatever else the file holds', async () => {
    const file = {
      baseUrl: 'http://127.0.0.1:8080',
      ...first,
      oauth: { tokenUrl: 'x', ...first.oauth },
      testCards: [],
    };
    expect(await ensure(file)).toEqual({ credentials: first, made: [] });
  });

  it.each(['accessToken', 'oauth', 'hmac'] as const)('gets back what the file lacks: %s', async (part) => {
    const { [part]: _, ...rest } = first;
    const { credentials, made } = await ensure(rest);
    expect(made).toEqual([part]);
    expect(credentials).toMatchObject(rest);
    expect(credentials[part]).toBeDefined();
    expect((await ensure(credentials)).made).toEqual([]);
  });

  it('is found again by its name where the file was lost', async () => {
    const { credentials, made } = await ensure(undefined);
    expect(credentials.payeeId).toBe(first.payeeId);
    expect(made).toEqual(['accessToken', 'oauth', 'hmac']);
  });

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['other types', { payeeId: 7, accessToken: {}, oauth: [], hmac: 'x' }],
    ['another database', { payeeId: '018f3c5e-7a10-7c3e-9b1a-0123456789ab', accessToken: 'kt_test_x' }],
  ])('is made sure of where the file is useless: %s', async (_, file) => {
    const { credentials, made } = await ensure(file);
    expect(credentials.payeeId).toBe(first.payeeId);
    expect(made).toEqual(['accessToken', 'oauth', 'hmac']);
  });

  it('gets new credentials for those that were revoked', async () => {
    const { payeeId, accessToken, oauth, hmac } = first;
    const find = findCaller(context, { now: () => 0, noteUse: () => undefined });
    const { credential } = (await find(accessToken)) ?? {};
    await database.transact(async (transaction) => {
      const accessTokenId = credential?.id ?? '';
      await revokeAccessToken(transaction, { payeeId, accessTokenId, actor });
      await revokeOAuthClient(transaction, { payeeId, clientId: oauth.clientId, actor });
      await revokeHmacKey(transaction, { payeeId, keyId: hmac.user, actor });
    });
    expect((await ensure(first)).made).toEqual(['accessToken', 'oauth', 'hmac']);
  });

  it('gets new credentials for those that are not its own, or may not do everything', async () => {
    const narrow = await database.transact(async (transaction) => {
      const payeeId = await createPayee(transaction, context, { name: 'Another shop', actor });
      const foreign = await createAccessToken(transaction, context, { payeeId, name: 'x', scopes: SCOPES, actor });
      const { payeeId: demo } = first;
      const own = await createAccessToken(transaction, context, {
        payeeId: demo,
        name: 'x',
        scopes: ['payments'],
        actor,
      });
      return [foreign.accessToken.reveal(), own.accessToken.reveal()];
    });
    for (const accessToken of narrow) {
      expect((await ensure({ ...first, accessToken })).made).toEqual(['accessToken']);
    }
    const swapped = { ...first, hmac: { ...first.hmac, secret: 'hs_other' } };
    expect((await ensure(swapped)).made).toEqual(['hmac']);
  });

  it('is one payee, however many instances start at once', async () => {
    await database.asAdmin(`update payee set name = 'Old shop' where payee_id = '${first.payeeId}'`);
    const all = await Promise.all(Array.from({ length: 6 }, () => ensure(undefined)));
    expect(new Set(all.map(({ credentials }) => credentials.payeeId)).size).toBe(1);
    expect(all.filter(({ made }) => made.includes('payeeId'))).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { merchantsContext } from '../../../test/support/shop/merchants.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import { createAccessToken } from '../access-tokens/access-tokens.ts';
import { openHmacSecret } from '../hmac-keys/find-hmac-secret.ts';
import { selectHmacKeys } from '../hmac-keys/hmac-keys.store.ts';
import { createHmacKey, rotateHmacKey } from '../hmac-keys/hmac-keys.ts';
import { verifyClient } from '../oauth/authenticate-client.ts';
import { issueOAuthToken } from '../oauth/issue-oauth-token.ts';
import { selectOAuthClients } from '../oauth/oauth-clients.store.ts';
import { createOAuthClient } from '../oauth/oauth-clients.ts';
import { createPayee } from '../payees/create-payee.ts';
import { listExpiring, tellExpiring } from './tell-expiring.ts';

const actor = COMMAND_LINE;
let database: TestDatabase;
let context: Kontor;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await database.transact((transaction) => createPayee(transaction, context, { name: 'Shop', actor }));
});
afterAll(() => database.drop());

const made = (expiresIn?: string) =>
  database.transact(async (transaction) => {
    const command = { payeeId, name: 'Shop', scopes: ['events'], expiresIn, actor };
    const token = await createAccessToken(transaction, context, command);
    const client = await createOAuthClient(transaction, context, command);
    const key = await createHmacKey(transaction, context, command);
    return { token, client, key };
  });

/** Lets the time of all credentials run so many days. */
const passDays = (days: number) =>
  database.asAdmin(
    ['access_token', 'oauth_client', 'hmac_key']
      .map(
        (table) => `update ${table} set created_at = created_at - interval '${days} days',
          expires_at = expires_at - interval '${days} days'`,
      )
      .join(';'),
  );

const eventsOf = async (id: string) => {
  const { rows } = await database.read<{ type: string }>(
    { name: 'test-expiring', text: 'select type, payload from event where resource_id = $1' },
    [id],
  );
  return rows;
};

describe('a credential', () => {
  it('ends after twelve months where nothing is said, and not later', async () => {
    const { client, key, token } = await made();
    for (const { expiresAt } of [client, key]) {
      expect(Math.abs(Date.parse(expiresAt) - Date.parse(token.expiresAt))).toBeLessThan(60_000);
    }
    for (const expiresIn of ['13m', '366d', '1h', 'never']) {
      await expect(made(expiresIn)).rejects.toMatchObject({ code: 'inputerror' });
    }
  });

  it('works until its end: a key signs and a client is known no longer', async () => {
    const { client, key } = await made('10d');
    const secrets = { clientId: client.clientId, clientSecret: client.clientSecret.reveal() };
    const works = () =>
      database.transact(async (transaction) => [
        (await verifyClient(transaction, secrets)) !== undefined,
        (await openHmacSecret(transaction, context, { payeeId, keyId: key.user })) !== undefined,
      ]);
    expect(await works()).toEqual([true, true]);
    await passDays(10);
    expect(await works()).toEqual([false, false]);
    await database.transact(async (transaction) => {
      const states = [
        (await selectOAuthClients(transaction, payeeId)).rows.find(({ clientId }) => clientId === client.clientId),
        (await selectHmacKeys(transaction, payeeId)).rows.find(({ keyId }) => keyId === key.user),
      ];
      expect(states.map((one) => one?.state)).toEqual(['Expired', 'Expired']);
    });
    await expect(
      database.transact((transaction) => rotateHmacKey(transaction, context, { payeeId, keyId: key.user, actor })),
    ).rejects.toMatchObject({ code: 'notfound' });
  });

  it('is told of once, 30 days before its end, by one instance, and listed until it is over', async () => {
    const { client, key, token } = await made('40d');
    const short = await made('20d');
    const ids = [token.accessTokenId, key.user, client.clientId];
    await database.transact(tellExpiring);
    for (const id of ids) expect(await eventsOf(id)).toEqual([]);
    await passDays(11);
    await Promise.all(Array.from({ length: 4 }, () => database.transact(tellExpiring)));
    await database.transact(tellExpiring);
    const told = await Promise.all(ids.map(eventsOf));
    expect(told.map((events) => events.map(({ type }) => type))).toEqual([
      ['access-token.expiring'],
      ['hmac-key.expiring'],
      ['oauth-client.expiring'],
    ]);
    expect(await eventsOf(short.key.user)).toEqual([]);
    const listed = await listExpiring({ run: database.read });
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    await passDays(30);
    expect(await listExpiring({ run: database.read })).toEqual([]);
  });

  it('of an OAuth client says on which day it was used last, with one write a day', async () => {
    const { client } = await made();
    const request = {
      form: 'grant_type=client_credentials',
      authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret.reveal()}`)}`,
      network: undefined,
      sessionId: crypto.randomUUID(),
    };
    const used = async () => {
      const { rows } = await database.read<{ day: string | null; row: string }>(
        {
          name: 'test-used',
          text: 'select last_used_on as day, xmin::text as row from oauth_client where client_id = $1',
        },
        [client.clientId],
      );
      return rows[0];
    };
    expect((await used())?.day).toBeNull();
    const issue = () => database.transact((transaction) => issueOAuthToken(transaction, context, request));
    await issue();
    const first = await used();
    expect(first?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
    await issue();
    await Promise.all([issue(), issue(), issue()]);
    expect(await used()).toEqual(first);
  });
});

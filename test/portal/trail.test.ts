import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE, nameOfActor } from '../../src/kit/caller.ts';
import { OPERATOR } from '../../src/kit/ids.ts';
import { notingVisits } from '../../src/portal-users/note-visit.flow.ts';
import { migrateOnly } from '../../src/wiring/service.ts';
import { databaseBefore } from '../support/database/older-database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, PASSWORD, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let operator: Browser;
beforeAll(async () => {
  kontor = await testService({ KONTOR_TRUSTED_PROXIES: '127.0.0.1' });
  operator = await signedIn(kontor, 'operator');
});
afterAll(() => kontor.stop());

interface Row {
  readonly actor: string;
  readonly object: string;
  readonly details: Readonly<Record<string, unknown>>;
}
const rowsOf = async (payeeId: string, action: string) => {
  const { rows } = await kontor.database.read<Row>(
    {
      name: 'test-trail',
      text: `select concat_ws(':', actor_kind, actor_id) as actor, object_id as object, details from audit where payee_id = $1 and action = $2 order by audit_id`,
    },
    [payeeId, action],
  );
  return rows;
};
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('what a person does', () => {
  test('says where they were: by pages, by calls of pages, and with an invitation', async () => {
    const browser = await signedIn(kontor);
    const here = `/portal/api/payees/${kontor.payeeId}`;
    const invited = await browser.post(
      `${here}/users`,
      { email: 'trail@example.com', name: 'Trail', role: 'support' },
      from('192.0.2.1'),
    );
    const invitation = new URL(invited.body.invitation.link).hash.slice(1);
    await openBrowser(kontor.baseUrl).post(
      '/portal/api/invitations/accept',
      { invitation, password: PASSWORD },
      from('192.0.2.2'),
    );
    const { accessToken } = (await browser.post(`${here}/session-credentials`, {}, from('192.0.2.3'))).body;
    await kontor.send('POST', '/webhooks', {
      accessToken,
      headers: { ...from('192.0.2.4'), 'content-type': 'application/json' },
      body: { url: 'http://localhost:3000/hooks', eventTypes: ['payment.*'] },
    });
    const actions = ['create-portal-user', 'accept-invitation', 'create-portal-credentials', 'create-webhook'];
    const addresses = [];
    for (const action of actions) addresses.push((await rowsOf(kontor.payeeId, action)).at(-1)?.details['address']);
    expect(addresses).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']);
  });

  test('says so of no program', async () => {
    await kontor.send('POST', '/webhooks', {
      headers: { ...from('192.0.2.5'), 'content-type': 'application/json' },
      body: { url: 'http://localhost:3000/hooks', eventTypes: ['payment.*'] },
    });
    expect((await rowsOf(kontor.payeeId, 'create-webhook')).at(-1)?.details).not.toHaveProperty('address');
  });
});

describe('an operator who looks at what is a payee’s', () => {
  const look = (payeeId: string, page = 'users') => operator.get(`/portal/api/payees/${payeeId}/${page}`);

  test('leaves one row there for the hour, however much they look at', async () => {
    const { payeeId } = await kontor.addPayee();
    await Promise.all(Array.from({ length: 5 }, () => look(payeeId)));
    await look(payeeId, 'access-tokens');
    const rows = await rowsOf(payeeId, 'visit-payee');
    expect(rows).toEqual([
      { actor: expect.stringMatching(/^portal-user:/), object: payeeId, details: { address: expect.any(String) } },
    ]);
  });

  test('leaves none where the payee does not exist, or at the operators’ own', async () => {
    expect((await look(crypto.randomUUID())).status).toBe(404);
    await look(OPERATOR);
    expect(await rowsOf(OPERATOR, 'visit-payee')).toEqual([]);
  });

  test('leaves one for each person, payee and hour, whichever instance answers', async () => {
    const { payeeId } = await kontor.addPayee();
    let now = 10 * 3_600_000;
    const { transact } = kontor.service.database;
    const instances = [0, 1].map(() => notingVisits({ transact, now: () => now }));
    const visit = (id: string) =>
      Promise.all(instances.map((note) => note({ payeeId, actor: { kind: 'portal-user', id, sessionId: undefined } })));
    await visit('a');
    now += 3_599_999;
    await visit('a');
    await visit('b');
    now += 1;
    await visit('a');
    const actors = (await rowsOf(payeeId, 'visit-payee')).map(({ actor }) => actor);
    expect(actors).toEqual(['portal-user:a', 'portal-user:b', 'portal-user:a']);
  });
});

describe('the service', () => {
  test('says when it began to serve, of which version, and with which settings', async () => {
    const last = (await rowsOf(OPERATOR, 'start-service')).at(-1);
    expect(last).toEqual({
      actor: 'service',
      object: expect.stringMatching(/:\d+$/),
      details: { version: expect.stringMatching(/^\d+\.\d+\.\d+/), settings: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    expect(JSON.stringify(last)).not.toContain(kontor.config.databaseUrl);
  });

  test('says when it stopped', async () => {
    const other = await testService();
    const stops = async () => {
      const { rows } = await other.database.read<Row>(
        {
          name: 'test-stops',
          text: `select concat_ws(':', actor_kind, actor_id) as actor, object_id as object from audit where action = 'stop-service'`,
        },
        [],
      );
      return rows;
    };
    const before = await stops();
    await other.running.stop();
    const after = await stops();
    await other.stop();
    expect(after).toHaveLength(before.length + 1);
    expect(after).toContainEqual({ actor: 'service', object: expect.stringMatching(/:\d+$/) });
  });

  test('says which migrations were applied, and who did it', async () => {
    const database = await databaseBefore(100);
    const config = { ...kontor.config, databaseUrl: database.appUrl, databaseOwnerUrl: database.ownerUrl };
    const applied = await migrateOnly(config, () => undefined);
    const { rows } = await database.read<Row>(
      {
        name: 'test-applied',
        text: `select concat_ws(':', actor_kind, actor_id) as actor, object_id as object, details from audit where action = 'apply-migrations'`,
      },
      [],
    );
    expect(rows).toEqual([
      { actor: nameOfActor(COMMAND_LINE), object: applied.at(-1), details: { times: applied.length } },
    ]);
    await migrateOnly(config, () => undefined);
    const again = await database.read(
      { name: 'test-again', text: `select 1 from audit where action = 'apply-migrations'` },
      [],
    );
    expect(again.rows).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { runCommand, serviceOf } from '../../test/support/run-command.ts';
import { merchantsContext } from '../../test/support/shop/merchants.ts';
import { SCOPES } from '../kit/caller.ts';
import type { Command } from '../kit/command.ts';
import { Refusal } from '../kit/errors.ts';
import { OPERATOR } from '../kit/ids.ts';
import { Trouble } from '../kit/work/trouble.ts';
import type { Kontor } from '../kontor.types.ts';
import { accessTokenCommands } from './access-tokens/access-tokens.cli.ts';
import { hmacKeyCommands } from './hmac-keys/hmac-keys.cli.ts';
import type { MerchantsService, PayeesRuntime } from './merchants.types.ts';
import { oauthClientCommands } from './oauth/oauth-clients.cli.ts';
import { credentialCommands } from './payees/payee-states.cli.ts';
import { payeeCommands } from './payees/payees.cli.ts';

let database: TestDatabase;
let context: Kontor;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
});
afterAll(() => database.drop());

const GROUPS: Readonly<Record<string, readonly Command<PayeesRuntime>[]>> = {
  payees: payeeCommands,
  'access-tokens': accessTokenCommands,
  'oauth-clients': oauthClientCommands,
  'hmac-keys': hmacKeyCommands,
  credentials: credentialCommands,
};

/** Runs a command line and returns what it prints. */
async function kontor(group = '', ...words: string[]): Promise<string> {
  const runtime = {
    ...serviceOf<MerchantsService>({ transact: database.transact, merchants: context }),
    setForPayee: () => Promise.resolve({ settings: [], described: 'settings' }),
  };
  return (await runCommand(GROUPS[group] ?? [], runtime, words)).join('\n');
}

const json = async (...words: string[]) => JSON.parse(await kontor(...words, '--json')) as never;
const failure = (...words: string[]) => kontor(...words).catch((error: unknown) => error);

describe('without a payee', () => {
  it('says how to make one', async () => {
    expect(await kontor('payees', 'list')).toContain('kontor payees create');
    const trouble = await failure('access-tokens', 'create', '--scopes', 'payments');
    expect(trouble).toBeInstanceOf(Trouble);
    expect(String(trouble)).toContain('kontor payees create');
  });
});

describe('with one payee', () => {
  let payeeId: string;

  it('payees create prints its id, and list shows it', async () => {
    const created: { payeeId: string } = await json('payees', 'create', '--name', 'Shop');
    expect(Object.keys(created)).toEqual(['payeeId']);
    payeeId = created.payeeId;
    const listed = {
      payeeId,
      name: 'Shop',
      createdAt: expect.any(String),
      timeZone: 'Europe/Oslo',
      state: 'Active',
      stateReason: null,
      stateBy: null,
    };
    expect(await json('payees', 'list')).toEqual([listed]);
    const table = new RegExp(`^payee +created +state +name\n${payeeId}  .*  Active  Shop$`);
    expect(await kontor('payees', 'list')).toMatch(table);
  });

  it('payees suspend and resume say what holds, once', async () => {
    const suspend = ['payees', 'suspend', payeeId, '--reason'];
    expect(await failure(...suspend, ' ')).toMatchObject({ code: 'inputerror' });
    expect(await failure('payees', 'suspend', crypto.randomUUID(), '--reason', 'Test')).toBeInstanceOf(Trouble);
    expect(await json(...suspend, 'Stolen token', '--follow-ups')).toEqual({
      payeeId,
      state: 'FollowUpsOnly',
      isNew: true,
    });
    expect(await kontor(...suspend, 'Stolen token')).toContain('Suspended');
    expect(await kontor(...suspend, 'Stolen token')).toContain('Nothing to do');
    expect(await json('payees', 'list')).toMatchObject([
      { state: 'Suspended', stateReason: 'Stolen token', stateBy: 'operator:cli' },
    ]);
    expect(await kontor('payees', 'resume', payeeId, '--reason', 'New token')).toContain('takes payments again');
  });

  it('access-tokens create, list and revoke need no --payee', async () => {
    const created: { id: string; accessToken: string } = await json(
      'access-tokens',
      'create',
      '--scopes',
      'payments,accounts',
    );
    expect(created).toEqual({ id: expect.any(String), accessToken: expect.stringMatching(/^kt_test_/) });
    const [listed] = (await json('access-tokens', 'list')) as Record<string, unknown>[];
    expect(listed).toEqual({
      id: created.id,
      name: 'access token',
      scopes: ['payments', 'accounts'],
      createdAt: expect.any(String),
      createdBy: 'operator:cli',
      expiresAt: expect.any(String),
      revokedAt: null,
      lastUsedOn: null,
    });
    expect(await json('access-tokens', 'revoke', created.id)).toEqual({ id: created.id });
    expect(await kontor('access-tokens', 'list')).toContain('revoked');
  });

  it('access-tokens create says that the token is shown once, and how to use it', async () => {
    const text = await kontor(
      'access-tokens',
      'create',
      '--scopes',
      SCOPES.join(', '),
      '--expires-in',
      '90d',
      '--name',
      'Till',
    );
    expect(text).toMatch(/\n {2}kt_test_\w+\n/);
    expect(text).toContain('this once');
    expect(text).toContain('Authorization: Bearer');
    const [listed] = (await json('access-tokens', 'list')) as Record<string, unknown>[];
    expect(listed).toMatchObject({ name: 'Till', scopes: SCOPES });
  });

  it('oauth-clients create, list and revoke', async () => {
    const created: { clientId: string } = await json('oauth-clients', 'create', '--scopes', 'payments');
    expect(created).toEqual({
      clientId: expect.stringMatching(/^kc_/),
      clientSecret: expect.stringMatching(/^ks_/),
      expiresAt: expect.any(String),
    });
    const { clientId } = created;
    expect(await json('oauth-clients', 'revoke', clientId)).toEqual({ clientId });
    expect(await json('oauth-clients', 'list')).toEqual([
      {
        clientId,
        name: 'OAuth client',
        scopes: ['payments'],
        scopeAliases: [],
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        revokedAt: expect.any(String),
        lastUsedOn: null,
      },
    ]);
    const text = await kontor('oauth-clients', 'create', '--scopes', 'payments');
    expect(text).toContain('this once');
    expect(text).toContain('/oauth/token');
  });

  it('hmac-keys create, rotate, list and revoke', async () => {
    const created: { user: string } = await json('hmac-keys', 'create');
    const fresh = {
      user: expect.stringMatching(/^hk_/),
      secret: expect.stringMatching(/^hs_/),
      expiresAt: expect.any(String),
    };
    expect(created).toEqual(fresh);
    const rotated: { user: string } = await json('hmac-keys', 'rotate', created.user, '--overlap', '7d');
    expect(rotated).toEqual(fresh);
    expect(await json('hmac-keys', 'revoke', created.user)).toEqual({ user: created.user });
    const listed = (await json('hmac-keys', 'list')) as Record<string, unknown>[];
    expect(listed.find(({ user }) => user === created.user)).toEqual({
      user: created.user,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      revokedAt: expect.any(String),
      lastUsedOn: null,
    });
    expect(listed.find(({ user }) => user === rotated.user)).toMatchObject({ revokedAt: null });
    expect(await kontor('hmac-keys', 'rotate', rotated.user)).toContain(`${rotated.user} goes on working until`);
    expect(await kontor('hmac-keys', 'list')).toContain('never');
    expect(await failure('hmac-keys', 'create', '--expires-in', '13m')).toBeInstanceOf(Refusal);
  });

  it('wrong input is refused in words', async () => {
    const unknownScope = await failure('access-tokens', 'create', '--scopes', 'payments,publicapi');
    expect(unknownScope).toBeInstanceOf(Refusal);
    expect((unknownScope as Refusal).problems[0]?.description).toContain(SCOPES.join(', '));
    expect(await failure('access-tokens', 'create', '--scopes', 'payments', '--expires-in', '2y')).toBeInstanceOf(
      Refusal,
    );
    expect(await failure('access-tokens', 'revoke', 'unknown')).toMatchObject({ code: 'notfound' });
    expect(await failure('payees', 'create')).toMatchObject({ code: 'commander.missingMandatoryOptionValue' });
    expect(await failure('access-tokens', 'list', '--payee', 'x')).toBeInstanceOf(Trouble);
    expect(await failure('access-tokens', 'list', '--payee', payeeId.replace(/^./, 'f'))).toBeInstanceOf(Trouble);
    expect(await failure('access-tokens', 'list', '--payee', payeeId, '--operator')).toBeInstanceOf(Trouble);
  });

  it('the operator has credentials of its own', async () => {
    await json('access-tokens', 'create', '--scopes', 'tokens:act-as-operator', '--operator');
    expect(await json('access-tokens', 'list', '--operator')).toHaveLength(1);
    const { rows } = await database.read<{ count: number }>(
      { name: 'test-operator', text: 'select count(*) as count from access_token where payee_id = $1::uuid' },
      [OPERATOR],
    );
    expect(rows[0]?.count).toBe(1);
  });

  it('a second payee makes --payee necessary', async () => {
    const second: { payeeId: string } = await json('payees', 'create', '--name', 'Another shop');
    const trouble = await failure('hmac-keys', 'create');
    expect(trouble).toBeInstanceOf(Trouble);
    expect(String(trouble)).toContain('--payee');
    expect(await json('hmac-keys', 'list', '--payee', second.payeeId.toUpperCase())).toEqual([]);
  });
});

describe('credentials revoke', () => {
  it('takes all that programs call with, and says that it does', async () => {
    const created = await json('payees', 'create', '--name', 'Careless');
    const { payeeId: careless } = created as { payeeId: string };
    const whose = ['--payee', careless];
    for (let made = 0; made < 2; made++) await json('access-tokens', 'create', '--scopes', 'payments', ...whose);
    await json('oauth-clients', 'create', '--scopes', 'payments', ...whose);
    await json('hmac-keys', 'create', ...whose);
    expect(String(await failure('credentials', 'revoke', ...whose))).toContain('--all');
    const all = { accessTokens: 2, oauthClients: 1, hmacKeys: 1 };
    expect(await json('credentials', 'revoke', '--all', ...whose)).toEqual(all);
    const none = { accessTokens: 0, oauthClients: 0, hmacKeys: 0 };
    expect(await json('credentials', 'revoke', '--all', ...whose)).toEqual(none);
    const audit = await database.asAdmin(
      `select action, count(*)::int from audit where payee_id = '${careless}' and action like 'revoke-%' group by 1 order by 1`,
    );
    expect(audit).toEqual([
      { action: 'revoke-access-token', count: 2 },
      { action: 'revoke-hmac-key', count: 1 },
      { action: 'revoke-oauth-client', count: 1 },
    ]);
    expect(await kontor('payees', 'close', careless, '--reason', 'Gone')).toContain('for good');
    const again = await failure('payees', 'resume', careless, '--reason', 'Back');
    expect(again).toMatchObject({ code: 'forbidden' });
  });
});

describe('payees set', () => {
  const set = (payee: string, ...options: string[]) => kontor('payees', 'set', payee, ...options);
  const limitsOf = async (payeeId: string) =>
    (
      await database.asAdmin(
        `select details from audit where payee_id = '${payeeId}' and action = 'set-giving-limits' order by audit_id`,
      )
    ).map(({ details }) => details);

  it('sets the limits of a payee, says so, and leaves who did it in the audit trail', async () => {
    const { payeeId } = JSON.parse(await kontor('payees', 'create', '--name', 'Kiosk', '--json'));
    expect(await set(payeeId, '--confirm-above', '500', '--second-person-above', 'none')).toMatch(/500.*none/);
    const euros = ['--confirm-above', '50', '--second-person-above', '1000', '--currency', 'EUR', '--json'];
    expect(JSON.parse(await set(payeeId, ...euros))).toMatchObject({ confirmAbove: expect.anything() });
    expect(await limitsOf(payeeId)).toHaveLength(2);
  });

  it('sets where the days of a payee begin, and refuses what is no time zone', async () => {
    const { payeeId } = JSON.parse(await kontor('payees', 'create', '--name', 'Kiosk', '--json'));
    const zone = async () => {
      const all: readonly { payeeId: string; timeZone: string }[] = JSON.parse(
        await kontor('payees', 'list', '--json'),
      );
      return all.find((payee) => payee.payeeId === payeeId)?.timeZone;
    };
    expect(await zone()).toBe('Europe/Oslo');
    expect(await set(payeeId, '--time-zone', 'America/New_York')).toContain('America/New_York');
    expect(await zone()).toBe('America/New_York');
    for (const wrong of ['Europe/Nowhere', 'EST', '+02:00', 'posix/Europe/Oslo', '']) {
      await expect(set(payeeId, '--time-zone', wrong), wrong).rejects.toThrow(Refusal);
    }
    await expect(set(payeeId, '--time-zone', 'UTC', '--currency', 'EUR')).rejects.toThrow(Trouble);
    await expect(set(payeeId, 'holdMinutes=5', '--time-zone', 'UTC')).rejects.toThrow(Trouble);
    expect(await zone()).toBe('America/New_York');
    const trail = await database.asAdmin(
      `select details from audit where payee_id = '${payeeId}' and action = 'set-time-zone'`,
    );
    expect(trail.map(({ details }) => details)).toEqual([{ timeZone: 'America/New_York' }]);
  });

  it('refuses what is no amount, no currency or no payee, and changes nothing', async () => {
    const { payeeId } = JSON.parse(await kontor('payees', 'create', '--name', 'Kiosk', '--json'));
    const good = ['--confirm-above', '5', '--second-person-above', '10'];
    await expect(set(payeeId, '--confirm-above', '-5', '--second-person-above', '10')).rejects.toThrow();
    await expect(set(payeeId, '--confirm-above', 'much', '--second-person-above', '10')).rejects.toThrow(Refusal);
    await expect(set(payeeId, ...good, '--currency', 'crowns')).rejects.toThrow(Refusal);
    await expect(set('01980000-0000-7000-8000-000000000000', ...good)).rejects.toThrow();
    await expect(set(payeeId, '--confirm-above', '5')).rejects.toThrow();
    await expect(set(payeeId, '--currency', 'EUR')).rejects.toThrow(Trouble);
    await expect(set(payeeId, 'holdMinutes=5', ...good)).rejects.toThrow(Trouble);
    await expect(set(payeeId, 'holdMinutes')).rejects.toThrow(Trouble);
    expect(await limitsOf(payeeId)).toEqual([]);
  });
});

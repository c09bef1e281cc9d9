import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { jobsOn } from '../../../test/support/shop/events.ts';
import { merchantsContext } from '../../../test/support/shop/merchants.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/secret.ts';
import { createBackground } from '../../kit/work/background.ts';
import type { Kontor } from '../../kontor.types.ts';
import { createPayee } from '../payees/create-payee.ts';
import { selectAccessTokens } from './access-tokens.store.ts';
import { createAccessToken, revokeAccessToken } from './access-tokens.ts';
import { startTokenUseJob } from './token-use.job.ts';

const actor = COMMAND_LINE;
let database: TestDatabase;
let context: Kontor;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await newPayee();
});
afterAll(() => database.drop());

function newPayee(): Promise<PayeeId> {
  return database.transact((transaction) => createPayee(transaction, context, { name: 'Shop', actor }));
}

function create(more: { expiresIn?: string; scopes?: string[]; payeeId?: PayeeId } = {}) {
  const command = { payeeId, name: 'Till 4', scopes: ['payments'], actor, ...more };
  return database.transact((transaction) => createAccessToken(transaction, context, command));
}

const list = async (owner = payeeId) =>
  (await database.transact((transaction) => selectAccessTokens(transaction, owner))).rows;
const revoke = (accessTokenId: string, owner = payeeId) =>
  database.transact((transaction) => revokeAccessToken(transaction, { payeeId: owner, accessTokenId, actor }));

async function auditOf(objectId: string): Promise<readonly string[]> {
  const { rows } = await database.read<{ line: string }>(
    {
      name: 'test-audit',
      text: `select concat_ws(':', actor_kind, actor_id) || ' ' || action || ' ' || object_kind as line from audit
             where payee_id = $1::uuid and object_id = $2::text order by happened_at, action`,
    },
    [payeeId, objectId],
  );
  return rows.map(({ line }) => line);
}

describe('an access token', () => {
  it('is stored as its digest only', async () => {
    const { accessTokenId, accessToken } = await create();
    const { rows } = await database.read<{ row: string; hash: Buffer }>(
      {
        name: 'test-token-row',
        text: `select access_token::text as row, secret_hash as hash from access_token
               where payee_id = $1::uuid and access_token_id = $2::uuid`,
      },
      [payeeId, accessTokenId],
    );
    expect(rows[0]?.hash).toEqual(sha256(accessToken.reveal()));
    expect(rows[0]?.row).not.toContain(accessToken.reveal().slice(41, 84));
    expect(String(accessToken)).toBe('[redacted]');
  });

  it.each([
    [undefined, 365, 366],
    ['90d', 90, 90],
    ['1m', 28, 31],
  ])('that is to live %s lives so many days', async (expiresIn, least, most) => {
    const { expiresAt } = await create(expiresIn === undefined ? {} : { expiresIn });
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(least - 0.01);
    expect(days).toBeLessThanOrEqual(most + 0.01);
  });

  it('cannot live longer than twelve months, whatever writes the row', async () => {
    const { accessTokenId } = await create();
    const longer = `update access_token set expires_at = expires_at + interval '1 second' where access_token_id = '${accessTokenId}'`;
    await expect(database.asAdmin(longer)).rejects.toThrow('lives_at_most_twelve_months');
  });

  it('is listed without its secret, the newest first, to its own payee only', async () => {
    const owner = await newPayee();
    const first = await create({ payeeId: owner });
    const second = await create({ payeeId: owner, scopes: ['accounts', 'payments'] });
    const found = await list(owner);
    expect(found.map((token) => token.accessTokenId).sort()).toEqual(
      [first.accessTokenId, second.accessTokenId].sort(),
    );
    expect(found.find((token) => token.accessTokenId === second.accessTokenId)).toEqual({
      payeeId: owner,
      accessTokenId: second.accessTokenId,
      name: 'Till 4',
      scopes: ['payments', 'accounts'],
      createdAt: expect.stringMatching(/Z$/),
      createdBy: 'operator:cli',
      expiresAt: second.expiresAt,
      revokedAt: null,
      lastUsedOn: null,
      oauthClientId: null,
      state: 'Active',
    });
  });

  it('is revoked once; doing it again changes nothing', async () => {
    const { accessTokenId } = await create();
    await revoke(accessTokenId);
    const revokedAt = (await list()).find((token) => token.accessTokenId === accessTokenId)?.revokedAt;
    await revoke(accessTokenId.toUpperCase());
    expect((await list()).find((token) => token.accessTokenId === accessTokenId)?.revokedAt).toBe(revokedAt);
    expect(revokedAt).toMatch(/Z$/);
    expect(await auditOf(accessTokenId)).toEqual([
      'operator:cli create-access-token access-token',
      'operator:cli revoke-access-token access-token',
    ]);
  });

  it('of another payee is as unknown as one that never was', async () => {
    const { accessTokenId } = await create();
    const other = await newPayee();
    const foreign = await revoke(accessTokenId, other).catch((error: unknown) => error);
    const unknown = await revoke(other, other).catch((error: unknown) => error);
    const malformed = await revoke('none', other).catch((error: unknown) => error);
    expect(foreign).toBeInstanceOf(Refusal);
    expect(unknown).toEqual(foreign);
    expect(malformed).toEqual(foreign);
  });
});

describe('the job that notes use', () => {
  it('writes the day of each token, once, and goes on after a failure', async () => {
    const { accessTokenId } = await create();
    const failures: string[] = [];
    let writes = 0;
    let isAway = true;
    const job = startTokenUseJob({
      ...jobsOn(database),
      transact: (work) => {
        writes++;
        return isAway ? Promise.reject(new Error('away')) : database.transact(work);
      },
      background: createBackground((work) => void failures.push(work)),
    });
    job.note({ payeeId, accessTokenId });
    await job.stop();
    expect(failures).toHaveLength(1);
    isAway = false;
    for (let times = 0; times < 50; times++) job.note({ payeeId, accessTokenId });
    await job.stop();
    expect(writes).toBeLessThanOrEqual(3);
    const found = (await list()).find((token) => token.accessTokenId === accessTokenId);
    expect(found?.lastUsedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { addPayee } from '../../../test/support/database/ledger.ts';
import { testCardNumber } from '../../../test/support/numbers.ts';
import { runCommand, serviceOf } from '../../../test/support/run-command.ts';
import { merchantsContext } from '../../../test/support/shop/merchants.ts';
import { accountInvariants } from '../../accounts/compose.ts';
import { guardComplaints } from '../../db/schema/schema-guards.ts';
import { SERVICE } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type AmountMinor, type Currency, ZERO_MINOR } from '../../kit/money.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { KnownAccount } from '../ledger.types.ts';
import { ledgerCommands } from '../verification/ledger.cli.ts';
import { lastVerification, noteVerification } from '../verification/verifications.ts';
import { findAccountByNumber, isNumberOf } from './account-number.ts';
import { openAccount } from './open-account.ts';
import type { AccountDraft } from './open-account.types.ts';

let database: TestDatabase;
let context: Kontor;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

function draft(index: number, more: Partial<AccountDraft> = {}): AccountDraft {
  return {
    payeeId,
    number: new Secret(testCardNumber(index)),
    kind: 'StoredValue',
    instrument: 'prepaid',
    issuer: 'ledger',
    currency: 'NOK' as Currency,
    numberMasked: '492500******0000',
    expiresOn: '2030-02-28',
    cvcRequired: false,
    cvcKeyId: null,
    cvcSequence: 0,
    allowedProductIds: [],
    largestBalance: null,
    openingBalance: 1_000_000_000 as AmountMinor,
    ...more,
  };
}

function open(one: AccountDraft): Promise<KnownAccount> {
  return database.transact((transaction) => openAccount(transaction, context, { draft: one, actor: SERVICE }));
}

/** Runs a command line and returns what it prints. */
async function kontor(...words: string[]): Promise<string> {
  const runtime = serviceOf({
    newId: randomUUID,
    report: database.report,
    reports: database.reports,
    rest: () => Promise.resolve(),
    invariants: accountInvariants(),
    transact: database.transact,
    guardComplaints: () => database.transact(guardComplaints),
  });
  return (await runCommand(ledgerCommands, runtime, words)).join('\n');
}

describe('an account', () => {
  test('is opened with its balance, until the end of its last day where the payee is', async () => {
    const opened = await open(draft(1));
    expect(opened).toMatchObject({ available: 1_000_000_000, held: 0, entryCount: 1, expiresOn: '2030-02-28' });
    // The payee is in Oslo, an hour ahead in winter.
    expect(opened.expiresAt).toBe('2030-02-28T23:00:00.000Z');
    expect(await kontor('statement', opened.accountId, '--payee', payeeId)).toMatch(
      /1 +\S+Z +Opening +Available +10000000\.00 NOK +10000000\.00 NOK/,
    );
  });

  test('is found by its number, and by no other payee', async () => {
    const opened = await open(draft(2));
    const number = new Secret(testCardNumber(2));
    const find = (whose: PayeeId) =>
      database.transact((transaction) => findAccountByNumber(transaction, context.keyRing, { payeeId: whose, number }));
    expect((await find(payeeId))?.accountId).toBe(opened.accountId);
    expect(await find(await addPayee(database))).toBeUndefined();
    expect(isNumberOf(context.keyRing, opened, number)).toBe(true);
    expect(isNumberOf(context.keyRing, opened, new Secret(testCardNumber(3)))).toBe(false);
  });

  test('is opened once for its number, however many open it at once', async () => {
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(draft(4))));
    expect(new Set(opened.map(({ accountId }) => accountId)).size).toBe(1);
    expect(new Set(opened.map(({ available }) => available))).toEqual(new Set([1_000_000_000]));
    expect(await open(draft(4))).toMatchObject({ entryCount: 1 });
  });

  test('of an external card holds nothing and has no currency', async () => {
    const card = await open(
      draft(5, {
        kind: 'External',
        instrument: 'creditcard',
        currency: null,
        expiresOn: null,
        openingBalance: ZERO_MINOR,
      }),
    );
    expect(card).toMatchObject({ kind: 'External', currency: null, available: 0, entryCount: 0, expiresAt: null });
  });
});

describe('kontor ledger verify', () => {
  test('prints a line for each invariant while all hold', async () => {
    const lines = (await kontor('verify')).split('\n');
    expect(lines.length).toBeGreaterThan(9);
    expect(lines.every((line) => line.startsWith('✓'))).toBe(true);
    const findings = JSON.parse(await kontor('verify', '--json')) as { badRow: unknown }[];
    expect(findings.every(({ badRow }) => badRow === null)).toBe(true);
  });

  test('fails where one is broken', async () => {
    const [row] = await database.asAdmin('update account set held = 1 where entry_count = 1 returning account_id');
    expect(row).toBeDefined();
    await expect(kontor('verify')).rejects.toThrow(Trouble);
    expect((await lastVerification(database.read))?.broken).toBeGreaterThan(0);
    await database.asAdmin('update account set held = 0');
  });

  test('is kept, the last of them, for the instances to show', async () => {
    await database.asAdmin('delete from ledger_verification');
    expect(await lastVerification(database.read)).toBeUndefined();
    await kontor('verify');
    const last = await lastVerification(database.read);
    expect(last?.broken).toBe(0);
    expect(last?.ageSeconds).toBeGreaterThan(0);
    // A longer run that saw an earlier instant, and ends later.
    const earlier = {
      verifiedAt: '2026-01-01T00:00:00Z',
      invariants: 9,
      broken: 3,
      findings: [{ holds: 'Something.', badRow: { payeeId, row: 'account 1' } }],
    };
    const by = { newId: randomUUID, actor: SERVICE };
    await database.transact((transaction) => noteVerification(transaction, earlier, by));
    expect((await lastVerification(database.read))?.broken).toBe(0);
  });

  test('keeps each run, with who made it and the first row that was wrong, and shows them without another run', async () => {
    await database.asAdmin('delete from ledger_verification_run');
    const runs = async () => JSON.parse(await kontor('verify', '--history', '--json')) as unknown[];
    expect(await runs()).toEqual([]);
    await kontor('verify');
    const [row] = await database.asAdmin(
      'update account set held = 1 where entry_count = 1 returning account_id as id',
    );
    await expect(kontor('verify')).rejects.toThrow(Trouble);
    await database.asAdmin('update account set held = 0');
    const by = expect.stringMatching(/^operator:cli/);
    expect(await runs()).toEqual([
      expect.objectContaining({ actor: by, broken: 1, badRow: `account ${row?.['id']}` }),
      expect.objectContaining({ actor: by, broken: 0, badRow: null }),
    ]);
    expect(await kontor('verify', '--history')).toContain(`account ${row?.['id']}`);
  });
});

test('a statement of an account that is not there is refused', async () => {
  for (const account of [payeeId, 'no-uuid']) {
    await expect(kontor('statement', account, '--payee', payeeId)).rejects.toMatchObject({
      code: 'notfound',
    });
  }
});

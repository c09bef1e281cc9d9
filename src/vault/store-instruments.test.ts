import { inspect } from 'node:util';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { type Instance, instance, keyFolder } from '../../test/support/keys.ts';
import { testCardNumber } from '../../test/support/numbers.ts';
import { openDatabase } from '../db/server/open-database.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { AssertionFailure } from '../kit/assert.ts';
import { type PayeeId, uuidV7 } from '../kit/ids.ts';
import { Secret } from '../kit/secret.ts';
import { destroyInstruments } from './destroy-instruments.ts';
import { openInstrument } from './open-instrument.ts';
import { storeInstruments } from './store-instruments.ts';
import type { Instrument, InstrumentDraft, InstrumentId, SealedInstrument } from './vault.types.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof keyFolder>>;
let context: Instance;
let payeeId: PayeeId;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), keyFolder()]);
  context = instance(database, folder.path('keys.json'));
  await context.start();
  payeeId = await newPayee();
  // Stands for the tables that refer to instruments.
  await database.asAdmin(`
    create table usage (
      payee_id uuid, instrument_id uuid, foreign key (payee_id, instrument_id) references instrument
    );
    create index on usage (payee_id, instrument_id);
    grant all on usage to kontor_app`);
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

async function newPayee(): Promise<PayeeId> {
  const id = uuidV7(Date.now()) as PayeeId;
  await database.asAdmin(`insert into payee (payee_id, name) values ('${id}', 'Shop')`);
  return id;
}

let nextCard = 0;
const card = (index = nextCard++): InstrumentDraft & { kind: 'Card' } => ({
  kind: 'Card',
  number: new Secret(testCardNumber(index)),
  range: undefined,
});
const account = (accountId: string): InstrumentDraft => ({ kind: 'BankAccount', accountId: new Secret(accountId) });
const invoice = (payerReference: string, email = 'p@example.com'): InstrumentDraft => ({
  kind: 'Invoice',
  instrument: 'Invoice-FinancingNo',
  payerReference,
  email: new Secret(email),
  msisdn: undefined,
  zipCode: new Secret('2716'),
});
const store = (drafts: readonly InstrumentDraft[], owner = payeeId) =>
  database.transact((transaction) => storeInstruments(transaction, context, owner, drafts));
const idsOf = (instruments: readonly Instrument[]) => instruments.map(({ instrumentId }) => instrumentId);

async function storeOne(draft: InstrumentDraft, owner = payeeId): Promise<Instrument> {
  const [instrument] = await store([draft], owner);
  assert(instrument !== undefined);
  return instrument;
}

async function rowOf({ instrumentId }: Instrument): Promise<SealedInstrument | undefined> {
  const { rows } = await database.read<SealedInstrument>(
    {
      name: 'test-row',
      text: `select payee_id as "payeeId", instrument_id as "instrumentId", kind, sealed
             from instrument where instrument_id = $1`,
    },
    [instrumentId],
  );
  return rows[0];
}

async function opened(instrument: Instrument) {
  const row = await rowOf(instrument);
  assert(row !== undefined);
  return openInstrument(context.keyRing, row);
}

describe('storing', () => {
  it('keeps a card, an account and an invoice, each under its payee, and opens them again', async () => {
    const drafts = [card(), account('6406817022'), invoice('payer')];
    const stored = await store(drafts);
    expect(stored.map(({ kind }) => kind)).toEqual(['Card', 'BankAccount', 'Invoice']);
    for (const [index, draft] of drafts.entries()) {
      const found = await opened(stored[index] as Instrument);
      const { range: _, ...content } = { range: undefined, ...draft };
      expect(reveal(found)).toEqual(reveal(content));
    }
    expect(inspect(stored)).not.toContain('6406817022');
  });

  it('finds what is there already, and shares one row between equal drafts', async () => {
    const [one, other] = [card(), card()];
    const first = await storeOne(one);
    const again = await store([other, one, other, one]);
    expect(idsOf(again)).toEqual([
      again[0]?.instrumentId,
      first.instrumentId,
      again[0]?.instrumentId,
      first.instrumentId,
    ]);
    expect(again[1]).toEqual(first);
    expect(await store([])).toEqual([]);
  });

  it('keeps the same card apart for another payee, with another fingerprint', async () => {
    const draft = card();
    const other = await newPayee();
    const [mine, theirs] = [await storeOne(draft), await storeOne(draft, other)];
    expect(mine.instrumentId).not.toBe(theirs.instrumentId);
    const { rows } = await database.read<{ fingerprint: Buffer }>(
      { name: 'test-fingerprints', text: 'select fingerprint from instrument where instrument_id = any ($1::uuid[])' },
      [idsOf([mine, theirs])],
    );
    expect(rows[0]?.fingerprint.equals(rows[1]?.fingerprint ?? Buffer.alloc(0))).toBe(false);
  });

  it('keeps an account whose id is a card’s number apart from that card', async () => {
    const draft = card();
    const [asCard, asAccount] = await store([draft, account(draft.number.reveal())]);
    expect(asCard?.instrumentId).not.toBe(asAccount?.instrumentId);
  });

  it('keeps invoices apart by each of their fields', async () => {
    const ids = idsOf(await store([invoice('a'), invoice('b'), invoice('a', 'q@example.com'), invoice('a')]));
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });

  it('stores a card once when twenty transactions store it at once', async () => {
    const draft = card();
    const stored = await Promise.all(Array.from({ length: 20 }, () => storeOne(draft)));
    expect(new Set(idsOf(stored)).size).toBe(1);
  });

  it('stores each card once when transactions store the same ones in opposite orders', async () => {
    const drafts = Array.from({ length: 40 }, () => card());
    const stored = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store(index % 2 === 0 ? drafts : drafts.toReversed())),
    );
    const ids = stored.map((instruments, index) => idsOf(index % 2 === 0 ? instruments : instruments.toReversed()));
    for (const list of ids) expect(list).toEqual(ids[0]);
    expect(new Set(ids[0]).size).toBe(40);
  });

  it('takes nothing for stored that is rolled back', async () => {
    const draft = card();
    const gone: Instrument[] = [];
    const failing = database.transact(async (transaction) => {
      gone.push(...(await storeInstruments(transaction, context, payeeId, [draft])));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await storeOne(draft)).instrumentId).not.toBe(gone[0]?.instrumentId);
  });

  it('never reads a table from end to end', async () => {
    const watched = openDatabase({ url: database.appUrl });
    // More often than a plan is made anew, beginning with the small table that misleads a planner.
    for (let round = 0; round < 8; round++) {
      await watched.transact(async (transaction) => {
        const [instrument] = await storeInstruments(transaction, context, payeeId, [card(), card(3)]);
        await destroyInstruments(transaction, payeeId, {
          candidates: idsOf([instrument as Instrument]),
          findUnused: async (ids) => ids,
        });
      });
    }
    const before = await scans();
    await watched.close();
    // A session hands its counts in when it ends.
    await expect.poll(scans).toEqual({ fullScans: 0, isCounted: true });
    expect(before.fullScans).toBe(0);
  });
});

async function scans(): Promise<{ fullScans: number; isCounted: boolean }> {
  const { rows } = await database.read<{ fullScans: number; indexScans: number }>(
    {
      name: 'test-scans',
      text: `select seq_scan as "fullScans", idx_scan as "indexScans"
             from pg_stat_user_tables where relname = 'instrument'`,
    },
    [],
  );
  return { fullScans: rows[0]?.fullScans ?? 0, isCounted: (rows[0]?.indexScans ?? 0) >= 16 };
}

describe('a stored instrument', () => {
  it('does not open in the place of another one', async () => {
    const [one, other] = await store([card(), card()]);
    assert(one !== undefined && other !== undefined);
    const row = await rowOf(one);
    assert(row !== undefined);
    expect(() => openInstrument(context.keyRing, { ...row, instrumentId: other.instrumentId })).toThrow(
      AssertionFailure,
    );
    expect(() => openInstrument(context.keyRing, { ...row, payeeId: 'x' as PayeeId })).toThrow(AssertionFailure);
  });

  it('is nowhere in the clear in the tables', async () => {
    const drafts = [card(), account('0123-4567-8901-2345'), invoice('leak', 'very.secret@example.com')];
    await store(drafts);
    const { rows } = await database.read<{ text: string; bytes: Buffer }>(
      { name: 'test-dump', text: 'select i::text as text, fingerprint || sealed as bytes from instrument i' },
      [],
    );
    const dump = rows.map(({ text, bytes }) => text + bytes.toString('latin1')).join('\n');
    for (const secret of [testCardNumber(nextCard - 1), '0123-4567-8901-2345', 'very.secret']) {
      for (const form of ['utf8', 'hex', 'base64'] as const) {
        expect(dump).not.toContain(Buffer.from(secret).toString(form).slice(0, -1));
      }
    }
    // The scan finds what is there.
    expect(dump).toContain('v***@example.com');
  });
});

describe('destroying', () => {
  const refer = (transaction: Transaction, { instrumentId }: Instrument) =>
    transaction.run({ name: 'test-refer', text: 'insert into usage values ($1, $2)' }, [payeeId, instrumentId]);
  const findUnused = async (transaction: Transaction, ids: readonly InstrumentId[]) =>
    (
      await transaction.run<{ id: InstrumentId }>(
        {
          name: 'test-unused',
          text: `select id from unnest($2::uuid[]) id
                 where not exists (select from usage where payee_id = $1 and instrument_id = id)`,
        },
        [payeeId, ids],
      )
    ).rows.map(({ id }) => id);
  const destroy = (candidates: readonly InstrumentId[]) =>
    database.transact((transaction) =>
      destroyInstruments(transaction, payeeId, { candidates, findUnused: (ids) => findUnused(transaction, ids) }),
    );

  it('deletes what nothing refers to, and nothing else', async () => {
    const [used, unused] = await store([card(), card()]);
    assert(used !== undefined && unused !== undefined);
    await database.transact((transaction) => refer(transaction, used));
    expect(await destroy(idsOf([used, unused]))).toBe(1);
    expect(await rowOf(used)).toBeDefined();
    expect(await rowOf(unused)).toBeUndefined();
    expect(await destroy(idsOf([unused]))).toBe(0);
    expect(await destroy([])).toBe(0);
  });

  it('leaves the instruments of another payee alone', async () => {
    const theirs = await storeOne(card(), await newPayee());
    expect(await destroy(idsOf([theirs]))).toBe(0);
    expect(await rowOf(theirs)).toBeDefined();
  });

  it('never takes an instrument away from who has just been given it', async () => {
    const drafts = Array.from({ length: 12 }, () => card());
    const rounds = 15;
    const storing = async () => {
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? drafts : drafts.toReversed();
        await database.transact(async (transaction) => {
          const stored = await storeInstruments(transaction, context, payeeId, order);
          // A foreign key that points nowhere would fail here.
          for (const instrument of stored) await refer(transaction, instrument);
        });
        await database.transact((transaction) =>
          transaction.run({ name: 'test-forget', text: 'delete from usage where payee_id = $1' }, [payeeId]),
        );
      }
    };
    const destroying = async () => {
      let destroyed = 0;
      for (let round = 0; round < 2 * rounds; round++) {
        const { rows } = await database.read<{ id: InstrumentId }>(
          {
            name: 'test-all',
            text: 'select instrument_id as id from instrument where payee_id = $1 order by random()',
          },
          [payeeId],
        );
        destroyed += await destroy(rows.map(({ id }) => id));
      }
      return destroyed;
    };
    const [destroyed] = await Promise.all([destroying(), destroying(), storing(), storing()]);
    expect(destroyed).toBeGreaterThan(0);
  });

  it('refuses to destroy what it has not locked', async () => {
    const [one, other] = await store([card(), card()]);
    const destroying = database.transact((transaction) =>
      destroyInstruments(transaction, payeeId, {
        candidates: idsOf([one as Instrument]),
        findUnused: async () => idsOf([other as Instrument]),
      }),
    );
    await expect(destroying).rejects.toThrow('only a locked instrument is destroyed');
  });
});

/** Everything of it in the clear, to be compared. */
function reveal(content: object): object {
  return Object.fromEntries(
    Object.entries(content).map(([name, field]) => [name, field instanceof Secret ? field.reveal() : field]),
  );
}

import { overPlainRows, overRows, overRowsOf } from '../db/rows/over-rows.ts';
import { columnsFrom, some, within } from '../db/rows/tables.ts';
import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { INSTRUMENT, INSTRUMENT_KEYS } from './vault.tables.ts';
import type { Instrument, InstrumentId, InstrumentRow, SealedInstrument } from './vault.types.ts';

/** A fingerprint to look for, and whose it is: the place in the caller's list. */
export interface WantedFingerprint {
  readonly position: number;
  readonly fingerprint: Buffer;
}

/** An instrument that was found, and for whom. */
export interface FoundInstrument extends Instrument {
  readonly position: number;
}

const LOCK_BY_FINGERPRINT = overPlainRows<WantedFingerprint, [PayeeId]>({
  name: 'vault-lock-by-fingerprint',
  beside: 1,
  columns: {
    position: ['integer', 'position'],
    fingerprint: ['bytea', 'fingerprint'],
  },
  text: ({ rows }) => `
    select
      v.position, ${columnsFrom('i', INSTRUMENT)}
    from ${rows}
    cross join lateral (
      select * from instrument where payee_id = $1::uuid and fingerprint = v.fingerprint for key share
    ) i`,
});

/**
 * Finds instruments by their fingerprints and keeps them from being destroyed until the transaction ends. One that is
 * being destroyed is waited for, and is then not there.
 */
export async function lockByFingerprint(
  transaction: Transaction,
  payeeId: PayeeId,
  wanted: readonly WantedFingerprint[],
): Promise<readonly FoundInstrument[]> {
  const { rows } = await transaction.run<FoundInstrument>(
    LOCK_BY_FINGERPRINT,
    LOCK_BY_FINGERPRINT.values(wanted, payeeId),
  );
  return rows;
}

/** An instrument that has one of these fingerprints: what it is stored with depends on when that was. */
export async function selectByFingerprint(
  transaction: Transaction,
  payeeId: PayeeId,
  fingerprints: readonly Buffer[],
): Promise<InstrumentId | undefined> {
  const { rows } = await transaction.run<Pick<Instrument, 'instrumentId'>>(
    {
      name: 'vault-select-by-fingerprint',
      text: `
        select i.instrument_id as "instrumentId"
        from unnest($2::bytea[]) as v (fingerprint)
        cross join lateral (
          select instrument_id from instrument where payee_id = $1::uuid and fingerprint = v.fingerprint limit 1
        ) i`,
    },
    [payeeId, fingerprints],
  );
  return rows[0]?.instrumentId;
}

const INSERT_INSTRUMENTS = overRowsOf<InstrumentRow>(({ instrument }) => instrument.payeeId, {
  name: 'vault-insert-instruments',
  columns: { ...within('instrument', INSTRUMENT.added), ...INSTRUMENT_KEYS.added },
  text: ({ names, values, rows }) => `
    insert into instrument (${names})
    select ${values}
    from ${rows}
    on conflict (payee_id, fingerprint) do nothing
    returning instrument_id as "instrumentId"`,
});

/**
 * Adds instruments, in the order given. One that another transaction is adding is waited for and left out.
 *
 * @returns the ids of those that were added
 */
export async function insertInstruments(
  transaction: Transaction,
  rows: readonly InstrumentRow[],
): Promise<ReadonlySet<InstrumentId>> {
  if (rows.length === 0) return new Set();
  const inserted = await transaction.run<{ instrumentId: InstrumentId }>(
    INSERT_INSTRUMENTS,
    INSERT_INSTRUMENTS.values(rows),
  );
  return new Set(inserted.rows.map((row) => row.instrumentId));
}

/** A card with what opens it; no row where it is none, or destroyed. */
export function selectCard(
  transaction: Transaction,
  { payeeId, instrumentId }: { readonly payeeId: PayeeId; readonly instrumentId: InstrumentId },
): Promise<Rows<Instrument & SealedInstrument>> {
  return transaction.run(
    {
      name: 'vault-select-card',
      text: `
        select ${INSTRUMENT.columns}, sealed
        from instrument
        where payee_id = $1 and instrument_id = $2 and kind = 'Card'`,
    },
    [payeeId, instrumentId],
  );
}

/** The fingerprints of these instruments: the order in which all transactions lock instruments. */
export async function selectFingerprints(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<readonly { readonly instrumentId: InstrumentId; readonly fingerprint: Buffer }[]> {
  const { rows } = await transaction.run<{ instrumentId: InstrumentId; fingerprint: Buffer }>(
    {
      name: 'vault-select-fingerprints',
      text: `
        select i.instrument_id as "instrumentId", i.fingerprint
        from unnest($2::uuid[]) as v (instrument_id)
        cross join lateral (
          select * from instrument where payee_id = $1::uuid and instrument_id = v.instrument_id
        ) i`,
    },
    [payeeId, instrumentIds],
  );
  return rows;
}

/** Locks instruments, one after the other in the order given, so that nothing comes to refer to them. */
export async function lockInstruments(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<readonly InstrumentId[]> {
  const { rows } = await transaction.run<{ instrumentId: InstrumentId }>(
    {
      name: 'vault-lock-instruments',
      text: `
        select i.instrument_id as "instrumentId"
        from unnest($2::uuid[]) as v (instrument_id)
        cross join lateral (
          select * from instrument where payee_id = $1::uuid and instrument_id = v.instrument_id for update
        ) i`,
    },
    [payeeId, instrumentIds],
  );
  return rows.map((row) => row.instrumentId);
}

/** Deletes instruments with all that opens them, but for cards that a payment holds; how many. */
export async function deleteInstruments(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'vault-delete-instruments',
      text: `
        delete from instrument
        where payee_id = $1::uuid and instrument_id = any ($2::uuid[]) and instrument_id <> all (array(
          select instrument_id from held_card where instrument_id = any ($2::uuid[])
        ))`,
    },
    [payeeId, instrumentIds],
  );
  return count;
}

/** Which of the two keys of an instrument: the one that opens it, or the one that finds it. */
export type KeyColumn = 'card_data_key_id' | 'fingerprint_key_id';

/** How many instruments use a key, up to a limit: counting all of very many would take longer than a statement may. */
export async function countByKey(
  transaction: Transaction,
  column: KeyColumn,
  most: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ count: number }>(
    {
      name: `vault-count-by-${column}`,
      text: `select count(*) as count from (select from instrument where ${column} = $1 limit $2) counted`,
    },
    [most.keyId, most.limit],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Locks some instruments that use a key, of those that no transaction has locked. Tokens may come to refer to them
 * meanwhile, unless it is their fingerprint that changes.
 */
export async function lockByKey(
  transaction: Transaction,
  column: KeyColumn,
  most: { readonly keyId: KeyId; readonly limit: number },
): Promise<readonly SealedInstrument[]> {
  const { rows } = await transaction.run<SealedInstrument>(
    {
      name: `vault-lock-by-${column}`,
      text: `
        select ${some(INSTRUMENT, 'payeeId', 'instrumentId', 'kind')}, sealed
        from instrument
        where ${column} = $1
        limit $2
        for ${column === 'card_data_key_id' ? 'no key update' : 'update'} skip locked`,
    },
    [most.keyId, most.limit],
  );
  return rows;
}

/** An instrument's new ciphertext or fingerprint. */
export interface MovedInstrument {
  readonly payeeId: PayeeId;
  readonly instrumentId: InstrumentId;
  readonly bytes: Buffer;
}

/** Writes what was made anew of an instrument with another key. */
const updateBytes = (name: string, bytes: 'sealed' | 'fingerprint', key: KeyColumn) =>
  overRows<MovedInstrument, [from: KeyId, to: KeyId]>({
    name,
    beside: 2,
    columns: { ...INSTRUMENT.key, bytes: ['bytea', 'bytes'] },
    text: ({ payee, rows }) => `
      update instrument i
      set ${bytes} = v.bytes, ${key} = $2
      from ${rows}
      where i.payee_id = ${payee} and i.instrument_id = v.instrument_id and i.${key} = $1`,
  });

const UPDATE_SEALED = updateBytes('vault-update-sealed', 'sealed', 'card_data_key_id');
const UPDATE_FINGERPRINTS = updateBytes('vault-update-fingerprints', 'fingerprint', 'fingerprint_key_id');

/** Writes ciphertexts whose data keys another key wraps now, or fingerprints under another key; how many. */
export async function updateMoved(
  transaction: Transaction,
  moved: readonly MovedInstrument[],
  { column, from, to }: { readonly column: KeyColumn; readonly from: KeyId; readonly to: KeyId },
): Promise<number> {
  const statement = column === 'card_data_key_id' ? UPDATE_SEALED : UPDATE_FINGERPRINTS;
  const { count } = await transaction.run(statement, statement.values(moved, from, to));
  return count;
}

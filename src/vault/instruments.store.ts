import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { PayeeId } from '../kit/ids.ts';
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

/** Which keys the rows of one statement were made with. */
export interface RowKeys {
  readonly fingerprintKeyId: KeyId;
  readonly cardDataKeyId: KeyId;
}

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
    {
      name: 'vault-lock-by-fingerprint',
      text: `
        select
          v.position, i.payee_id as "payeeId", i.instrument_id as "instrumentId", i.kind, i.brand, i.bin,
          i.last_four as "lastFour", i.card_type as "cardType", i.holder_type as "holderType",
          i.issuer_name as "issuerName", i.country_code as "countryCode", i.masked
        from unnest($2::int[], $3::bytea[]) as v (position, fingerprint)
        cross join lateral (
          select * from instrument where payee_id = $1::uuid and fingerprint = v.fingerprint for key share
        ) i`,
    },
    [payeeId, wanted.map(({ position }) => position), wanted.map(({ fingerprint }) => fingerprint)],
  );
  return rows;
}

/**
 * Adds instruments, in the order given. One that somebody else is adding is waited for and left out.
 *
 * @returns the ids of those that were added
 */
export async function insertInstruments(
  transaction: Transaction,
  rows: readonly InstrumentRow[],
  keys: RowKeys,
): Promise<ReadonlySet<InstrumentId>> {
  const column = <Name extends keyof InstrumentRow>(name: Name) => rows.map((row) => row[name]);
  const inserted = await transaction.run<{ instrumentId: InstrumentId }>(
    {
      name: 'vault-insert-instruments',
      text: `
        insert into instrument (
          fingerprint_key_id, card_data_key_id, payee_id, instrument_id, kind, fingerprint, sealed, brand, bin,
          last_four, card_type, holder_type, issuer_name, country_code, masked
        )
        select $1::text, $2::text, v.*
        from unnest(
          $3::uuid[], $4::uuid[], $5::text[], $6::bytea[], $7::bytea[], $8::text[], $9::text[],
          $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]
        ) as v
        on conflict (payee_id, fingerprint) do nothing
        returning instrument_id as "instrumentId"`,
    },
    [
      keys.fingerprintKeyId,
      keys.cardDataKeyId,
      column('payeeId'),
      column('instrumentId'),
      column('kind'),
      column('fingerprint'),
      column('sealed'),
      column('brand'),
      column('bin'),
      column('lastFour'),
      column('cardType'),
      column('holderType'),
      column('issuerName'),
      column('countryCode'),
      column('masked'),
    ],
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
        select payee_id as "payeeId", instrument_id as "instrumentId", kind, brand, bin, last_four as "lastFour",
          card_type as "cardType", holder_type as "holderType", issuer_name as "issuerName",
          country_code as "countryCode", masked, sealed
        from instrument
        where payee_id = $1 and instrument_id = $2 and kind = 'Card'`,
    },
    [payeeId, instrumentId],
  );
}

/** The fingerprints of these instruments: the order in which everybody locks instruments. */
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

/** Locks instruments, one after the other in the order given, so that nobody comes to refer to them. */
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

/** Deletes instruments with all that opens them. */
export async function deleteInstruments(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'vault-delete-instruments',
      text: 'delete from instrument where payee_id = $1::uuid and instrument_id = any ($2::uuid[])',
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
  some: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ count: number }>(
    {
      name: `vault-count-by-${column}`,
      text: `select count(*) as count from (select from instrument where ${column} = $1 limit $2) counted`,
    },
    [some.keyId, some.limit],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Locks some instruments that use a key, of those that nobody has locked. Tokens may come to refer to them meanwhile,
 * unless it is their fingerprint that changes.
 */
export async function lockByKey(
  transaction: Transaction,
  column: KeyColumn,
  some: { readonly keyId: KeyId; readonly limit: number },
): Promise<readonly SealedInstrument[]> {
  const { rows } = await transaction.run<SealedInstrument>(
    {
      name: `vault-lock-by-${column}`,
      text: `
        select payee_id as "payeeId", instrument_id as "instrumentId", kind, sealed
        from instrument
        where ${column} = $1
        limit $2
        for ${column === 'card_data_key_id' ? 'no key update' : 'update'} skip locked`,
    },
    [some.keyId, some.limit],
  );
  return rows;
}

/** An instrument's new ciphertext or fingerprint. */
export interface MovedInstrument {
  readonly payeeId: PayeeId;
  readonly instrumentId: InstrumentId;
  readonly bytes: Buffer;
}

/** Writes ciphertexts whose data keys another key wraps now. */
export async function updateSealed(
  transaction: Transaction,
  moved: readonly MovedInstrument[],
  change: { readonly from: KeyId; readonly to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'vault-update-sealed',
      text: `
        update instrument i
        set sealed = v.bytes, card_data_key_id = $5
        from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as v (payee_id, instrument_id, bytes)
        where i.payee_id = v.payee_id and i.instrument_id = v.instrument_id and i.card_data_key_id = $4`,
    },
    movedValues(moved, change),
  );
  return count;
}

/** Writes fingerprints under another key. */
export async function updateFingerprints(
  transaction: Transaction,
  moved: readonly MovedInstrument[],
  change: { readonly from: KeyId; readonly to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'vault-update-fingerprints',
      text: `
        update instrument i
        set fingerprint = v.bytes, fingerprint_key_id = $5
        from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as v (payee_id, instrument_id, bytes)
        where i.payee_id = v.payee_id and i.instrument_id = v.instrument_id and i.fingerprint_key_id = $4`,
    },
    movedValues(moved, change),
  );
  return count;
}

function movedValues(
  moved: readonly MovedInstrument[],
  change: { readonly from: KeyId; readonly to: KeyId },
): unknown[] {
  return [
    moved.map(({ payeeId }) => payeeId),
    moved.map(({ instrumentId }) => instrumentId),
    moved.map(({ bytes }) => bytes),
    change.from,
    change.to,
  ];
}

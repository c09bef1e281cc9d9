import type { Transaction } from '../db/transaction.types.ts';
import type { WriteKeys } from '../keys/keys.types.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { identityOf, printContent } from './content.rules.ts';
import { insertInstruments, lockByFingerprint } from './instruments.store.ts';
import { showDraft } from './show-instrument.rules.ts';
import type { Instrument, InstrumentDraft, InstrumentId, InstrumentRow } from './vault.types.ts';

/** Rounds of finding and adding an instrument: a second one where another transaction adds the same card at that moment. */
const INSTRUMENT_STORE_ROUNDS = 10;

/** A draft made ready: all that takes time and needs none of the rows that are there. */
export interface PreparedInstrument {
  /** What is stored where no equal one is there; sealed already. */
  readonly row: InstrumentRow;
  /** Each fingerprint that an equal one may be stored with, the current one first. */
  readonly fingerprints: readonly Buffer[];
  /** The current fingerprint as text: equal for equal drafts. */
  readonly identity: string;
}

/** Makes an instrument ready with the keys that `loadWriteKeys` gave in this transaction. */
export function prepareInstrument(
  { keyRing, newId }: Kontor,
  { live, current }: WriteKeys,
  payeeId: PayeeId,
  draft: InstrumentDraft,
): PreparedInstrument {
  const content = identityOf(draft);
  const fingerprints = live.fingerprint.map((keyId) => keyRing.digest(keyId, payeeId, content));
  const [fingerprint] = fingerprints;
  assert(fingerprint !== undefined, 'there is a live fingerprint key');
  const id = { payeeId, instrumentId: newId() as InstrumentId };
  const cardDataKeyId = current['card-data'];
  const row = {
    // The spread comes first: what is made so is made at once.
    instrument: { ...showDraft(draft), payeeId, instrumentId: id.instrumentId, kind: draft.kind },
    fingerprint,
    fingerprintKeyId: current.fingerprint,
    sealed: keyRing.seal(cardDataKeyId, associatedDataOf(id), printContent(draft)),
    cardDataKeyId,
  };
  return { row, fingerprints, identity: fingerprint.toString('hex') };
}

/** Stores instruments as `storePrepared` does, made ready at once. */
export async function storeInstruments(
  transaction: Transaction,
  kontor: Kontor,
  payeeId: PayeeId,
  drafts: readonly InstrumentDraft[],
): Promise<readonly Instrument[]> {
  if (drafts.length === 0) return [];
  const keys = await loadWriteKeys(transaction, kontor.keyRing);
  return storePrepared(
    transaction,
    payeeId,
    drafts.map((draft) => prepareInstrument(kontor, keys, payeeId, draft)),
  );
}

/**
 * Stores instruments, each once for its payee: one that is there already is found again. What comes back cannot be
 * destroyed until the transaction ends, so the caller may refer to it. Any number of transactions may store the same
 * card at once.
 *
 * @returns the instruments in their order; equal ones are one
 */
export async function storePrepared(
  transaction: Transaction,
  payeeId: PayeeId,
  prepared: readonly PreparedInstrument[],
): Promise<readonly Instrument[]> {
  const stored = new Map<string, Instrument>();
  // Sorted, because two transactions that lock or add the same cards in different orders would wait for each other.
  let missing = [...new Map(prepared.map((one) => [one.identity, one])).values()].sort(byIdentity);
  for (let round = 1; missing.length > 0; round++) {
    assert(round <= INSTRUMENT_STORE_ROUNDS, 'an instrument is not added and destroyed over and over');
    // Looked for first: while the fingerprint key is changed, one that is there may have the older fingerprint.
    const wanted = missing.flatMap(({ fingerprints }, position) =>
      fingerprints.map((fingerprint) => ({ position, fingerprint })),
    );
    for (const { position, ...found } of await lockByFingerprint(transaction, payeeId, wanted)) {
      stored.set(missing[position]?.identity ?? '', found);
    }
    missing = missing.filter(({ identity }) => !stored.has(identity));
    const added = await insertInstruments(
      transaction,
      missing.map(({ row }) => row),
    );
    for (const { identity, row } of missing) {
      if (added.has(row.instrument.instrumentId)) stored.set(identity, row.instrument);
    }
    // What is still missing was added by another transaction in this moment, and is found in the next round.
    missing = missing.filter(({ identity }) => !stored.has(identity));
  }
  return prepared.map(({ identity }) => {
    const instrument = stored.get(identity);
    assert(instrument !== undefined, 'each draft has its instrument');
    return instrument;
  });
}

function byIdentity(a: PreparedInstrument, b: PreparedInstrument): number {
  return a.identity < b.identity ? -1 : 1;
}

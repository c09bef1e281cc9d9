import type { Transaction } from '../db/transaction.types.ts';
import type { WriteKeys } from '../keys/keys.types.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { INSTRUMENT_STORE_ROUNDS } from '../kit/limits.ts';
import { associatedDataOf } from './associated-data.rules.ts';
import { identityOf, printContent } from './content.rules.ts';
import { insertInstruments, lockByFingerprint } from './instruments.store.ts';
import { showDraft } from './show-instrument.rules.ts';
import type { Instrument, InstrumentDraft, InstrumentId, InstrumentRow, VaultContext } from './vault.types.ts';

/** A draft under each fingerprint that it may be stored with, the current one first. */
interface Candidate {
  readonly draft: InstrumentDraft;
  readonly fingerprints: readonly Buffer[];
  /** The current fingerprint as text: equal for equal drafts. */
  readonly identity: string;
}

/**
 * Stores instruments, each once for its payee: one that is there already is found again. What comes back cannot be
 * destroyed until the transaction ends, so the caller may refer to it. Any number of transactions may store the same
 * card at once.
 *
 * @returns the instruments in the order of the drafts; equal drafts share one
 */
export async function storeInstruments(
  transaction: Transaction,
  context: VaultContext,
  payeeId: PayeeId,
  drafts: readonly InstrumentDraft[],
): Promise<readonly Instrument[]> {
  if (drafts.length === 0) return [];
  const keys = await loadWriteKeys(transaction, context.keyRing);
  const candidates = drafts.map((draft) => fingerprint(context, keys, payeeId, draft));
  const stored = new Map<string, Instrument>();
  // Sorted, because two transactions that lock or add the same cards in different orders would wait for each other.
  let missing = [...new Map(candidates.map((candidate) => [candidate.identity, candidate])).values()].sort(byIdentity);
  for (let round = 1; missing.length > 0; round++) {
    assert(round <= INSTRUMENT_STORE_ROUNDS, 'an instrument is not added and destroyed over and over');
    for (const [identity, found] of await find(transaction, payeeId, missing)) stored.set(identity, found);
    missing = missing.filter(({ identity }) => !stored.has(identity));
    for (const [identity, added] of await add(transaction, context, { payeeId, keys, missing }))
      stored.set(identity, added);
    // Whoever is still missing was added by somebody else in this moment, and is found in the next round.
    missing = missing.filter(({ identity }) => !stored.has(identity));
  }
  return candidates.map(({ identity }) => {
    const instrument = stored.get(identity);
    assert(instrument !== undefined, 'each draft has its instrument');
    return instrument;
  });
}

function fingerprint({ keyRing }: VaultContext, keys: WriteKeys, payeeId: PayeeId, draft: InstrumentDraft): Candidate {
  const identity = identityOf(draft);
  const fingerprints = keys.live.fingerprint.map((keyId) => keyRing.digest(keyId, payeeId, identity));
  return { draft, fingerprints, identity: currentOf(fingerprints).toString('hex') };
}

function currentOf(fingerprints: readonly Buffer[]): Buffer {
  const [current] = fingerprints;
  assert(current !== undefined, 'there is a live fingerprint key');
  return current;
}

function byIdentity(a: Candidate, b: Candidate): number {
  return a.identity < b.identity ? -1 : 1;
}

async function find(
  transaction: Transaction,
  payeeId: PayeeId,
  missing: readonly Candidate[],
): Promise<readonly (readonly [identity: string, Instrument])[]> {
  const wanted = missing.flatMap(({ fingerprints }, position) =>
    fingerprints.map((fingerprint) => ({ position, fingerprint })),
  );
  const found = await lockByFingerprint(transaction, payeeId, wanted);
  return found.map(({ position, ...instrument }) => [missing[position]?.identity ?? '', instrument] as const);
}

async function add(
  transaction: Transaction,
  context: VaultContext,
  { payeeId, keys, missing }: { payeeId: PayeeId; keys: WriteKeys; missing: readonly Candidate[] },
): Promise<readonly (readonly [identity: string, Instrument])[]> {
  if (missing.length === 0) return [];
  const cardDataKeyId = keys.current['card-data'];
  const rows = missing.map(({ draft, fingerprints }): InstrumentRow => {
    const id = { payeeId, instrumentId: context.newId() as InstrumentId };
    const sealed = context.keyRing.seal(cardDataKeyId, associatedDataOf(id), printContent(draft));
    return { ...id, kind: draft.kind, ...showDraft(draft), fingerprint: currentOf(fingerprints), sealed };
  });
  const added = await insertInstruments(transaction, rows, {
    cardDataKeyId,
    fingerprintKeyId: keys.current.fingerprint,
  });
  return rows
    .filter(({ instrumentId }) => added.has(instrumentId))
    .map(({ fingerprint, sealed: _, ...instrument }) => [fingerprint.toString('hex'), instrument] as const);
}

import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LineOutcome } from '../../kit/imports/import.types.ts';
import { isRejection } from '../../kit/imports/import-lines.ts';
import type { Secret } from '../../kit/secret.ts';
import { destroyInstruments } from '../../vault/destroy-instruments.ts';
import { findCardRanges } from '../../vault/find-card-ranges.ts';
import { prepareInstrument, storePrepared } from '../../vault/store-instruments.ts';
import type { Instrument, InstrumentDraft, InstrumentId } from '../../vault/vault.types.ts';
import { writeTokenEvents } from '../token-events.ts';
import { tokenId } from '../tokens.rules.ts';
import { findUnused, lockPayers } from '../tokens.store.ts';
import type { TokenContext, TokenGuid, TokenRecord } from '../tokens.types.ts';
import { identityText, missingMember } from './import.rules.ts';
import { lockImports } from './import.store.ts';
import type { ImportTokens, UpdateTokens } from './import.types.ts';
import type { ImportLineInput, UpdateLineInput } from './import.wire.ts';
import { importTokens, NO_TEST_NUMBER } from './import-tokens.ts';
import { asUpdated, readUpdate, type TokenUpdate } from './update.rules.ts';
import { lockByGuid, saveUpdated, selectByGuid, type UpdatedToken } from './update.store.ts';

/**
 * Takes over some lines of a migration file that may also renew what is there: a line with the GUID of a token gives it another number,
 * another expiry, or both. Any other line is imported as by `importTokens`. All in one transaction.
 *
 * @returns what became of each line, in their order
 */
export async function updateTokens(
  transaction: Transaction,
  context: TokenContext,
  { payeeId, lines, actor, before }: UpdateTokens,
): Promise<readonly LineOutcome[]> {
  await before;
  await lockImports(transaction, payeeId);
  const known = await lockKnown(transaction, payeeId, lines);
  const fresh = lines.filter((line) => !isKnown(known, line));
  const whole = fresh.filter((line): line is ImportLineInput => missingMember(line) === undefined);
  const imported = (
    await importTokens(transaction, context, { payeeId, lines: whole, actor, before: undefined } satisfies ImportTokens)
  ).values();
  const updated = (
    await updateKnown(transaction, context, {
      payeeId,
      actor,
      known,
      lines: lines.filter((line) => isKnown(known, line)),
    })
  ).values();
  return lines.map((line): LineOutcome => {
    const outcome = isKnown(known, line) ? updated.next().value : (missingMember(line) ?? imported.next().value);
    assert(outcome !== undefined, 'there is an outcome for each line');
    return outcome;
  });
}

type Known = ReadonlyMap<TokenGuid, TokenRecord>;

function guidOf({ token }: UpdateLineInput): TokenGuid | undefined {
  return token?.toLowerCase() as TokenGuid | undefined;
}

function isKnown(known: Known, line: UpdateLineInput): boolean {
  const guid = guidOf(line);
  return guid !== undefined && known.has(guid);
}

/** The tokens that are there under the GUIDs of the lines. Their payers are locked first, as by all that change tokens of a payer. */
async function lockKnown(
  transaction: Transaction,
  payeeId: PayeeId,
  lines: readonly UpdateLineInput[],
): Promise<Known> {
  const guids = [...new Set(lines.flatMap((line) => guidOf(line) ?? []))];
  const { rows: found } = await selectByGuid(transaction, payeeId, guids);
  const others = lines.flatMap(({ payerReference }) => payerReference ?? []);
  await lockPayers(transaction, payeeId, [...found.map(({ payerReference }) => payerReference), ...others]);
  const { rows } = await lockByGuid(transaction, payeeId, guids);
  return new Map(rows.map((token) => [token.token, token]));
}

interface UpdateKnown {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly known: Known;
  readonly lines: readonly UpdateLineInput[];
}

async function updateKnown(
  transaction: Transaction,
  context: TokenContext,
  { payeeId, actor, known, lines }: UpdateKnown,
): Promise<readonly LineOutcome[]> {
  const read = lines.map((line): TokenUpdate | LineOutcome => {
    const token = known.get(guidOf(line) as TokenGuid);
    assert(token !== undefined, 'a line that is to change a token has one');
    return readUpdate(line, token);
  });
  const judged = await withInstruments(transaction, context, payeeId, read);
  const now = new Map<TokenGuid, UpdatedToken>();
  const left = new Set<InstrumentId>();
  const outcomes = judged.map((one): LineOutcome => {
    if (typeof one === 'string' || isRejection(one)) return one;
    const { update, instrument } = one;
    const before = now.get(update.token.token) ?? update.token;
    const after = asUpdated(before, { expiryDate: update.expiryDate, instrument });
    if (after === undefined) return 'unchanged';
    // A later line of the same token may replace a number that an earlier one has brought.
    if (before.instrumentId !== null && before.instrumentId !== after.instrumentId) left.add(before.instrumentId);
    now.set(after.token, { ...after, number: update.number ?? (before as UpdatedToken).number });
    return 'updated';
  });
  await save(transaction, context, { payeeId, actor, left: [...left], after: [...now.values()] });
  return outcomes;
}

interface Judged {
  readonly update: TokenUpdate;
  /** Of the new number; undefined where that stays. */
  readonly instrument: Instrument | undefined;
}

/** The updates with the cards of their new numbers, which are stored where they are new. */
async function withInstruments(
  transaction: Transaction,
  context: TokenContext,
  payeeId: PayeeId,
  read: readonly (TokenUpdate | LineOutcome)[],
): Promise<readonly (Judged | LineOutcome)[]> {
  const updates = read.filter((one): one is TokenUpdate => typeof one !== 'string' && !isRejection(one));
  const numbers = updates.flatMap(({ number }) => number ?? []);
  const ranges = (await findCardRanges(transaction, numbers)).values();
  const drafts = new Map<TokenUpdate, InstrumentDraft>();
  for (const update of updates) {
    if (update.number === undefined) continue;
    const found = ranges.next().value;
    assert(found !== undefined, 'each number was looked for');
    if (context.config.mode !== 'sandbox' || found.isTestNumber) {
      drafts.set(update, { kind: 'Card', number: update.number, range: found.range });
    }
  }
  const keys = await loadWriteKeys(transaction, context.keyRing);
  const prepared = [...drafts.values()].map((draft) => prepareInstrument(context, keys, payeeId, draft));
  const stored = await storePrepared(transaction, payeeId, prepared);
  const instruments = new Map([...drafts.keys()].map((update, index) => [update, stored[index]]));
  return read.map((one) => {
    if (typeof one === 'string' || isRejection(one)) return one;
    if (one.number !== undefined && !drafts.has(one)) return NO_TEST_NUMBER;
    return { update: one, instrument: instruments.get(one) };
  });
}

interface Saving {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** Cards that tokens had before. */
  readonly left: readonly InstrumentId[];
  readonly after: readonly UpdatedToken[];
}

/** Writes what has changed, tells of it, and destroys the cards that no token uses any more. */
async function save(
  transaction: Transaction,
  { keyRing }: TokenContext,
  { payeeId, actor, left, after }: Saving,
): Promise<void> {
  if (after.length === 0) return;
  const keyId = keyRing.current('token-lines');
  const { rows: changed } = await saveUpdated(
    transaction,
    after.map((token) => ({
      ...token,
      identityDigest:
        token.number === undefined ? null : keyRing.digest(keyId, payeeId, identityOf(token, token.number)),
      identityKeyId: token.number === undefined ? null : keyId,
    })),
  );
  assert(changed.length === after.length, 'locked tokens that are there can be updated');
  await destroyInstruments(transaction, payeeId, {
    candidates: left,
    findUnused: (locked) => findUnused(transaction, payeeId, locked),
  });
  await writeAudit(
    transaction,
    after.map((token) => ({ payeeId, actor, action: 'update-token' as const, objectId: tokenId(token) })),
  );
  await writeTokenEvents(transaction, payeeId, 'token.updated', changed);
}

function identityOf({ payerReference, tokenType, instrument }: TokenRecord, number: Secret): Secret {
  return identityText({ payerReference, tokenType, instrument, content: { kind: 'Card', number } });
}

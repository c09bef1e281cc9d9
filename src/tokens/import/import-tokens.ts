import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditEntry } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LineOutcome, Rejection } from '../../kit/imports/import.types.ts';
import { isRejection } from '../../kit/imports/import-lines.ts';
import type { Secret } from '../../kit/secret.ts';
import { findCardRanges } from '../../vault/find-card-ranges.ts';
import { type PreparedInstrument, prepareInstrument, storePrepared } from '../../vault/store-instruments.ts';
import type { InstrumentDraft } from '../../vault/vault.types.ts';
import { insertCredentials } from '../stored/made-tokens.store.ts';
import { tokenId } from '../tokens.rules.ts';
import { lockPayers } from '../tokens.store.ts';
import type { TokenContext } from '../tokens.types.ts';
import { contentText, decideLines, formerCardOf, identityText, readImportLine, tombstoneText } from './import.rules.ts';
import { insertTokens, lockImports, readKnown, selectNow } from './import.store.ts';
import type { FormerCard, ImportLine, ImportTokens, KnownTokens, NewToken } from './import.types.ts';

/** Lines of the next transaction that are made ready before the database's answers are looked at again: a millisecond. */
const IMPORT_BREATH_LINES = 16;

/** A line with all that is made of it before its turn to be written comes. */
interface Prepared {
  readonly line: ImportLine;
  /** Its digests under each live key, the current one first. */
  readonly identity: readonly Buffer[];
  readonly content: readonly Buffer[];
  readonly tombstone: readonly Buffer[];
  readonly former: FormerCard | undefined;
  readonly identityKeyId: KeyId;
  readonly instrument: PreparedInstrument;
}

/**
 * Takes over some lines of a migration file, all in one transaction. What is there already is not imported again.
 *
 * @returns what became of each line, in their order
 */
export async function importTokens(
  transaction: Transaction,
  context: TokenContext,
  { payeeId, lines, actor, before }: ImportTokens,
): Promise<readonly LineOutcome[]> {
  const prepared = await prepare(transaction, context, payeeId, lines.map(readImportLine));
  const accepted = prepared.filter((line): line is Prepared => !isRejection(line));
  await before;
  const outcomes = decideLines(accepted.map(inHex), await lockAndRead(transaction, payeeId, accepted));
  const fresh = accepted.filter((_, index) => outcomes[index] === 'imported');
  const tokens = await store(transaction, context, payeeId, fresh);
  const entries = tokens.map((token) => auditOf(token, payeeId, actor));
  await Promise.all([
    insertTokens(transaction, payeeId, tokens),
    storeCredentials(transaction, payeeId, tokens),
    writeAudit(transaction, entries),
  ]);
  const decided = outcomes.values();
  return prepared.map((line) => (isRejection(line) ? line : next(decided)));
}

/** Stores what the cards of some tokens are charged by later, where their lines say so. */
async function storeCredentials(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly NewToken[],
): Promise<void> {
  const credentials = tokens.flatMap(({ line: { schemeTransactionId }, token }) =>
    schemeTransactionId === undefined ? [] : [{ payeeId, token, schemeTransactionId, acquirerId: null }],
  );
  if (credentials.length === 0) return;
  const { statement, values } = insertCredentials(credentials, await selectNow(transaction.run));
  await transaction.run(statement, values);
}

function next<Item>(items: Iterator<Item>): Item {
  const { done, value } = items.next();
  assert(!done, 'there is an outcome for each line');
  return value;
}

function auditOf({ token, line: { tokenType } }: NewToken, payeeId: PayeeId, actor: Actor): AuditEntry {
  return { payeeId, actor, action: 'import-token', objectId: tokenId({ token, tokenType }) };
}

/** Digests and seals the lines, a few at a time: what the database answers to those before is not kept waiting. */
async function prepare(
  transaction: Transaction,
  context: TokenContext,
  payeeId: PayeeId,
  lines: readonly (ImportLine | Rejection)[],
): Promise<readonly (Prepared | Rejection)[]> {
  const keys = await loadWriteKeys(transaction, context.keyRing);
  const drafts = await draftsOf(transaction, context, lines);
  const underEachKey = (text: Secret) =>
    keys.live['token-lines'].map((keyId) => context.keyRing.digest(keyId, payeeId, text));
  const prepared: (Prepared | Rejection)[] = [];
  for (const drafted of drafts) {
    if (prepared.length % IMPORT_BREATH_LINES === 0) await context.breathe();
    if (isRejection(drafted)) prepared.push(drafted);
    else {
      const { line, draft } = drafted;
      const instrument = prepareInstrument(context, keys, payeeId, draft);
      const { lastFour } = instrument.row.instrument;
      prepared.push({
        line,
        identity: underEachKey(identityText(line)),
        content: underEachKey(contentText(line)),
        former: formerCardOf(line, lastFour),
        tombstone: underEachKey(tombstoneText({ ...line, lastFour })),
        identityKeyId: keys.current['token-lines'],
        instrument,
      });
    }
  }
  return prepared;
}

interface Drafted {
  readonly line: ImportLine;
  readonly draft: InstrumentDraft;
}

/** The lines with their instruments, a card with what the card ranges say of its number. */
async function draftsOf(
  transaction: Transaction,
  { config }: TokenContext,
  lines: readonly (ImportLine | Rejection)[],
): Promise<readonly (Drafted | Rejection)[]> {
  const numbers = lines.flatMap((line) =>
    !isRejection(line) && line.content.kind === 'Card' ? [line.content.number] : [],
  );
  const ranges = (await findCardRanges(transaction, numbers)).values();
  return lines.map((line) => {
    if (isRejection(line)) return line;
    const { content } = line;
    if (content.kind !== 'Card') return { line, draft: content };
    const { range, isTestNumber } = next(ranges);
    return config.mode === 'sandbox' && !isTestNumber ? NO_TEST_NUMBER : { line, draft: { ...content, range } };
  });
}

/** Real card numbers must not end up in a sandbox: only the test ranges are taken there. */
export const NO_TEST_NUMBER: Rejection = {
  member: 'pan',
  reason: 'must be in one of the test ranges: the sandbox takes no other card numbers',
};

/** What the payee has of these lines; from here on other imports, and what else makes tokens of these payers, wait. */
async function lockAndRead(
  transaction: Transaction,
  payeeId: PayeeId,
  prepared: readonly Prepared[],
): Promise<KnownTokens> {
  const lines = prepared.map(({ line }) => line);
  const payers = lines.map(({ payerReference }) => payerReference);
  const tokens = lines.flatMap(({ token }) => (token === undefined ? [] : [token]));
  const identities = prepared.flatMap(({ identity, tombstone }) => [...identity, ...tombstone]);
  const formers = prepared.flatMap(({ line, former }) =>
    line.token === undefined && former !== undefined ? [former] : [],
  );
  // They travel together, and each sees what the locks of those before it have waited for.
  const [, , known] = await Promise.all([
    lockImports(transaction, payeeId),
    lockPayers(transaction, payeeId, payers),
    readKnown(transaction, payeeId, { tokens, identities, formers }),
  ]);
  return known;
}

function inHex({ line, identity, content, tombstone, former }: Prepared) {
  const hex = (digest: Buffer) => digest.toString('hex');
  return {
    token: line.token,
    identity: identity.map(hex),
    content: content.map(hex),
    tombstone: tombstone.map(hex),
    former,
  };
}

/** Stores the lines that become tokens. */
async function store(
  transaction: Transaction,
  context: TokenContext,
  payeeId: PayeeId,
  fresh: readonly Prepared[],
): Promise<readonly NewToken[]> {
  const instruments = await storePrepared(
    transaction,
    payeeId,
    fresh.map(({ instrument }) => instrument),
  );
  return fresh.map(({ line, identity, content, identityKeyId }, index): NewToken => {
    const instrument = instruments[index];
    const [identityDigest, contentDigest] = [identity[0], content[0]];
    assert(instrument && identityDigest && contentDigest, 'each line has its instrument and digests');
    return { line, token: line.token ?? context.newToken(), identityDigest, identityKeyId, contentDigest, instrument };
  });
}

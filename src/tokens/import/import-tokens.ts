import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditEntry } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { LineOutcome, Rejection } from '../../kit/import.types.ts';
import type { Secret } from '../../kit/secret.ts';
import { findCardRanges } from '../../vault/find-card-ranges.ts';
import { storeInstruments } from '../../vault/store-instruments.ts';
import type { FoundCardRange, InstrumentDraft } from '../../vault/vault.types.ts';
import { tokenId } from '../tokens.rules.ts';
import { lockPayers } from '../tokens.store.ts';
import { contentText, decideLines, identityText, readImportLine } from './import.rules.ts';
import { insertTokens, lockImports, readKnown } from './import.store.ts';
import type { ImportContext, ImportLine, ImportTokens, NewToken } from './import.types.ts';

/** A line with its digests under each live key, the current one first. */
interface Digested {
  readonly line: ImportLine;
  readonly range: FoundCardRange | undefined;
  readonly identity: readonly Buffer[];
  readonly content: readonly Buffer[];
}

/**
 * Takes over some lines of a migration file, all in one transaction. What is there already is not imported again.
 *
 * @returns what became of each line, in their order
 */
export async function importTokens(
  transaction: Transaction,
  context: ImportContext,
  { payeeId, lines, actor, before }: ImportTokens,
): Promise<readonly LineOutcome[]> {
  const read = lines.map(readImportLine);
  const readable = read.filter((line): line is ImportLine => !isRejection(line));
  const outcomes = (await importReadable(transaction, context, { payeeId, lines: readable, actor, before })).values();
  return read.map((line) => (isRejection(line) ? line : next(outcomes)));
}

function isRejection(line: ImportLine | Rejection): line is Rejection {
  return 'member' in line;
}

function next<Item>(items: Iterator<Item>): Item {
  const { done, value } = items.next();
  assert(!done, 'there is an outcome for each line');
  return value;
}

async function importReadable(
  transaction: Transaction,
  context: ImportContext,
  { payeeId, lines, actor, before }: Omit<ImportTokens, 'lines'> & { readonly lines: readonly ImportLine[] },
): Promise<readonly LineOutcome[]> {
  const digested = await digest(transaction, context, payeeId, lines);
  await before;
  await lockImports(transaction, payeeId);
  await lockPayers(
    transaction,
    payeeId,
    lines.map(({ payerReference }) => payerReference),
  );
  const refused = digested.map((line) => (context.onlyTestNumbers ? checkTestNumber(line) : undefined));
  const accepted = digested.filter((_, index) => refused[index] === undefined);
  const outcomes = decideLines(accepted.map(inHex), await known(transaction, payeeId, accepted));
  const fresh = accepted.filter((_, index) => outcomes[index] === 'imported');
  const tokens = await store(transaction, context, payeeId, fresh);
  await writeAudit(
    transaction,
    tokens.map((token) => auditOf(token, payeeId, actor)),
  );
  const decided = outcomes.values();
  return refused.map((rejection) => rejection ?? next(decided));
}

function auditOf({ token, line: { tokenType } }: NewToken, payeeId: PayeeId, actor: Actor): AuditEntry {
  return { payeeId, actor, action: 'import-token', objectId: tokenId({ token, tokenType }) };
}

async function digest(
  transaction: Transaction,
  { keyRing }: ImportContext,
  payeeId: PayeeId,
  lines: readonly ImportLine[],
): Promise<readonly Digested[]> {
  const { live } = await loadWriteKeys(transaction, keyRing);
  const ranges = await rangesOf(transaction, lines);
  const underEachKey = (text: Secret) => live.identity.map((keyId) => keyRing.digest(keyId, payeeId, text));
  return lines.map((line, index) => ({
    line,
    range: ranges[index],
    identity: underEachKey(identityText(line)),
    content: underEachKey(contentText(line)),
  }));
}

/** What the card ranges say of each line's number; undefined for a line that has none. */
async function rangesOf(
  transaction: Transaction,
  lines: readonly ImportLine[],
): Promise<readonly (FoundCardRange | undefined)[]> {
  const numbers = lines.flatMap(({ content }) => (content.kind === 'Card' ? [content.number] : []));
  const found = (await findCardRanges(transaction, numbers)).values();
  return lines.map(({ content }) => (content.kind === 'Card' ? next(found) : undefined));
}

/** Real card numbers must not end up in a sandbox: only the test ranges are taken there. */
function checkTestNumber({ line, range }: Digested): Rejection | undefined {
  if (line.content.kind !== 'Card' || range?.isTestNumber) return undefined;
  return { member: 'pan', reason: 'must be in one of the test ranges: the sandbox takes no other card numbers' };
}

function inHex({ line, identity, content }: Digested) {
  const hex = (digest: Buffer) => digest.toString('hex');
  return { token: line.token, identity: identity.map(hex), content: content.map(hex) };
}

function known(transaction: Transaction, payeeId: PayeeId, lines: readonly Digested[]) {
  return readKnown(transaction, payeeId, {
    tokens: lines.flatMap(({ line }) => (line.token === undefined ? [] : [line.token])),
    identities: lines.flatMap(({ identity }) => identity),
  });
}

async function store(
  transaction: Transaction,
  context: ImportContext,
  payeeId: PayeeId,
  lines: readonly Digested[],
): Promise<readonly NewToken[]> {
  if (lines.length === 0) return [];
  const instruments = await storeInstruments(transaction, context, payeeId, lines.map(draftOf));
  const tokens = lines.map(({ line, identity, content }, index): NewToken => {
    const instrument = instruments[index];
    const [identityDigest, contentDigest] = [identity[0], content[0]];
    assert(instrument && identityDigest && contentDigest, 'each line has its instrument and digests');
    return { line, token: line.token ?? context.newToken(), identityDigest, contentDigest, instrument };
  });
  const added = await insertTokens(transaction, payeeId, tokens);
  assert(added === tokens.length, 'every new token is added');
  return tokens;
}

function draftOf({ line: { content }, range }: Digested): InstrumentDraft {
  return content.kind === 'Card' ? { ...content, range: range?.range } : content;
}

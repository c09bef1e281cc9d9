import { passesLuhn } from '../../kit/cards/card-number.ts';
import type { LineOutcome, Rejection } from '../../kit/imports/import.types.ts';
import { Secret } from '../../kit/secret.ts';
import type { InstrumentContent } from '../../vault/vault.types.ts';
import { kindOf } from '../tokens.rules.ts';
import type { StoredToken, TokenGuid } from '../tokens.types.ts';
import type { DigestedLine, FormerCard, ImportLine, KnownTokens, NamedMembers } from './import.types.ts';
import type { ImportLineInput, UpdateLineInput } from './import.wire.ts';

/** Reads a line whose members are well-formed: whether they belong together, and what they mean. */
export function readImportLine(input: ImportLineInput): ImportLine | Rejection {
  const content = readContent(input);
  if ('member' in content) return content;
  const archived = readArchived(input);
  if (archived !== undefined && 'member' in archived) return archived;
  const isCard = content.kind === 'Card';
  return {
    payerReference: input.payerReference,
    tokenType: input.tokenType,
    instrument: input.instrument,
    content,
    displayName: input.instrumentDisplayName?.trim(),
    expiryDate: isCard ? input.expiryDate : undefined,
    networkTokenLastFour: isCard ? input.lastFourDPan : undefined,
    networkTokenExpiryDate: isCard ? input.expiryDPan : undefined,
    schemeTransactionId: isCard ? input.schemeTransactionId : undefined,
    token: input.token?.toLowerCase() as TokenGuid | undefined,
    archived,
  };
}

/** What is missing of a line that has to name its token; undefined where nothing is. */
export function missingMember(line: UpdateLineInput): Rejection | undefined {
  const missing = NAMED_MEMBERS.find((member) => line[member] === undefined);
  return missing && reject(missing, 'is required, unless token is the GUID of a token that is there');
}

const NAMED_MEMBERS: readonly NamedMembers[] = ['payerReference', 'tokenType', 'instrument'];

function readContent(input: ImportLineInput): InstrumentContent | Rejection {
  const { instrument, pan, expiryDate, accountId, payerReference } = input;
  if (kindOf(instrument) === 'Other') return readOther(input);
  if (instrument === 'BankAccount') {
    if (accountId === undefined) return reject('accountId', 'is required for a bank account');
    return { kind: 'BankAccount', accountId: new Secret(accountId) };
  }
  if (instrument !== 'CreditCard') {
    const { email, msisdn, zipCode } = input;
    const recipient = { email: hide(email), msisdn: hide(msisdn), zipCode: hide(zipCode) };
    return { kind: 'Invoice', instrument, payerReference, ...recipient };
  }
  if (pan === undefined) return reject('pan', 'is required for a card');
  if (expiryDate === undefined) return reject('expiryDate', 'is required for a card');
  if (!passesLuhn(pan)) return reject('pan', 'must be a card number whose check digit is right (Luhn)');
  return { kind: 'Card', number: new Secret(pan) };
}

/** A name that only looks like one of ours would be an instrument of its own for ever. */
const ALMOST_OURS = /^(?:credit-?card|bank-?account|invoice)/i;

function readOther({
  instrument,
  payerReference,
  instrumentParameters = {},
}: ImportLineInput): InstrumentContent | Rejection {
  if (ALMOST_OURS.test(instrument)) {
    return reject('instrument', 'must be written CreditCard, BankAccount or Invoice-<variant>, or be another name');
  }
  const sorted = Object.entries(instrumentParameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return { kind: 'Other', instrument, payerReference, parameters: new Secret(JSON.stringify(sorted)) };
}

function hide(field: string | undefined): Secret | undefined {
  return field === undefined ? undefined : new Secret(field);
}

function readArchived({ state, archivedBy, archiveReason }: ImportLineInput): ImportLine['archived'] | Rejection {
  if (state === 'Archived') {
    if (archivedBy === undefined) return reject('archivedBy', 'is required for an archived token');
    if (archiveReason === undefined) return reject('archiveReason', 'is required for an archived token');
    return { by: archivedBy, reason: archiveReason.trim() };
  }
  if (archivedBy !== undefined) return reject('archivedBy', 'is only for an archived token');
  if (archiveReason !== undefined) return reject('archiveReason', 'is only for an archived token');
  return undefined;
}

function reject(member: string, reason: string): Rejection {
  return { member, reason };
}

/** What identifies a line without a GUID: payer, type and instrument. */
export function identityText(
  token: Pick<ImportLine, 'payerReference' | 'tokenType' | 'instrument' | 'content'>,
): Secret {
  const { payerReference, tokenType, instrument, content } = token;
  return new Secret(JSON.stringify(['identity', payerReference, tokenType, instrument, ...revealed(content)]));
}

/**
 * What a deleted token is known by: no more than its tombstone shows, and so nothing of a number but its last digits. Where there are
 * none, as with invoices, only its GUID tells it from others once the key was rotated.
 */
export function tombstoneText(
  deleted: Pick<StoredToken, 'payerReference' | 'tokenType' | 'instrument' | 'lastFour'> & {
    readonly token: TokenGuid | undefined;
    readonly expiryDate: string | null | undefined;
  },
): Secret {
  const { payerReference, tokenType, instrument, lastFour, token, expiryDate } = deleted;
  const name = lastFour ?? token ?? null;
  return new Secret(JSON.stringify(['tombstone', payerReference, tokenType, instrument, name, expiryDate ?? null]));
}

/** The whole of a line: two lines with one GUID must be equal in all of it. */
export function contentText(line: ImportLine): Secret {
  const { displayName, expiryDate, networkTokenLastFour, networkTokenExpiryDate, archived } = line;
  const rest = [displayName, expiryDate, networkTokenLastFour, networkTokenExpiryDate, archived?.by, archived?.reason];
  // Left out where it is absent, so that lines which were imported before it was known stay what they were.
  const later = line.schemeTransactionId === undefined ? [] : [line.schemeTransactionId];
  const members = [...rest.map((member) => member ?? null), ...later];
  return new Secret(JSON.stringify(['content', identityText(line).reveal(), ...members]));
}

function revealed(content: InstrumentContent): (string | null)[] {
  if (content.kind === 'Card') return [content.number.reveal()];
  if (content.kind === 'BankAccount') return [content.accountId.reveal()];
  if (content.kind === 'Other') return [content.parameters.reveal()];
  return [content.email, content.msisdn, content.zipCode].map((field) => field?.reveal() ?? null);
}

/** The card of a line, as a token that had it before an update is known by it. */
export function formerCardOf(
  { payerReference, tokenType, instrument, expiryDate }: ImportLine,
  lastFour: string | null,
): FormerCard | undefined {
  if (lastFour === null) return undefined;
  return { payerReference, tokenType, instrument, card: `${lastFour} ${expiryDate ?? ''}` };
}

/** The same as one text. */
function formerName({ payerReference, tokenType, instrument, card }: FormerCard): string {
  return JSON.stringify([payerReference, tokenType, instrument, card]);
}

/**
 * Which lines become tokens, each judged after those before it. A GUID that is known stands for one content: an equal
 * line changes nothing, another one is refused. A line without a GUID is known by what identifies it. Deleted tokens
 * count as known, by their GUIDs and by what their tombstones show, and cards that an update has replaced by their last digits and expiry, so
 * they do not come back.
 */
export function decideLines(lines: readonly DigestedLine[], known: KnownTokens): LineOutcome[] {
  const contentByToken = new Map(known.contentByToken);
  const identities = new Set(known.identities);
  const formers = new Set(known.formers.map(formerName));
  return lines.map((line) => {
    const content = line.token && contentByToken.get(line.token);
    if (content !== undefined) {
      return [...line.content, ...line.identity, ...line.tombstone].includes(content)
        ? 'unchanged'
        : reject('token', 'is the GUID of another token: the same GUID with other content');
    }
    const names = [...line.identity, ...line.tombstone];
    const isFormer = line.former !== undefined && formers.has(formerName(line.former));
    if (line.token === undefined && (isFormer || names.some((digest) => identities.has(digest)))) return 'unchanged';
    if (line.token !== undefined) contentByToken.set(line.token, line.content[0] ?? '');
    for (const digest of line.identity) identities.add(digest);
    return 'imported';
  });
}

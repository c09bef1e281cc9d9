import { forbidden, type Refusal } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import type { InstrumentKind, SealedInstrument } from '../vault/vault.types.ts';
import {
  ARCHIVER_SCOPES,
  type Archiving,
  type InstrumentParameters,
  type StoredToken,
  TOKEN_TYPES,
  type TokenCursor,
  type TokenGuid,
  type TokenRecord,
  type TokenType,
} from './tokens.types.ts';

/** A token as an address names it: its GUID, and its type where the address says it. */
export interface TokenName {
  readonly token: TokenGuid;
  readonly tokenType: TokenType | undefined;
}

/** Reads `<token>-<tokenType>` or a bare GUID; undefined where the text is neither. */
export function parseTokenName(text: string): TokenName | undefined {
  const token = text.slice(0, 36);
  if (!isUuid(token)) return undefined;
  const guid = token.toLowerCase() as TokenGuid;
  if (text.length === 36) return { token: guid, tokenType: undefined };
  const suffix = text.slice(36).toLowerCase();
  const tokenType = TOKEN_TYPES.find((type) => suffix === `-${type.toLowerCase()}`);
  return tokenType && { token: guid, tokenType };
}

/** The id of a token as addresses and answers write it. */
export function tokenId(token: Pick<TokenRecord, 'token' | 'tokenType'>): string {
  return `${token.token}-${token.tokenType}`;
}

/** Whether the name, with the type it may carry, is this token's. */
export function isNamed(name: TokenName, token: Pick<TokenRecord, 'token' | 'tokenType'>): boolean {
  return name.token === token.token && (name.tokenType === undefined || name.tokenType === token.tokenType);
}

/** Whether what was found under a name is a token that can be seen: a deleted one is as good as unknown. */
export function isThere<Found extends TokenRecord>(name: TokenName, found: Found | undefined): found is Found {
  return found !== undefined && isNamed(name, found) && found.state !== 'Deleted';
}

/** Whether what was found is a token of this type that can be used. */
export function isActive<Found extends TokenRecord>(found: Found | undefined, tokenType: TokenType): found is Found {
  return found?.tokenType === tokenType && found.state === 'Active';
}

/** Archiving in another's name needs a scope of its own. */
export function checkArchiver(scopes: ReadonlySet<string>, { updatedBy }: Archiving): Refusal | undefined {
  const scope = ARCHIVER_SCOPES[updatedBy];
  return scopes.has(scope) ? undefined : forbidden('updatedBy', `needs an access token with the scope ${scope}`);
}

/** The token after archiving: the same one where it was archived before, so that the first archiver and reason are kept. */
export function archive<Archivable extends TokenRecord>(
  token: Archivable,
  { updatedBy, reason }: Archiving,
): Archivable {
  if (token.state !== 'Active') return token;
  return { ...token, state: 'Archived', archivedBy: updatedBy, archiveReason: reason.trim() };
}

/** The vault's row behind a token that must be opened to show the token; undefined for cards and for tombstones. */
export function sealedInstrument({
  payeeId,
  instrument,
  instrumentId,
  sealed,
}: StoredToken): SealedInstrument | undefined {
  if (sealed === null || instrumentId === null) return undefined;
  return { payeeId, instrumentId, kind: kindOf(instrument), sealed };
}

/** What kind of instrument has this name on the wire. */
export function kindOf(instrument: string): InstrumentKind {
  if (instrument === 'CreditCard') return 'Card';
  if (instrument === 'BankAccount') return 'BankAccount';
  return /^Invoice-[A-Za-z0-9]+$/.test(instrument) ? 'Invoice' : 'Other';
}

/** What is shown of a card; of a deleted one what the tombstone has; nothing of other instruments. */
export function cardParameters(card: StoredToken): InstrumentParameters {
  if (card.instrument !== 'CreditCard') return {};
  // Member by member, not by spreading: this is done for every token that is read.
  const shown: { -readonly [Name in keyof InstrumentParameters]: InstrumentParameters[Name] } = {
    countryCode: card.countryCode ?? UNKNOWN_COUNTRY,
  };
  if (card.cardBrand !== null) shown.cardBrand = card.cardBrand;
  if (card.expiryDate !== null) shown.expiryDate = shown.expiryPan = card.expiryDate;
  if (card.issuerName !== null) shown.issuerName = card.issuerName;
  if (card.lastFour !== null) shown.lastFourPan = card.lastFour;
  if (card.bin !== null) shown.bin = card.bin;
  if (card.holderType !== null) shown.cardHolderType = card.holderType;
  if (card.cardType !== null) shown.cardType = card.cardType;
  if (card.networkTokenLastFour !== null) shown.lastFourDPan = card.networkTokenLastFour;
  if (card.networkTokenExpiryDate !== null) shown.expiryDPan = card.networkTokenExpiryDate;
  return shown;
}

/** ISO 3166-1 keeps the numeric codes from 900 for its users; this one says that the country is not known. */
const UNKNOWN_COUNTRY = '999';

/** A place in a list as an opaque text. */
export function writeCursor({ createdAt, token }: TokenCursor): string {
  return `${createdAt.replace(' ', 'T')}~${token}`;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?\+00)~([0-9a-f-]{36})$/;

/** The place that `writeCursor` wrote, or undefined where the text is not of its making. */
export function readCursor(text: string): TokenCursor | undefined {
  const [, time, token] = CURSOR.exec(text) ?? [];
  if (time === undefined || token === undefined || !isUuid(token) || !isTime(time)) return undefined;
  return { createdAt: time.replace('T', ' '), token: token as TokenGuid };
}

function isTime(text: string): boolean {
  const [year, month, day, hour, minute, second] = text.split(/[-T:.+]/).map(Number);
  const days = [31, year !== undefined && year % 4 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return (
    isWithin(year, 2000, 2999) &&
    isWithin(month, 1, 12) &&
    isWithin(day, 1, days[(month ?? 0) - 1] ?? 0) &&
    isWithin(hour, 0, 23) &&
    isWithin(minute, 0, 59) &&
    isWithin(second, 0, 59)
  );
}

function isWithin(value: number | undefined, smallest: number, largest: number): boolean {
  return value !== undefined && value >= smallest && value <= largest;
}

/** Tokens that are changed at once. A payer may have many thousand: all other callers wait for one portion at most. */
export const TOKENS_AT_ONCE = 500;

/** Tokens in portions, in their order. */
export function portionsOf<Token>(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const count = Math.ceil(tokens.length / TOKENS_AT_ONCE);
  return Array.from({ length: count }, (_, at) => tokens.slice(at * TOKENS_AT_ONCE, (at + 1) * TOKENS_AT_ONCE));
}

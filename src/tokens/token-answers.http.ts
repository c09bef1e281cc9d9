import { type Operation, operation, path } from '../http/operations.ts';
import type { Scope } from '../kit/caller.ts';
import type { Token, TokenPage, TokenType } from './tokens.types.ts';
import type { SingleTokenAnswer, TokenCollectionAnswer } from './tokens.wire.ts';

/** Where the endpoints of a payee's tokens begin. */
export const PAYEE_PATH = '/online/payer/payees/:payeeId';
/** What the API's document files them under. */
export const PAYER_TOKENS = 'Payer tokens';

/** Archiving in the name of the operator or the issuer needs these instead of `tokens:write`. */
export const ACTING_SCOPES: readonly Scope[] = ['tokens:act-as-operator', 'tokens:act-as-issuer'];

/** Where tokens of a type are found to be deleted, below `/psp/paymentorders`; one of another type goes with its payer's. */
export const STORED_SEGMENTS = {
  Payment: 'paymentTokens',
  Recurrence: 'recurrenceTokens',
  Unscheduled: 'unscheduledTokens',
} as const satisfies Partial<Record<TokenType, string>>;

/** A list of what a payer has stored: where it is found, and what its answer has at its root. */
export interface Owned {
  readonly segment: string;
  readonly root: 'payerOwnedTokens' | 'payerOwnedPaymentTokens';
  /** Of the tokens in it; undefined: all. */
  readonly tokenType: TokenType | undefined;
}

/** Both lists: of all types, and the older one of what a payer pays with. */
export const OWNED = {
  all: { segment: 'payerownedtokens', root: 'payerOwnedTokens', tokenType: undefined },
  payment: { segment: 'payerOwnedPaymentTokens', root: 'payerOwnedPaymentTokens', tokenType: 'Payment' },
} as const satisfies Readonly<Record<string, Owned>>;

/** One token with what can be done with it. Archived ones list the same operations. */
export function singleToken(token: Token, baseUrl: string): SingleTokenAnswer {
  return { token: tokenObject(token), operations: tokenOperations(token, baseUrl) };
}

/** Where a collection is found, and how it was asked for. */
export interface CollectionAddress {
  readonly payeeId: string;
  readonly payerReference: string;
  readonly baseUrl: string;
  readonly collection: 'tokens' | 'archives';
  /** The query of the request without its cursor; the next page is asked for in the same way. */
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** A page of a payer's tokens. The collection's id is the same for the archived ones. */
export function tokenCollection(page: TokenPage, address: CollectionAddress): TokenCollectionAnswer {
  const { payeeId, payerReference, baseUrl } = address;
  const payer = path`/online/payer/payees/${payeeId}/payers/${payerReference}`;
  const operations: Operation[] = [
    operation('GET', 'get-payer-tokens', `${baseUrl}${payer}/tokens`),
    operation('PATCH', 'archive-payer-tokens', `${baseUrl}${payer}/archives`),
    deletePayerOwned(payerReference, baseUrl),
  ];
  if (page.next !== undefined) {
    const query = new URLSearchParams({ cursor: page.next });
    for (const [name, value] of Object.entries(address.filters)) if (value !== undefined) query.set(name, value);
    operations.push(operation('GET', 'next', `${baseUrl}${payer}/${address.collection}?${query}`));
  }
  return {
    tokens: {
      id: `${payer}/tokens`,
      payerReference,
      migratedFromConsumerProfile: page.imported,
      tokenlist: page.tokens.map((token) => ({ ...tokenObject(token), operations: tokenOperations(token, baseUrl) })),
    },
    operations,
  };
}

function tokenObject({ id, record, parameters }: Token): SingleTokenAnswer['token'] {
  const { archivedBy, archiveReason } = record;
  return {
    id,
    payerReference: record.payerReference,
    token: record.token,
    tokenType: record.tokenType,
    instrument: record.instrument,
    instrumentDisplayName: record.displayName,
    correlationsId: record.correlationId,
    state: record.state === 'Active' ? 'Active' : 'Archived',
    instrumentParameters: parameters,
    ...(archivedBy !== null && { archivedBy }),
    ...(archiveReason !== null && { archiveReason }),
  };
}

/** What can be done with a token, active or archived, wherever it is shown. */
export function tokenOperations({ id, record }: Token, baseUrl: string): Operation[] {
  const { payeeId, tokenType, token } = record;
  const href = `${baseUrl}/online/payer/payees/${payeeId}/tokens/${id}`;
  const operations = [
    operation('GET', 'get-token', href),
    operation('PATCH', 'update-displayname', `${href}/displaynames`),
    operation('PATCH', 'archive-token', `${href}/archives`),
  ];
  if (tokenType !== 'TransactionOnFile') {
    const segment = STORED_SEGMENTS[tokenType];
    const rel = `delete-${segment.toLowerCase()}`;
    operations.push(operation('PATCH', rel, `${baseUrl}/psp/paymentorders/${segment}/${token}`));
  }
  return operations;
}

/** The deletion of all that a payer has stored, or of what has the type of an older address. */
export function deletePayerOwned(payerReference: string, baseUrl: string, owned: Owned = OWNED.all): Operation {
  const rel = `delete-${owned.segment.toLowerCase()}`;
  return operation('PATCH', rel, `${baseUrl}${ownedPath(payerReference, owned)}`);
}

/** Where a payer's stored tokens are found. */
export function ownedPath(payerReference: string, { segment }: Owned = OWNED.all): string {
  return `/psp/paymentorders/${segment}${path`/${payerReference}`}`;
}

import type { Operation } from '../api/public-api.ts';

/** A payer token as the public API tells it. */
export interface Token {
  readonly id: string;
  readonly token: string;
  readonly tokenType: 'Payment' | 'Recurrence' | 'TransactionOnFile' | 'Unscheduled';
  readonly instrument: string;
  readonly instrumentDisplayName: string;
  readonly state: 'Active' | 'Archived';
  readonly archivedBy?: string;
  readonly archiveReason?: string;
  readonly instrumentParameters: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
}

export interface TokenCollection {
  readonly tokens: { readonly payerReference: string; readonly tokenlist: readonly Token[] };
  readonly operations: readonly Operation[];
}

/** The addresses where tokens of each type are deleted. A `TransactionOnFile` one goes with all of its payer alone. */
export const DELETED_AT: Readonly<Record<Token['tokenType'], string | undefined>> = {
  Payment: 'paymentTokens',
  Recurrence: 'recurrenceTokens',
  Unscheduled: 'unscheduledTokens',
  TransactionOnFile: undefined,
};

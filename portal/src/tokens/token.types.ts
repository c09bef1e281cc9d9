import { type Operation, operationOf } from '../api/public-api.ts';

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

/** The deletion of one token. One of another type goes with all of its payer alone. */
export function deletionOf({ tokenType, operations }: Token): Operation | undefined {
  return operationOf(operations, `delete-${tokenType.toLowerCase()}tokens`);
}

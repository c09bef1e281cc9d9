import { testCardNumber } from '../numbers.ts';

/** Lines of a migration file, as its sender writes them. Each index is another card, account or recipient. */

export interface Line {
  readonly [member: string]: string;
}

/** A card with all that must be said of it. */
export function cardLine(index: number, members: Line = {}): Line {
  return {
    payerReference: 'anna',
    tokenType: 'Payment',
    instrument: 'CreditCard',
    pan: testCardNumber(index),
    expiryDate: '01/2030',
    ...members,
  };
}

/** A bank account. */
export function accountLine(index: number, members: Line = {}): Line {
  return {
    payerReference: 'anna',
    tokenType: 'Payment',
    instrument: 'BankAccount',
    accountId: `NO${String(index).padStart(9, '0')}`,
    ...members,
  };
}

/** An invoice with all that it can have. */
export function invoiceLine(index: number, members: Line = {}): Line {
  return {
    payerReference: 'anna',
    tokenType: 'Payment',
    instrument: 'Invoice-PayLater',
    email: `payer-${index}@example.com`,
    msisdn: `+47400${String(index).padStart(5, '0')}`,
    zipCode: '0150',
    ...members,
  };
}

/** What makes a line an archived token's. */
export const ARCHIVED: Line = { state: 'Archived', archivedBy: 'TOKEN_ISSUER', archiveReason: 'the card was lost' };

/** A migration file of these lines. */
export function fileOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

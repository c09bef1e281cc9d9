import type { Initiator, StoredCredential } from '../../issuers/questions.types.ts';
import type { TokenType } from '../../tokens/tokens.types.ts';
import type { CardOperation } from '../payments.types.ts';

/** What a payment by the merchant does with the card that an earlier one has stored. */
const BY_MERCHANT: Partial<Record<CardOperation, StoredCredential>> = {
  Recur: { use: 'Recurring', step: 'Subsequent' },
  UnscheduledPurchase: { use: 'Unscheduled', step: 'Subsequent' },
};

/** What a token that a payment makes stores the card for. Where it makes several, the first one in this order counts. */
const STORES: readonly (readonly [TokenType, StoredCredential['use']])[] = [
  ['Recurrence', 'Recurring'],
  ['Unscheduled', 'Unscheduled'],
  ['TransactionOnFile', 'Unscheduled'],
  ['Payment', 'OnFile'],
];

/** What is known of a try. */
export interface TryOfCard {
  readonly operation: CardOperation;
  readonly channel: Initiator['channel'];
  /** Of the tokens that an approval makes. */
  readonly tokenTypes: readonly TokenType[];
  /** Whether the payer has chosen a card that was stored before. */
  readonly isStored: boolean;
}

/** Who begins a payment, and what that has to do with a stored card: what schemes tell CITs and MITs by. */
export function initiatorOf({ operation, channel, tokenTypes, isStored }: TryOfCard): Initiator {
  const merchants = BY_MERCHANT[operation];
  if (merchants !== undefined) return { by: 'Merchant', channel, credential: merchants };
  const stored = STORES.find(([type]) => tokenTypes.includes(type));
  if (stored !== undefined) return { by: 'Customer', channel, credential: { use: stored[1], step: 'First' } };
  return { by: 'Customer', channel, credential: isStored ? { use: 'OnFile', step: 'Subsequent' } : 'None' };
}

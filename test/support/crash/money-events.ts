import { EVENT_TYPES } from '../../../src/journal/events.rules.ts';
import type { TestDatabase } from '../database/database.ts';

/** Events by which no money moves. All others say how much, and in which currency: a new type is one of these, or says it. */
const NOT_OF_MONEY: readonly string[] = [
  'card-payment.testing',
  'gift-card.blocked',
  'gift-card.unblocked',
  'gift-card.extended',
  'gift-card.guessed-at',
  'gift-card.guessing',
  'token.created',
  'token.renamed',
  'token.archived',
  'token.deleted',
  'payee.suspended',
  'payee.resumed',
  'payee.closed',
  'access-token.expiring',
  'hmac-key.expiring',
  'oauth-client.expiring',
  'portal-user.closed',
  'portal-user.second-factor-replaced',
  'webhook.test',
];

/** Types of events by which money moves, or may have moved. */
export const MONEY_EVENTS = EVENT_TYPES.filter((type) => !NOT_OF_MONEY.includes(type));

/** Stored events of money that do not say how much it is, one of each type. */
export async function unsaidAmounts({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Promise<readonly unknown[]> {
  return asAdmin(`
    select distinct on (type) type, payload from event
    where type in (${MONEY_EVENTS.map((type) => `'${type}'`).join(', ')})
      and not (payload ? 'currency' and payload ?| array['amount', 'net'])
      -- A card that never had anything on it.
      and not (type = 'gift-card.voided' and not payload ? 'amount')`);
}

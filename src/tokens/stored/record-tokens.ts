import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { insertMadeTokens, touchPayers } from './made-tokens.store.ts';
import type { MadeToken } from './make-tokens.types.ts';

/**
 * The statements that store tokens, for a command kind's `save`. The payers are locked first, as everybody does who makes
 * tokens: so after "archive all" no older token is active.
 */
export function recordTokens(tokens: readonly MadeToken[]): readonly GuardedCall[] {
  if (tokens.length === 0) return [];
  const payers = new Map(
    tokens.map(({ payeeId, payerReference }) => [`${payeeId} ${payerReference}`, { payeeId, payerReference }]),
  );
  return [touchPayers([...payers.values()]), insertMadeTokens(tokens)];
}

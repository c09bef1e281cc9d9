import type { GuardedCall } from '../db/batch/batch.types.ts';
import { insertAttempts, updateAttempts } from './attempts.store.ts';
import type { AttemptChange } from './issuers.types.ts';

/** The statements that write the changes of a batch, for a command kind's `save`. */
export function recordAttempts(changes: readonly AttemptChange[], now: string): readonly GuardedCall[] {
  const attempts = changes.flatMap((change) => (change.kind === 'New' ? [change.attempt] : []));
  const outcomes = changes.flatMap((change) => (change.kind === 'Outcome' ? [change.outcome] : []));
  return [
    ...(attempts.length > 0 ? [insertAttempts(attempts, now)] : []),
    ...(outcomes.length > 0 ? [updateAttempts(outcomes, now)] : []),
  ];
}

import { EXPIRY_INTERVAL_MS } from '../../kit/limits.ts';
import type { ExpiryContext } from '../accounts/ledger-reads.types.ts';
import { expireOverdue } from './expire-overdue.ts';

/**
 * Starts looking after holds whose time is over, every few seconds.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringHolds(context: ExpiryContext, intervalMs = EXPIRY_INTERVAL_MS): () => Promise<void> {
  return context.background.repeat('release-holds', intervalMs, async (isStopped) => {
    let more = true;
    while (more && !isStopped()) more = await expireOverdue(context);
  });
}

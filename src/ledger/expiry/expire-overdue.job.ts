import { SERVICE } from '../../kit/caller.ts';
import type { ExpiryContext } from '../accounts/ledger-reads.types.ts';
import { TOUCH_ACCOUNT } from '../accounts/touch-account.rules.ts';
import { selectOverdueAccounts } from './expiry.store.ts';

/** Accounts that one round of the job for untouched accounts looks after. */
const EXPIRY_ACCOUNTS = 100;
/** Times that a round comes back to accounts that have more holds to release than one batch does. */
const EXPIRY_TURNS = 50;
/** Milliseconds between two rounds of it. A hold whose time is over cannot be captured meanwhile. */
const EXPIRY_INTERVAL_MS = 5_000;

/**
 * Starts looking after holds whose time is over, every few seconds.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringHolds(context: ExpiryContext, intervalMs = EXPIRY_INTERVAL_MS): () => Promise<void> {
  return context.background.repeat('release-holds', intervalMs, async (isStopped) => {
    let found = EXPIRY_ACCOUNTS;
    for (let turn = 0; (found === EXPIRY_ACCOUNTS || (found > 0 && turn < EXPIRY_TURNS)) && !isStopped(); turn++) {
      found = await expireOverdue(context);
    }
  });
}

/**
 * Has the holds released whose time is over on accounts that no request touches: through the queue, like all that
 * changes an account. Several instances may do it at once; each hold is released once.
 *
 * @returns how many accounts it found
 */
async function expireOverdue({ ledger, read, newId, workOn }: ExpiryContext): Promise<number> {
  const { rows } = await selectOverdueAccounts(read, EXPIRY_ACCOUNTS);
  await workOn(
    'release-holds',
    rows.map((account) => ({ ...account, rowId: account.accountId })),
    async (accounts) => {
      const touches = accounts.map(({ payeeId, accountId }) =>
        ledger.submit(TOUCH_ACCOUNT, { payeeId, accountId, commandId: newId(), actor: SERVICE }),
      );
      const failed = (await Promise.allSettled(touches)).find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  );
  return rows.length;
}

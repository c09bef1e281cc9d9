import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { ChangeKey } from './approvals.types.ts';

/** A request of a pending change as it is kept. */
interface SealedRequest extends ChangeKey {
  readonly sealed: Buffer;
}

/** How many requests are sealed with a key of the ring. */
export async function countRequestsSealedWith(transaction: Transaction, keyId: KeyId): Promise<number> {
  const { rows } = await transaction.run<{ requests: number }>(
    {
      name: 'portal-count-requests-sealed-with',
      text: `
        select count(*) as requests
        from pending_change
        where sealed_with = $1::text and request_sealed is not null`,
    },
    [keyId],
  );
  return rows[0]?.requests ?? 0;
}

/**
 * Locks some requests that are sealed with a key of the ring; those that another transaction has locked are left out.
 */
export function lockRequestsSealedWith(
  transaction: Transaction,
  keyId: KeyId,
  limit: number,
): Promise<Rows<SealedRequest>> {
  return transaction.run<SealedRequest>(
    {
      name: 'portal-lock-requests-sealed-with',
      text: `
        select payee_id as "payeeId", change_id as "changeId", request_sealed as sealed
        from pending_change
        where sealed_with = $1::text and request_sealed is not null
        order by payee_id, change_id
        limit $2::integer
        for no key update skip locked`,
    },
    [keyId, limit],
  );
}

const UPDATE_SEALED_REQUESTS = overRows<SealedRequest, [from: KeyId, to: KeyId]>({
  name: 'portal-update-sealed-requests',
  beside: 2,
  columns: {
    change_id: ['uuid', 'changeId'],
    request_sealed: ['bytea', 'sealed'],
  },
  text: ({ payee, rows }) => `
    update pending_change change
    set request_sealed = v.request_sealed, sealed_with = $2::text
    from ${rows}
    where change.payee_id = ${payee}
      and change.change_id = v.change_id
      and change.sealed_with = $1::text`,
});

/** Stores requests that were sealed again with another key of the ring, where the old one is still in place. */
export async function updateSealedRequests(
  transaction: Transaction,
  requests: readonly SealedRequest[],
  change: { from: KeyId; to: KeyId },
): Promise<number> {
  const { count } = await transaction.run(
    UPDATE_SEALED_REQUESTS,
    UPDATE_SEALED_REQUESTS.values(requests, change.from, change.to),
  );
  return count;
}

import type { Transaction } from '../../db/transaction.types.ts';
import type { PortalUserKey } from '../portal-users.types.ts';
import type { KnownNetworkDigests } from './sign-in.types.ts';

/** Days that a network is known after a user signed in from there last. */
export const KNOWN_DAYS = 90;

/** Whether the user of an e-mail address signed in from a network lately: both by their digests. */
export async function isKnownNetwork(
  transaction: Transaction,
  { emails, networks }: KnownNetworkDigests,
): Promise<boolean> {
  const { rows } = await transaction.run(
    {
      name: 'portal-users-is-known-network',
      text: `
        select 1 from portal_login login
        join portal_known_network network using (payee_id, user_id)
        where login.email_digest = any ($1::bytea[]) and network.network_digest = any ($2::bytea[])
          and network.signed_in_at > (select kontor_now()) - make_interval(days => $3::integer)`,
    },
    [emails, networks, KNOWN_DAYS],
  );
  return rows.length > 0;
}

/** Notes that a user signs in from a network now. */
export async function upsertKnownNetwork(
  transaction: Transaction,
  { payeeId, userId }: PortalUserKey,
  networkDigest: Buffer,
): Promise<void> {
  await transaction.run(
    {
      name: 'portal-users-upsert-known-network',
      text: `
        insert into portal_known_network as known (payee_id, user_id, network_digest)
        values ($1::uuid, $2::uuid, $3::bytea)
        on conflict (payee_id, user_id, network_digest) do update
        set signed_in_at = greatest(known.signed_in_at, excluded.signed_in_at)`,
    },
    [payeeId, userId, networkDigest],
  );
}

/** Deletes networks that are known no more, at most `limit`. */
export async function deleteOldNetworks(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-delete-old-networks',
      text: `
        with old as materialized (
          select payee_id, user_id, network_digest
          from portal_known_network
          where signed_in_at < (select kontor_now()) - make_interval(days => $2::integer)
          order by signed_in_at
          limit $1::integer
          for update skip locked
        )
        delete from portal_known_network
        using old
        where portal_known_network.payee_id = old.payee_id and portal_known_network.user_id = old.user_id and portal_known_network.network_digest = old.network_digest`,
    },
    [limit, KNOWN_DAYS],
  );
  return count;
}

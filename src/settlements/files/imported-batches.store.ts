import type { Read } from '../../db/transaction.types.ts';
import { type ActorColumns, namingActor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { ImportedBatch } from './portal-files.wire.ts';

/** The batches of a payee that were imported, the newest first, those that were withdrawn since among them. */
export async function selectImported(read: Read, payeeId: PayeeId, most: number): Promise<readonly ImportedBatch[]> {
  const { rows } = await read<Omit<ImportedBatch, 'actor'> & ActorColumns>(
    {
      name: 'settlements-select-imported',
      text: `
        select a.happened_at as "importedAt", a.actor_kind as "actorKind", a.actor_id as "actorId",
          person.name as "actorName", a.object_id as batch,
          (a.details->>'lines')::integer as lines, (a.details->>'amount')::bigint as amount,
          a.details->>'currency' as currency, a.details->>'file' as file, a.details->>'digest' as digest
        from audit a
        left join lateral (
          select u.name
          from portal_user u
          where u.payee_id in (a.payee_id, '00000000-0000-0000-0000-000000000000')
            and u.user_id = case when a.actor_kind = 'portal-user' then a.actor_id::uuid end
          limit 1
        ) person on true
        where a.payee_id = $1::uuid and a.action = 'import-settlement-batch' and a.details ? 'digest'
        order by a.audit_id desc
        limit $2::integer`,
    },
    [payeeId, most],
  );
  return rows.map(namingActor);
}

import type { Read, Rows } from '../../db/transaction.types.ts';
import type { IdReach } from '../newest-first.types.ts';
import type { ActivityFilter, ActivityRow } from './activity.types.ts';

/** A part of the audit trail, whose rows are named `a`, in the order of an index. */
const PARTS = {
  everything: 'order by a.audit_id desc',
  // A user who opens the portal's pages is given credentials for them, and looks: that is not what they did.
  people: `and a.actor_kind in ('portal-user', 'operator') and a.action not in ('create-portal-credentials', 'list-activity')
    order by a.audit_id desc`,
  object: 'and a.object_kind = $7::text and a.object_id = $8::text order by a.happened_at desc, a.audit_id desc',
};

/**
 * Rows of a payee's audit trail below an id, the newest first: ids are UUIDs of version 7, so they are in the order of time.
 * An operator's name is looked up among the operators.
 */
const textOf = (part: string): string => `
  select a.audit_id as "activityId", a.happened_at as "happenedAt", a.actor_kind as "actorKind", a.actor_id as "actorId",
    coalesce(person.name, token.name) as "actorName", a.action, a.object_kind as "objectKind", a.object_id as "objectId", a.session_id as "sessionId", a.details
  from (
    select *
    from audit a
    where a.payee_id = $1::uuid and a.audit_id < $2::uuid and a.audit_id >= $4::uuid
      and a.happened_at >= $5::timestamptz and a.happened_at < $6::timestamptz ${part}
    limit $3::integer
  ) a
  left join lateral (
    select u.name
    from portal_user u
    where u.payee_id in (a.payee_id, '00000000-0000-0000-0000-000000000000')
      and u.user_id = case when a.actor_kind = 'portal-user' then a.actor_id::uuid end
    limit 1
  ) person on true
  left join lateral (
    select t.name
    from access_token t
    where t.payee_id = a.payee_id
      and t.access_token_id = case when a.actor_kind = 'access-token' then a.actor_id::uuid end
    limit 1
  ) token on true
  order by a.audit_id desc`;

const STATEMENTS = {
  everything: { name: 'portal-select-activity', text: textOf(PARTS.everything) },
  people: { name: 'portal-select-activity-of-people', text: textOf(PARTS.people) },
  object: { name: 'portal-select-activity-of-object', text: textOf(PARTS.object) },
};

/** What a payee's audit trail has of a period and below an id, at most `limit` rows. */
export function selectActivity(
  read: Read,
  { payeeId, only, period }: ActivityFilter,
  { reach, limit }: { readonly reach: IdReach; readonly limit: number },
): Promise<Rows<ActivityRow>> {
  const common = [payeeId, reach.below, limit, reach.from, period.from, period.to];
  if (only === undefined) return read(STATEMENTS.everything, common);
  if (only === 'people') return read(STATEMENTS.people, common);
  return read(STATEMENTS.object, [...common, only.objectKind, only.objectId]);
}

import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Role, SessionEnd } from '../../kit/portal-user.ts';
import type { PortalSessionKey, PortalUserKey, SessionEnding } from '../portal-users.types.ts';

/** A session that is valid now, with its user. */
export interface SessionRow extends PortalSessionKey, PortalUserKey {
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly isReauthenticated: boolean;
  /** Whether its use was noted a while ago. */
  readonly isStale: boolean;
}

/** How long sessions live, in seconds. */
export interface SessionTimes {
  readonly idle: number;
  readonly authenticated: number;
  readonly stale: number;
}

/** No session outlives the moment in which its payee is stopped. */
const IS_OPEN = "payee.standing = 'Active' and session.created_at > coalesce(payee.standing_at, '-infinity')";

/** The session of a cookie, where it is neither over nor idle for too long and its user may sign in. */
export function selectValidSession(
  transaction: Transaction,
  secret: { payeeId: PayeeId; hash: Buffer },
  times: SessionTimes,
): Promise<Rows<SessionRow>> {
  return transaction.run<SessionRow>(
    {
      name: 'portal-users-select-valid-session',
      text: `
        select session.payee_id as "payeeId", session.portal_session_id as "portalSessionId",
          session.user_id as "userId", portal_user.role,
          exists (
            select from portal_second_factor factor
            where factor.payee_id = session.payee_id and factor.user_id = session.user_id and factor.state = 'Confirmed'
          ) as "hasSecondFactor",
          session.authenticated_at > clock.now - make_interval(secs => $4::integer) as "isReauthenticated",
          session.used_at < clock.now - make_interval(secs => $5::integer) as "isStale"
        from (select kontor_now() as now) clock
        cross join portal_session session
        join portal_user using (payee_id, user_id)
        join payee using (payee_id)
        where session.payee_id = $1::uuid
          and ${IS_OPEN}
          and session.secret_hash = $2::bytea
          and session.expires_at > clock.now
          and session.used_at > clock.now - make_interval(secs => $3::integer)
          and portal_user.disabled_at is null`,
    },
    [secret.payeeId, secret.hash, times.idle, times.authenticated, times.stale],
  );
}

/** Adds a session; the number of rows is 1. */
export async function insertSession(
  transaction: Transaction,
  session: PortalSessionKey & { userId: string; hash: Buffer; lifeSeconds: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-insert-session',
      text: `
        insert into portal_session (
          payee_id, portal_session_id, user_id, secret_hash, created_at, authenticated_at, used_at, expires_at
        )
        select $1::uuid, $2::uuid, $3::uuid, $4::bytea, clock.now, clock.now, clock.now,
          clock.now + make_interval(secs => $5::integer)
        from (select kontor_now() as now) clock`,
    },
    [session.payeeId, session.portalSessionId, session.userId, session.hash, session.lifeSeconds],
  );
  return count;
}

/** Gives a session another cookie, because its password was given again. It does not live longer for it. */
export async function updateSecret(transaction: Transaction, key: PortalSessionKey, hash: Buffer): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-secret',
      text: `
        update portal_session
        set secret_hash = $3::bytea, authenticated_at = greatest(kontor_now(), authenticated_at),
          used_at = greatest(kontor_now(), used_at)
        where payee_id = $1::uuid and portal_session_id = $2::uuid`,
    },
    [key.payeeId, key.portalSessionId, hash],
  );
  return count;
}

/** Notes that a session is used now. */
export async function updateUsedAt(transaction: Transaction, key: PortalSessionKey): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-update-used-at',
      text: `
        update portal_session
        set used_at = greatest(kontor_now(), used_at)
        where payee_id = $1::uuid and portal_session_id = $2::uuid`,
    },
    [key.payeeId, key.portalSessionId],
  );
  return count;
}

/** Ends one session, notes why, and answers its id; no row where it was over before. */
export function deleteSession(
  transaction: Transaction,
  key: PortalSessionKey,
  reason: SessionEnding,
): Promise<Rows<{ portalSessionId: string }>> {
  return transaction.run(
    {
      name: 'portal-users-delete-session',
      text: `
        ${ended('portal_session_id = $2::uuid')}`,
    },
    [key.payeeId, key.portalSessionId, reason],
  );
}

/** Ends all sessions of a user, notes why, and answers their ids. */
export function deleteSessionsOf(
  transaction: Transaction,
  user: PortalUserKey,
  reason: SessionEnding,
): Promise<Rows<{ portalSessionId: string }>> {
  return transaction.run(
    {
      name: 'portal-users-delete-sessions-of',
      text: `
        ${ended('user_id = $2::uuid')}`,
    },
    [user.payeeId, user.userId, reason],
  );
}

/** Deletes sessions of `$1`, and keeps why, `$3`, by their cookies. */
function ended(which: string): string {
  return `
    with ended as (
      delete from portal_session where payee_id = $1::uuid and ${which}
      returning payee_id, portal_session_id, secret_hash
    ), noted as (
      insert into portal_session_end (payee_id, secret_hash, reason)
      select payee_id, secret_hash, $3::text from ended
    )
    select portal_session_id as "portalSessionId" from ended`;
}

/** Why the session of a cookie is over; no row where there is or was none, or it is not known any more. */
export function selectSessionEnd(
  transaction: Transaction,
  secret: { payeeId: PayeeId; hash: Buffer },
  idleSeconds: number,
): Promise<Rows<{ reason: SessionEnd }>> {
  return transaction.run(
    {
      name: 'portal-users-select-session-end',
      text: `
        select reason from portal_session_end where payee_id = $1::uuid and secret_hash = $2::bytea
        union all
        select case when used_at + make_interval(secs => $3::integer) < expires_at then 'idle' else 'expired' end
        from portal_session
        where payee_id = $1::uuid and secret_hash = $2::bytea
          and least(used_at + make_interval(secs => $3::integer), expires_at) <= (select kontor_now())
        union all
        select 'suspended'
        from portal_session session
        join payee using (payee_id)
        where session.payee_id = $1::uuid and session.secret_hash = $2::bytea and not (${IS_OPEN})
        limit 1`,
    },
    [secret.payeeId, secret.hash, idleSeconds],
  );
}

/** When a session was signed in to, ends, and was given its password last; and the wrong codes that came before it. */
export function selectSessionTimes(
  transaction: Transaction,
  key: PortalSessionKey,
  authenticatedSeconds: number,
): Promise<
  Rows<{
    signedInAt: string;
    expiresAt: string;
    reauthenticatedUntil: string;
    wrongCodes: number;
    wrongCodesSince: string | null;
  }>
> {
  return transaction.run(
    {
      name: 'portal-users-select-session-times',
      text: `
        select created_at as "signedInAt", expires_at as "expiresAt",
          authenticated_at + make_interval(secs => $3::integer) as "reauthenticatedUntil",
          coalesce(wrong_codes, 0) as "wrongCodes", wrong_codes_since as "wrongCodesSince"
        from portal_session left join portal_session_warning using (payee_id, portal_session_id)
        where payee_id = $1::uuid and portal_session_id = $2::uuid`,
    },
    [key.payeeId, key.portalSessionId, authenticatedSeconds],
  );
}

/**
 * Keeps a session from being ended until the transaction is, and answers its seconds and until when its password counts as
 * given a moment ago; no row where it is over.
 */
export function shareSession(
  transaction: Transaction,
  key: PortalSessionKey,
  authenticatedSeconds: number,
): Promise<Rows<{ secondsLeft: number; reauthenticatedUntil: string }>> {
  return transaction.run(
    {
      name: 'portal-users-share-session',
      text: `
        select floor(extract(epoch from expires_at - kontor_now()))::integer as "secondsLeft",
          authenticated_at + make_interval(secs => $3::integer) as "reauthenticatedUntil"
        from portal_session
        where payee_id = $1::uuid and portal_session_id = $2::uuid and expires_at > kontor_now() + interval '1 second'
        for share`,
    },
    [key.payeeId, key.portalSessionId, authenticatedSeconds],
  );
}

/** Deletes the reasons why sessions ended, once no page can still have their cookies, at most `limit`. */
export async function deleteOldSessionEnds(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-delete-old-session-ends',
      text: `
        with old as materialized (
          select payee_id, secret_hash
          from portal_session_end
          where ended_at < (select kontor_now()) - interval '1 day'
          order by ended_at
          limit $1::integer
          for update skip locked
        )
        delete from portal_session_end
        using old
        where portal_session_end.payee_id = old.payee_id and portal_session_end.secret_hash = old.secret_hash`,
    },
    [limit],
  );
  return count;
}

/** Deletes sessions that are over for a day, at most `limit`: until then a page is told why it has to sign in. */
export async function deleteOldSessions(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-users-delete-old-sessions',
      text: `
        with old as materialized (
          select payee_id, portal_session_id
          from portal_session
          where expires_at < (select kontor_now()) - interval '1 day'
          order by expires_at
          limit $1::integer
          for update skip locked
        )
        delete from portal_session
        using old
        where portal_session.payee_id = old.payee_id and portal_session.portal_session_id = old.portal_session_id`,
    },
    [limit],
  );
  return count;
}

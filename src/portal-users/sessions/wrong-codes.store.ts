import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { PortalSessionKey, PortalUserKey } from '../portal-users.types.ts';

/** Where the wrong codes of a user stand. */
export interface WrongCodesRow {
  /** Those of the day, with this one. */
  readonly wrongCodes: number;
  /** Number of the event that tells of it, where this one closed the user. */
  readonly eventSequence: number;
  readonly at: string;
}

/**
 * Counts a wrong code for a user, whose row is locked. From `most` of them in `windowSeconds` on the user is closed, and the
 * event that says so gets its number.
 */
export function upsertWrongCode(
  transaction: Transaction,
  key: PortalUserKey,
  { most, windowSeconds }: { most: number; windowSeconds: number },
): Promise<Rows<WrongCodesRow>> {
  return transaction.run<WrongCodesRow>(
    {
      name: 'portal-users-upsert-wrong-code',
      text: `
        with counted as (
          select clock.now, coalesce(before.wrong_codes, 0) + 1 as wrong_codes, coalesce(before.wrong_codes_since, clock.now) as since
          from (select kontor_now() as now) clock
          left join portal_user_watch before
            on before.payee_id = $1::uuid and before.user_id = $2::uuid
            and before.wrong_codes_since > clock.now - make_interval(secs => $4::integer)
        )
        insert into portal_user_watch as stored
          (payee_id, user_id, wrong_codes, wrong_codes_since, closed_at, untold_wrong_codes, untold_since, event_sequence)
        select $1::uuid, $2::uuid, wrong_codes, since, case when wrong_codes >= $3::integer then now end, 1, now,
          (wrong_codes >= $3::integer)::integer
        from counted
        on conflict (payee_id, user_id) do update
        set wrong_codes = excluded.wrong_codes, wrong_codes_since = excluded.wrong_codes_since,
          closed_at = excluded.closed_at, untold_wrong_codes = stored.untold_wrong_codes + 1,
          untold_since = coalesce(stored.untold_since, excluded.untold_since),
          event_sequence = stored.event_sequence + excluded.event_sequence
        returning wrong_codes as "wrongCodes", event_sequence as "eventSequence", kontor_now() as at`,
    },
    [key.payeeId, key.userId, most, windowSeconds],
  );
}

/** Forgives the wrong codes of a user. The next session tells of them all the same. */
export async function deleteWrongCodes(transaction: Transaction, key: PortalUserKey): Promise<void> {
  await transaction.run(
    {
      name: 'portal-users-delete-wrong-codes',
      text: `
        update portal_user_watch set wrong_codes = 0, wrong_codes_since = null, closed_at = null
        where payee_id = $1::uuid and user_id = $2::uuid and wrong_codes > 0`,
    },
    [key.payeeId, key.userId],
  );
}

/** Gives what the next session tells of to a new one. */
export async function insertWarning(
  transaction: Transaction,
  { payeeId, userId, portalSessionId }: PortalUserKey & PortalSessionKey,
): Promise<void> {
  await transaction.run(
    {
      name: 'portal-users-insert-warning',
      text: `
        with told as (
          insert into portal_session_warning (payee_id, portal_session_id, wrong_codes, wrong_codes_since)
          select payee_id, $3::uuid, untold_wrong_codes, untold_since
          from portal_user_watch
          where payee_id = $1::uuid and user_id = $2::uuid and untold_wrong_codes > 0
        )
        update portal_user_watch set untold_wrong_codes = 0, untold_since = null
        where payee_id = $1::uuid and user_id = $2::uuid and untold_wrong_codes > 0`,
    },
    [payeeId, userId, portalSessionId],
  );
}

/** Gives the next event of a user, whose row is locked, its number and its time. */
export function raiseEventSequence(
  transaction: Transaction,
  key: PortalUserKey,
): Promise<Rows<{ eventSequence: number; at: string }>> {
  return transaction.run(
    {
      name: 'portal-users-raise-event-sequence',
      text: `
        insert into portal_user_watch as stored (payee_id, user_id, event_sequence)
        values ($1::uuid, $2::uuid, 1)
        on conflict (payee_id, user_id) do update set event_sequence = stored.event_sequence + 1
        returning event_sequence as "eventSequence", kontor_now() as at`,
    },
    [key.payeeId, key.userId],
  );
}

import type { Read, Rows, Statement, Transaction } from '../../db/transaction.types.ts';
import { type KnownPerson, nameOfActor, type Who } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { ChangeKey, HeldChange, PendingChange } from './approvals.types.ts';

/** Who gives, where and in what. */
export interface Giver {
  readonly payeeId: PayeeId;
  readonly person: string;
  readonly currency: string;
}

/** Lets one amount of a person be weighed after another, until the transaction ends. */
export async function lockGiver(transaction: Transaction, { payeeId, person }: Giver): Promise<void> {
  await transaction.run(
    {
      name: 'portal-lock-giver',
      text: `select pg_advisory_xact_lock(hashtextextended('giving ' || $1::text || ' ' || $2::text, 0))`,
    },
    [payeeId, person],
  );
}

/** What a person gave within so many hours. */
export function selectGiven(
  transaction: Transaction,
  { payeeId, person, currency }: Giver,
  hours: number,
): Promise<Rows<{ given: number }>> {
  return transaction.run(
    {
      name: 'portal-select-given',
      text: `
        select coalesce(sum(amount), 0)::bigint as given
        from giving
        where payee_id = $1::uuid and person = $2::text and currency = $3::text
          and given_at > kontor_now() - make_interval(hours => $4::integer)`,
    },
    [payeeId, person, currency, hours],
  );
}

/** Notes an amount; the number of rows is 1. */
export async function insertGiving(
  transaction: Transaction,
  { payeeId, person, currency }: Giver,
  { givingId, amount }: { readonly givingId: string; readonly amount: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-insert-giving',
      text: `
        insert into giving (payee_id, giving_id, person, currency, amount)
        values ($1::uuid, $2::uuid, $3::text, $4::text, $5::bigint)`,
    },
    [payeeId, givingId, person, currency, amount],
  );
  return count;
}

/** Who asked for a change, in its columns. */
interface AskedBy {
  readonly askedByKind: KnownPerson['kind'];
  readonly askedById: string;
}

/** A change to be. */
export interface ChangeRow
  extends ChangeKey,
    Pick<
      PendingChange,
      'operationId' | 'objectKind' | 'objectId' | 'intoId' | 'cards' | 'way' | 'reason' | 'currency' | 'amount'
    > {
  readonly askedBy: Who;
  readonly sealed: Buffer;
  readonly sealedWith: string;
  readonly reference: string;
  readonly hours: number;
}

/** What a new change came to: itself, or the one that waits under the same reference for the same object. */
export interface AddedChange extends Pick<PendingChange, 'changeId' | 'currency' | 'amount' | 'expiresAt' | 'askedAt'> {
  readonly isNew: boolean;
}

/** Frees the reference of a change that was not agreed to in time: the same may be asked for again. */
export async function releaseExpired(
  transaction: Transaction,
  { payeeId, operationId, askedBy, reference }: Pick<ChangeRow, 'payeeId' | 'operationId' | 'askedBy' | 'reference'>,
): Promise<void> {
  await transaction.run(
    {
      name: 'portal-release-expired-change',
      text: `
        update pending_change
        set reference = reference || ':' || change_id
        where payee_id = $1::uuid and asked_by_kind = $2::text and asked_by_id = $3::text
          and operation_id = $4::text and reference = $5::text
          and state = 'Pending' and expires_at <= kontor_now()`,
    },
    [payeeId, askedBy.kind, askedBy.id, operationId, reference],
  );
}

/** Adds a change, or finds the one that waits under the same reference for the same object. `isNew` tells which. */
export function insertChange(transaction: Transaction, row: ChangeRow): Promise<Rows<AddedChange>> {
  return transaction.run(
    {
      name: 'portal-insert-change',
      text: `
        insert into pending_change (
          payee_id, change_id, operation_id, object_id, currency, amount, request_sealed, sealed_with, reference, asked_by_kind,
          asked_by_id, asked_at, expires_at, object_kind, into_id, reason, cards, way
        )
        select $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::bigint, $7::bytea, $8::text, $9::text, $10::text,
          $11::text, clock.now, clock.now + make_interval(hours => $12::integer), $13::text, $14::text, $15::text,
          $16::integer, $17::text
        from (select kontor_now() as now) clock
        on conflict (payee_id, asked_by_kind, asked_by_id, operation_id, reference) where state = 'Pending'
        do update set reference = excluded.reference
        returning change_id as "changeId", currency, amount, expires_at as "expiresAt", asked_at as "askedAt",
          change_id = $2::uuid as "isNew"`,
    },
    [
      row.payeeId,
      row.changeId,
      row.operationId,
      row.objectId,
      row.currency,
      row.amount,
      row.sealed,
      row.sealedWith,
      row.reference,
      row.askedBy.kind,
      row.askedBy.id,
      row.hours,
      row.objectKind,
      row.intoId,
      row.reason,
      row.cards,
      row.way,
    ],
  );
}

const STATE = `case when state = 'Pending' and expires_at <= kontor_now() then 'Expired' else state end as state`;

/** A change, locked until the transaction ends. */
export async function lockChange(
  transaction: Transaction,
  { payeeId, changeId }: ChangeKey,
): Promise<HeldChange | undefined> {
  const { rows } = await transaction.run<Omit<HeldChange, 'askedBy'> & AskedBy>(
    {
      name: 'portal-lock-change',
      text: `
        select payee_id as "payeeId", change_id as "changeId", operation_id as "operationId", object_id as "objectId",
          asked_by_kind as "askedByKind", asked_by_id as "askedById", currency, amount, request_sealed as sealed, event_sequence as "eventSequence",
          kontor_now() as now, ${STATE}
        from pending_change
        where payee_id = $1::uuid and change_id = $2::uuid
        for update`,
    },
    [payeeId, changeId],
  );
  return rows.map(({ askedByKind: kind, askedById: id, ...held }) => ({ ...held, askedBy: { kind, id } }))[0];
}

/** What becomes of a change. */
export interface Outcome {
  readonly from: 'Pending' | 'Approved';
  readonly to: 'Approved' | 'Done' | 'Refused' | 'Impossible';
  /** Who decides; null keeps who did. */
  readonly decidedBy: Who | null;
  readonly problem: string | null;
  /** Whether the request is needed further. */
  readonly keeps: boolean;
}

/** Moves a change on, where it stands as the rule saw it; the number of rows is 1 where it did. */
export async function updateChange(
  transaction: Transaction,
  { payeeId, changeId }: ChangeKey,
  { from, to, decidedBy, problem, keeps }: Outcome,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-update-change',
      text: `
        update pending_change
        set state = $4::text, problem = $6::text, event_sequence = event_sequence + 1,
          decided_by_kind = coalesce($5::text, decided_by_kind), decided_by_id = coalesce($8::text, decided_by_id),
          decided_at = case when $5::text is null then decided_at else kontor_now() end,
          request_sealed = case when $7::boolean then request_sealed end,
          sealed_with = case when $7::boolean then sealed_with end
        where payee_id = $1::uuid and change_id = $2::uuid and state = $3::text`,
    },
    [payeeId, changeId, from, to, decidedBy?.kind ?? null, problem, keeps, decidedBy?.id ?? null],
  );
  return count;
}

const personIn = (column: string) => `
  (
    select u.name
    from portal_user u
    where u.payee_id in (change.payee_id, '00000000-0000-0000-0000-000000000000')
      and u.user_id = case when ${column}_kind = 'portal-user' then ${column}_id::uuid end
    limit 1
  )`;

/** What can still be carried out: it waits, or it was approved and no answer came yet. */
const STILL_WAITS = (alias: string) => `
  ${alias}.state in ('Pending', 'Approved') and ${alias}.request_sealed is not null
  and (${alias}.state = 'Approved' or ${alias}.expires_at > kontor_now())`;

/** Each new card is another one: those of a product do not wait for the same. */
const WAITING_BESIDE = `
  (
    select coalesce(sum(beside.amount), 0)::bigint
    from pending_change beside
    where beside.payee_id = change.payee_id and beside.object_id = change.object_id
      and change.object_kind <> 'product' and beside.change_id <> change.change_id and ${STILL_WAITS('beside')}
  )`;

const COLUMNS = `
  change.payee_id as "payeeId", change.change_id as "changeId", change.operation_id as "operationId",
  change.object_kind as "objectKind", change.object_id as "objectId", change.into_id as "intoId", change.cards, change.way,
  change.reason, ${WAITING_BESIDE} as "waitingBeside", change.currency, change.amount,
  change.asked_by_kind as "askedByKind", change.asked_by_id as "askedById",
  ${personIn('change.asked_by')} as "askedByName", change.asked_at as "askedAt", change.expires_at as "expiresAt",
  ${STATE}, change.decided_by_kind as "decidedByKind", change.decided_by_id as "decidedById",
  ${personIn('change.decided_by')} as "decidedByName",
  change.decided_at as "decidedAt", change.problem`;

/** A change as its columns have it. */
interface ChangeColumns extends Omit<PendingChange, 'askedBy' | 'decidedBy'>, AskedBy {
  readonly decidedByKind: KnownPerson['kind'] | null;
  readonly decidedById: string | null;
}

const named = ({ askedByKind, askedById, decidedByKind, decidedById, ...row }: ChangeColumns): PendingChange => ({
  ...row,
  askedBy: nameOfActor({ kind: askedByKind, id: askedById }),
  decidedBy: decidedByKind && nameOfActor({ kind: decidedByKind, id: decidedById }),
});

/** The changes of a payee below an id, the newest first: ids are in the order of time. */
export async function selectChanges(
  transaction: Transaction,
  payeeId: PayeeId,
  { below, limit }: { readonly below: string; readonly limit: number },
): Promise<readonly PendingChange[]> {
  const { rows } = await transaction.run<ChangeColumns>(
    {
      name: 'portal-select-changes',
      text: `
        select ${COLUMNS}
        from pending_change change
        where change.payee_id = $1::uuid and change.change_id < $2::uuid
        order by change.change_id desc
        limit $3::integer`,
    },
    [payeeId, below, limit],
  );
  return rows.map(named);
}

/** What waits for an object, the newest first: of a gift card also what is to be moved to it. */
export async function selectWaiting(
  read: Read,
  { payeeId, objectId }: { readonly payeeId: string; readonly objectId: string },
  limit: number,
): Promise<readonly PendingChange[]> {
  return (await read<ChangeColumns>(WAITING_FOR_OBJECT, [payeeId, objectId, limit])).rows.map(named);
}

/** What waits for an object: few changes wait at a time, and an index has them. */
export const WAITING_FOR_OBJECT: Statement = {
  name: 'portal-select-waiting-changes',
  text: `
    select ${COLUMNS}
    from pending_change change
    where change.payee_id = $1::uuid and $2::text in (change.object_id, change.into_id) and ${STILL_WAITS('change')}
    order by change.change_id desc
    limit $3::integer`,
};

/** How many changes wait that a person did not ask for, by operation. */
export const WAITING_OF_OTHERS: Statement = {
  name: 'portal-count-waiting-changes',
  text: `
    select waiting.operation_id as "operationId", count(*) as count
    from pending_change waiting
    where waiting.payee_id = $1::uuid and (waiting.asked_by_kind, waiting.asked_by_id) <> ($2::text, $3::text) and ${STILL_WAITS('waiting')}
    group by waiting.operation_id`,
};

/** How many changes wait that a person did not ask for, by operation. */
export async function countWaiting(
  read: Read,
  payeeId: PayeeId,
  { kind, id }: Who,
): Promise<readonly { readonly operationId: string; readonly count: number }[]> {
  return (await read<{ operationId: string; count: number }>(WAITING_OF_OTHERS, [payeeId, kind, id])).rows;
}

/** One change as it is shown. */
export async function selectChange(
  transaction: Transaction,
  { payeeId, changeId }: ChangeKey,
): Promise<PendingChange | undefined> {
  const { rows } = await transaction.run<ChangeColumns>(
    {
      name: 'portal-select-change',
      text: `
        select ${COLUMNS}
        from pending_change change
        where change.payee_id = $1::uuid and change.change_id = $2::uuid`,
    },
    [payeeId, changeId],
  );
  return rows.map(named)[0];
}

/**
 * Forgets the requests of some changes that were not agreed to in time, and of others that have been over for so many
 * hours. The changes stay, to be seen.
 */
export async function forgetRequests(
  transaction: Transaction,
  { hours, limit }: { readonly hours: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-forget-requests',
      text: `
        with old as materialized (
          select payee_id, change_id
          from pending_change
          where request_sealed is not null and expires_at <= (select kontor_now())
            and (state = 'Pending' or expires_at < (select kontor_now()) - make_interval(hours => $1::integer))
          order by expires_at
          limit $2::integer
          for update skip locked
        )
        update pending_change
        set request_sealed = null, sealed_with = null
        from old
        where pending_change.payee_id = old.payee_id and pending_change.change_id = old.change_id`,
    },
    [hours, limit],
  );
  return count;
}

/** Deletes some of what people gave so many hours ago and before. */
export async function deleteOldGivings(
  transaction: Transaction,
  { hours, limit }: { readonly hours: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-delete-old-givings',
      text: `
        with old as materialized (
          select payee_id, giving_id
          from giving
          where given_at < (select kontor_now()) - make_interval(hours => $1::integer)
          order by given_at
          limit $2::integer
          for update skip locked
        )
        delete from giving
        using old
        where giving.payee_id = old.payee_id and giving.giving_id = old.giving_id`,
    },
    [hours, limit],
  );
  return count;
}

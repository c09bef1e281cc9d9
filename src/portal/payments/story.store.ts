import type { Read, Statement } from '../../db/transaction.types.ts';
import { type ActorColumns, namingActor } from '../../kit/caller.ts';
import { OPERATOR } from '../../kit/ids.ts';
import { STORY_ROWS } from '../../kit/portal-limits.ts';
import type { Family } from './payments.types.ts';
import type { ListedTransaction } from './payments.wire.ts';
import type { StoryAct, StoryDelivery, StoryKey } from './story.types.ts';

/** The transactions of a card payment, oldest first. */
export const CARD_TRANSACTIONS: Statement = {
  name: 'portal-select-card-transactions',
  text: `
    select transaction_id as "transactionId", number, type, state, amount, payee_reference as reference, description,
      problem, case when card is not null and type in ('Authorization', 'Verification') then jsonb_build_object(
        'cvcResult', card ->> 'cvcResult', 'addressResult', card ->> 'addressResult',
        'authenticationStatus', card ->> 'authenticationStatus', 'transStatusReason', card ->> 'transStatusReason',
        'dsTransactionId', card ->> 'dsTransactionId', 'eci', card ->> 'eci', 'liabilityShift', card ->> 'liabilityShift',
        'schemeReference', card ->> 'schemeReference'
      ) end as checks, created_at as "createdAt", updated_at as "updatedAt"
    from card_transaction
    where payee_id = $1::uuid and payment_id = $2::uuid
    order by created_at, number limit ${STORY_ROWS}`,
};

/**
 * The captures, cancels and reversals of an account payment, oldest first. What its issuer is being asked is shown nowhere, but for a capture that is kept to be
 * forwarded.
 */
export const ACCOUNT_TRANSACTIONS: Statement = {
  name: 'portal-select-account-transactions',
  text: `
    select transaction_id as "transactionId", null::bigint as number,
      case operation when 'Cancel' then 'Cancellation' else operation end as type, state, amount,
      payment_transaction_ref as reference, echo #>> '{words,description}' as description, problem,
      null::jsonb as checks, created_at as "createdAt", updated_at as "updatedAt"
    from payment_transaction
    where payee_id = $1::uuid and payment_id = $2::uuid and (state <> 'CALLING' or exists (
      select from issuer_attempt a
      where a.payee_id = payment_transaction.payee_id and a.payment_id = payment_transaction.payment_id
        and a.transaction_id = payment_transaction.transaction_id and a.state = 'FORWARDING' and a.forward_at is not null
    ))
    order by created_at, transaction_id limit ${STORY_ROWS}`,
};

/** What the audit trail has of an object, oldest first. */
export const OBJECT_ACTS: Statement = {
  name: 'portal-select-object-acts',
  text: `
    select a.audit_id as "auditId", a.happened_at as "happenedAt", a.actor_kind as "actorKind", a.actor_id as "actorId",
      u.name as "actorName", a.action, a.session_id as "sessionId", a.details ->> 'state' as state
    from audit a
    left join lateral (
      select name from portal_user
      where payee_id in (a.payee_id, '${OPERATOR}')
        and user_id = case when a.actor_kind = 'portal-user' then a.actor_id::uuid end
      limit 1
    ) u on true
    where a.payee_id = $1::uuid and a.object_kind = $3::text and a.object_id = $2::uuid::text
    order by a.happened_at limit ${STORY_ROWS}`,
};

/** The events of a resource on their way to each webhook, with the latest answer. */
export const RESOURCE_DELIVERIES: Statement = {
  name: 'portal-select-resource-deliveries',
  text: `
    select d.webhook_id as "webhookId", d.position, e.type, d.state, e.happened_at as "happenedAt", t.status
    from (
      select payee_id, event_id, type, happened_at from event
      where payee_id = $1::uuid and resource_kind = $3::text and resource_id = $2::uuid::text
      order by resource_sequence limit ${STORY_ROWS}
    ) e
    cross join lateral (
      select position from event_feed where payee_id = e.payee_id and event_id = e.event_id limit 1
    ) f
    cross join lateral (select webhook_id from webhook where payee_id = e.payee_id) w
    cross join lateral (
      select payee_id, webhook_id, position, state from delivery
      where payee_id = e.payee_id and webhook_id = w.webhook_id and position = f.position limit 1
    ) d
    left join lateral (
      select status from delivery_try
      where payee_id = d.payee_id and webhook_id = d.webhook_id and position = d.position
      order by tried_at desc limit 1
    ) t on true
    order by d.position`,
};

/** What the audit trail and the events call a payment of a family. */
const KINDS: Readonly<Record<Family, string>> = { card: 'card-payment', account: 'payment' };

/** All that is stored about one payment beside its row. */
export interface StoryParts {
  readonly transactions: readonly ListedTransaction[];
  readonly deliveries: readonly StoryDelivery[];
  readonly acts: readonly StoryAct[];
}

/** Reads what is stored about a payment. */
export async function selectStory(read: Read, { payeeId, paymentId }: StoryKey, family: Family): Promise<StoryParts> {
  const [transactions, told] = await Promise.all([
    read<ListedTransaction>(family === 'card' ? CARD_TRANSACTIONS : ACCOUNT_TRANSACTIONS, [payeeId, paymentId]),
    selectStoryOf(read, { payeeId, objectId: paymentId, kind: KINDS[family] }),
  ]);
  return { ...told, transactions: transactions.rows };
}

/** Who did what with an object, and who was told of it. */
export async function selectStoryOf(
  read: Read,
  { payeeId, objectId, kind }: { readonly payeeId: string; readonly objectId: string; readonly kind: string },
): Promise<Omit<StoryParts, 'transactions'>> {
  const [deliveries, acts] = await Promise.all([
    read<StoryDelivery>(RESOURCE_DELIVERIES, [payeeId, objectId, kind]),
    read<Omit<StoryAct, 'actor'> & ActorColumns>(OBJECT_ACTS, [payeeId, objectId, kind]),
  ]);
  return { deliveries: deliveries.rows, acts: acts.rows.map(namingActor) };
}

/** The transactions of a card payment, oldest first. */
export async function selectCardTransactions(
  read: Read,
  { payeeId, paymentId }: StoryKey,
): Promise<readonly ListedTransaction[]> {
  return (await read<ListedTransaction>(CARD_TRANSACTIONS, [payeeId, paymentId])).rows;
}

import type { Read, Statement } from '../../db/transaction.types.ts';

/** The latest deliveries to a webhook that its rate is made of. */
const RATED_DELIVERIES = 1000;

/** How the latest deliveries to a webhook went. */
export interface WebhookRate {
  readonly webhookId: string;
  /** Deliveries that were looked at. */
  readonly looked: number;
  readonly delivered: number;
  readonly givenUp: number;
  readonly waiting: number;
  /** Since when the oldest of those that wait does; null where none does. */
  readonly oldestWaiting: string | null;
  /** Whether something was tried a while ago and waits, and nothing was taken since. */
  readonly isFailing: boolean;
}

/** A try may take so long; what was tried before that and still waits has failed. */
const UNDER_WAY_SECONDS = 20;

/** The latest deliveries to each webhook, counted by what became of them. */
export const WEBHOOK_RATES: Statement = {
  name: 'portal-select-webhook-rates',
  text: `
    select w.webhook_id as "webhookId", d.*
    from webhook w
    cross join lateral (
      select count(*) as looked, count(*) filter (where state = 'Delivered') as delivered,
        count(*) filter (where state = 'GivenUp') as "givenUp", count(*) filter (where state = 'Waiting') as waiting,
        min(created_at) filter (where state = 'Waiting') as "oldestWaiting",
        coalesce(bool_or(state = 'Waiting' and first_tried_at < kontor_now() - interval '${UNDER_WAY_SECONDS} seconds'
          and (w.last_success_at is null or w.last_success_at < first_tried_at)), false) as "isFailing"
      from (
        select state, created_at, first_tried_at from delivery
        where payee_id = w.payee_id and webhook_id = w.webhook_id
        order by position desc limit ${RATED_DELIVERIES}
      ) latest
    ) d
    where w.payee_id = $1::uuid and w.state <> 'Deleted'
    order by w.webhook_id`,
};

/** How the latest deliveries to each webhook of a payee went. */
export async function selectWebhookRates(read: Read, payeeId: string): Promise<readonly WebhookRate[]> {
  return (await read<WebhookRate>(WEBHOOK_RATES, [payeeId])).rows;
}

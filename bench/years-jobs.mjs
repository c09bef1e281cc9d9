/** The jobs of a service beside a database of years: what they do where nothing is due, and what a part of all rows takes them. */
import { setTimeout as pause } from 'node:timers/promises';
import { postgresOf, processorMs, treeMs } from './kontor.mjs';

const IDLE_SECONDS = 30;
const LOOK_MS = 500;

/** One of fifty. */
const some = (id) => `hashtext(${id}::text) % 50 = 0`;

/** How a part of all rows is made due by SQL, and what is left of it. */
const JOBS = {
  'sum-gift-cards': {
    due: 'truncate gift_card_sum, gift_card_closing',
    left: `
      select count(*) from payee p
      where exists (select from account where payee_id = p.payee_id and kind = 'StoredValue')
        and not exists (select from gift_card_closing where payee_id = p.payee_id and closed_to = closing_to)`,
  },
  'sum-trial-balances': {
    due: 'truncate trial_balance_sum, trial_balance_closing',
    left: `
      select count(*) from payee p
      where exists (select from movement where payee_id = p.payee_id)
        and not exists (select from trial_balance_closing where payee_id = p.payee_id and closed_to = closing_to)`,
  },
  'end-card-payments': {
    due: `update card_payment set expires_at = kontor_now() where state = 'Ready' and order_id is null and ${some('payment_id')}`,
    left: `select count(*) from card_payment where state = 'Ready' and order_id is null and expires_at <= kontor_now()`,
  },
  'end-orders': {
    due: `
      with due as (
        update payment_order set expires_at = kontor_now() where status = 'Initialized' and ${some('order_id')}
        returning payee_id, card_payment_id, expires_at
      )
      update card_payment c set expires_at = due.expires_at
      from due where c.payee_id = due.payee_id and c.payment_id = due.card_payment_id`,
    left: `select count(*) from payment_order where status = 'Initialized' and expires_at <= kontor_now()`,
  },
  'release-holds': {
    due: `
      with due as (
        update payment set hold_expires_at = kontor_now()
        where hold_expires_at is not null and order_id is null and ${some('account_id')}
        returning payee_id, account_id
      )
      update account a set next_hold_expires_at = kontor_now()
      from due where a.payee_id = due.payee_id and a.account_id = due.account_id`,
    left: 'select count(*) from account where next_hold_expires_at <= kontor_now()',
  },
  'sequence-events': {
    // The last part of each feed loses its positions.
    due: `
      with shortened as (
        update event_head set position = position - position / 50 where position >= 50 returning payee_id, position
      ), taken as (
        delete from event_feed f using shortened s where f.payee_id = s.payee_id and f.position > s.position
        returning f.payee_id, f.event_id
      )
      insert into event_pending (payee_id, event_id, happened_at)
      select e.payee_id, e.event_id, e.happened_at from taken join event e using (payee_id, event_id)`,
    left: 'select count(*) from (select from event_pending limit 1) one',
  },
};

/**
 * @param {{client: import('pg').Client, shop: object}} beside `client`: without triggers; `shop`: with a service that no caller asks
 * @returns seconds of the processor, of the service and its PostgreSQL, by job; of `nothing due` those of a minute
 */
export async function timeJobs({ client, shop: { dataDir, grouped } }) {
  const postgres = postgresOf(dataDir);
  const spentMs = () => processorMs(grouped.processId) + treeMs(postgres);
  const seconds = {};
  for (const [job, { due, left }] of Object.entries(JOBS)) {
    await client.query(due);
    const before = spentMs();
    while (Number((await client.query(left)).rows[0].count) > 0) await pause(LOOK_MS);
    seconds[job] = (spentMs() - before) / 1000;
  }
  const before = spentMs();
  await pause(IDLE_SECONDS * 1000);
  seconds['nothing due'] = ((spentMs() - before) / 1000) * (60 / IDLE_SECONDS);
  return seconds;
}

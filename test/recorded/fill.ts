import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { Clock } from './clock.ts';
import { fillAccounts, fillHoldsToExpire } from './fill-accounts.ts';
import { fillAuthorizationsToEnd, fillCardAtBank, fillCards } from './fill-cards.ts';
import { fillCallbacks, fillWebhooks } from './fill-events.ts';
import { fillGiftCards } from './fill-gift-cards.ts';
import { fillFailedOver, leaveUnderWay, prepareUnderWay } from './fill-issuers.ts';
import { fillOrderAtBank, fillOrders, fillOrdersToEnd } from './fill-orders.ts';
import { fillApprovals, fillSettlements } from './fill-settlements.ts';
import { fillingOf } from './filling.ts';

/** How long jobs may take to do what is due. */
const JOBS_MS = 40_000;

/**
 * Fills a sandbox with payments of all kinds in every state, by the service and its jobs.
 *
 * @returns what is done once no job runs any more: it leaves payments under way
 */
export async function fill(kontor: TestService, clock: Clock): Promise<() => Promise<void>> {
  const filling = fillingOf(kontor);
  const receivers = await fillWebhooks(filling);
  await fillHoldsToExpire(filling);
  await fillAuthorizationsToEnd(filling);
  const comeBack = await fillOrdersToEnd(filling);
  await settled(kontor);
  // Holds and authorizations are over, and then what a payer who was at the bank had held.
  for (const days of [9, 1]) {
    await clock.pass(days);
    await settled(kontor);
  }
  await comeBack();
  // And the time to pay.
  await clock.pass(20);
  await settled(kontor);
  await fillAccounts(filling);
  await fillCards(filling);
  await fillCallbacks(filling, receivers);
  await fillFailedOver(filling);
  await fillOrders(filling);
  await fillGiftCards(filling);
  await settled(kontor);
  await clock.pass(1);
  await fillSettlements(kontor);
  await fillApprovals(kontor);
  await fillCardAtBank(filling);
  await fillOrderAtBank(filling);
  const underWay = await prepareUnderWay(filling);
  await settled(kontor);
  return async () => {
    await leaveUnderWay(underWay);
    for (const receiver of receivers) await receiver.stop();
  };
}

/** What jobs have to do: how many rows of each kind. */
const DUE = `
  select 'attempts' as kind, count(*)::int as number from issuer_attempt where due_at <= kontor_now() + interval '1 hour'
  union all select 'holds', count(*) from account where next_hold_expires_at <= kontor_now()
  union all select 'authorizations', count(*) from card_payment
    where authorized_until <= kontor_now() or state = 'Ready' and paid_by is null and order_id is null and expires_at <= kontor_now()
  union all select 'orders', count(*) from payment_order
    where authorized_until <= kontor_now() or held_until <= kontor_now()
      or status = 'Initialized' and expires_at <= kontor_now()
  union all select 'events', count(*) from event e
    where not exists (select from event_feed f where f.payee_id = e.payee_id and f.event_id = e.event_id)`;

/** Waits until jobs have nothing more to do that is due. */
async function settled({ database }: TestService): Promise<void> {
  let due: readonly Readonly<Record<string, unknown>>[] = [];
  const isSettled = async () => {
    await database.asAdmin(`
      update issuer_attempt set due_at = kontor_now()
      where due_at > kontor_now() and due_at <= kontor_now() + interval '1 hour'`);
    due = (await database.asAdmin(DUE)).filter(({ number }) => Number(number) > 0);
    return due.length === 0;
  };
  await until(isSettled, JOBS_MS).catch((error: unknown) => {
    throw new Error(JSON.stringify(due), { cause: error });
  });
}

import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { Clock } from './clock.ts';
import { fillAccounts, fillHoldsToExpire } from './fill-accounts.ts';
import { fillAuthorizationsToEnd, fillCards } from './fill-cards.ts';
import { fillOrders, fillOrdersToEnd } from './fill-orders.ts';
import { fillingOf } from './filling.ts';

/** How long jobs may take to do what is due. */
const JOBS_MS = 120_000;

/** Fills a sandbox with payments of all kinds in every state, by the service and its jobs. */
export async function fill(kontor: TestService, clock: Clock): Promise<void> {
  const filling = fillingOf(kontor);
  await fillHoldsToExpire(filling);
  await fillAuthorizationsToEnd(filling);
  await fillOrdersToEnd(filling);
  await clock.pass(10);
  await settled(kontor);
  await fillAccounts(filling);
  await fillCards(filling);
  await fillOrders(filling);
  await settled(kontor);
}

/** Waits until jobs have nothing more to do that is due. */
export async function settled({ database }: TestService): Promise<void> {
  const due = `
    select (select count(*) from issuer_attempt where due_at <= kontor_now() + interval '1 hour')
      + (select count(*) from account where next_hold_expires_at <= kontor_now())
      + (select count(*) from card_payment where authorized_until <= kontor_now())
      + (select count(*) from payment_order where authorized_until <= kontor_now() or held_until <= kontor_now()
        or status = 'Initialized' and expires_at <= kontor_now()) as due`;
  await until(async () => {
    await database.asAdmin(
      `update issuer_attempt set due_at = kontor_now() where due_at > kontor_now() and due_at <= kontor_now() + interval '1 hour'`,
    );
    return Number((await database.asAdmin(due))[0]?.['due']) === 0;
  }, JOBS_MS);
}

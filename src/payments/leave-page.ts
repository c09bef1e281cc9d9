import type { Actor } from '../kit/caller.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { sealedIn } from './abort-payment.ts';
import { LEAVE } from './command-kinds.ts';
import { findCardPayment } from './find-payment.ts';
import { pageAfter } from './open-page.ts';
import { referenceOfTry } from './opening.rules.ts';
import type { OpenedPage } from './page.types.ts';
import { keyOfForm, typeOfTry } from './page-form.rules.ts';
import type { CardPaymentsWorld } from './payments.types.ts';

/** A payer who does not want to pay now. */
export interface LeavePage {
  readonly page: OpenedPage;
  /** Of the page that they leave. */
  readonly fields: ReadonlyMap<string, string>;
  readonly actor: Actor;
}

/**
 * Lets a payer leave the page. What they have sent from there and that has not begun yet is no try any more, and an
 * authentication that waits is given up. A try that runs goes on: the page that comes back says so, and nobody may take it
 * for cancelled.
 *
 * @returns the page as it is then, and the cards that were sealed for what was given up
 */
export async function leavePage(
  world: CardPaymentsWorld,
  { page, fields, actor }: LeavePage,
): Promise<{ readonly page: OpenedPage; readonly leftOver: readonly InstrumentId[] }> {
  const { payeeId, paymentId } = page.payment;
  await world.submit(LEAVE, {
    payeeId,
    commandId: world.newId(),
    actor,
    paymentId,
    payeeReference: undefined,
    idempotencyKey: referenceOfTry(typeOfTry(page.payment), keyOfForm(fields)),
  });
  return { page: pageAfter(page, await findCardPayment(world, { payeeId, paymentId })), leftOver: sealedIn(page) };
}

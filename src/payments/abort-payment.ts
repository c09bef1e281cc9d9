import { SERVICE } from '../kit/caller.ts';
import { EXPIRED_CARD_PAYMENTS } from '../kit/card-payment-limits.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { ABORT } from './command-kinds.ts';
import { findCardPayment } from './find-payment.ts';
import { EXPIRED } from './payment-state.rules.ts';
import { selectExpired } from './payments.store.ts';
import type { Asked, CardPaymentKey, CardPaymentsWorld, CardPaymentView } from './payments.types.ts';

/** A request to abort. */
export interface AbortPayment extends Omit<Asked, 'idempotencyKey'> {
  readonly paymentId: string;
  readonly reason: string;
}

/**
 * Aborts a payment that nobody has paid. Twice is as once.
 *
 * @throws Refusal `notfound`, `forbidden`, and as `Submit`
 */
export async function abortCardPayment(
  world: CardPaymentsWorld,
  { payeeId, actor, paymentId, reason }: AbortPayment,
): Promise<CardPaymentView & { readonly leftOver: readonly InstrumentId[] }> {
  const before = await findCardPayment(world, { payeeId, paymentId });
  const { payment } = before;
  await world.submit(ABORT, {
    payeeId,
    commandId: world.newId(),
    actor,
    paymentId: payment.paymentId,
    reason,
    isExpiry: false,
  });
  return { ...(await findCardPayment(world, { payeeId, paymentId })), leftOver: sealedIn(before) };
}

/** The cards that transactions of a payment keep sealed. */
export function sealedIn({ transactions }: CardPaymentView): InstrumentId[] {
  return transactions.flatMap(({ instrumentId }) => (instrumentId === null ? [] : [instrumentId]));
}

/** Payments whose time is over. */
export function findExpired(world: Pick<CardPaymentsWorld, 'read'>): Promise<readonly CardPaymentKey[]> {
  return selectExpired(world.read, EXPIRED_CARD_PAYMENTS);
}

/** Ends a payment whose time is over; one that somebody is just paying goes on. Returns the cards that it kept sealed. */
export async function expireCardPayment(
  world: CardPaymentsWorld,
  { payeeId, paymentId }: CardPaymentKey,
): Promise<readonly InstrumentId[]> {
  const before = await findCardPayment(world, { payeeId, paymentId });
  await world.submit(ABORT, {
    payeeId,
    commandId: world.newId(),
    actor: SERVICE,
    paymentId,
    reason: EXPIRED,
    isExpiry: true,
  });
  return sealedIn(before);
}

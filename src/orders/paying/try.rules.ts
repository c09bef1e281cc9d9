import { forbidden, Refusal } from '../../kit/errors.ts';
import { amountMinor } from '../../kit/money.ts';
import type { SeenSplit, StartCommand } from '../../payments/payment-commands.types.ts';
import { isPaidByToken } from '../../payments/payment-state.rules.ts';
import type { LoadedRow, Price } from '../../payments/payments.types.ts';
import { menuOf } from '../answers/order-state.rules.ts';
import type { CardOfOrderCommand } from '../order-commands.types.ts';
import type { OrderWork } from '../order-work.rules.ts';
import type { Plan } from '../plan.rules.ts';
import { isAsSeen, vatOfParts } from '../split.rules.ts';
import { holdAll, planOf } from './hold.rules.ts';

/**
 * Begins a try of a card: each gift card is judged again and held, and what they leave is the price of the card. Nothing is
 * done where the payer saw another amount of any of them.
 *
 * @returns the card payment with that price
 * @throws Refusal `conflict` where the payer saw something else, `forbidden` where no card may pay
 */
export function beginTry(work: OrderWork, command: CardOfOrderCommand<StartCommand>, card: LoadedRow): LoadedRow {
  const { order } = work;
  // Verified for nothing, by a token at once, over already, or while another try runs: the card's own rule says what becomes of it.
  if (order.operation === 'Verify' || order.status !== 'Initialized' || card.unsettled > 0) return card;
  if (!menuOf(order, { hasGiftCards: true }).includes('CreditCard')) {
    throw forbidden('Authorization', 'The order is for gift cards alone.');
  }
  if (isPaidByToken(order)) return priced(card, { amount: order.amount, vatAmount: order.vatAmount });
  const plan = planOf(work, command.settings);
  requireSeen(plan, command.card.seen);
  if (plan.card === 0) throw new Refusal('conflict', 'Gift cards pay all of it by now.');
  holdAll(work, plan, command.settings);
  return priced(card, { amount: plan.card, vatAmount: vatOfCard(work, plan) });
}

/** Refuses to do anything else than what the payer saw. */
export function requireSeen(plan: Plan, seen: SeenSplit | undefined): void {
  if (!isAsSeen(plan, seen)) throw new Refusal('conflict', 'What each means of payment pays has changed.');
}

/** The VAT of the card's part, which is the last one. */
function vatOfCard({ order }: OrderWork, { legs, card }: Plan): number {
  return vatOfParts(order.vatAmount, [...legs.map(({ amount }) => amount), card]).at(-1) ?? 0;
}

function priced(card: LoadedRow, { amount, vatAmount }: Pick<Price, 'amount' | 'vatAmount'>): LoadedRow {
  const price: Price = { type: 'CreditCard', amount: amountMinor(amount), vatAmount };
  return { ...card, terms: { ...card.terms, prices: [price] } };
}

import type { PageOutcome } from '../../payments/page/page.types.ts';
import { ADD_LEG, PAY_ORDER, REMOVE_LEG } from '../change-kinds.ts';
import { findMenu } from '../find-menu.ts';
import { afterChange } from '../find-order.ts';
import type { ChangeOrderCommand, ChangeOutcome } from '../order-commands.types.ts';
import type { PayOrderRequest, RemoveGiftCardRequest } from '../order-requests.types.ts';
import { GIFT_CARDS_OF_ORDER, type OrderView } from '../orders.types.ts';
import type { AddGiftCardRequest, OnPage, OrderFlows } from '../orders-context.types.ts';
import { changeOrder } from '../submit-change.ts';

/**
 * Adds a gift card or prepaid account to an order: nothing is held yet.
 *
 * @param seen the order as its page has found it
 * @throws Refusal `notfound`, `conflict`, and as `Submit`
 */
export async function addGiftCard(
  { context }: OrderFlows,
  request: AddGiftCardRequest,
  seen: OrderView,
): Promise<OnPage> {
  const impossible = whyNot(seen);
  if (impossible !== undefined) return { outcome: impossible };
  // The page has no form for it then; one that is sent all the same learns nothing of any card.
  if (!(await findMenu(context, seen.order)).includes('GiftCard')) return { outcome: 'notusable' };
  const { order, legs } = seen;
  const added = legs.flatMap(({ accountId }) => accountId ?? []);
  const { entry, guesser } = request;
  const judged = await context.judge({ order, added, entry, guesser });
  if (judged.outcome === 'closed') return { outcome: 'closed', closed: judged };
  if (judged.outcome !== 'ok') return { outcome: judged.outcome };
  const { account } = judged;
  const make = (base: ChangeOrderCommand) => ({ ...base, account });
  const { changed, before } = await changeOrder(context, ADD_LEG, { changing: request, seen, make });
  const after = afterChange(before, changed.kind === 'Done' ? changed.after : undefined);
  return { outcome: outcomeOf(changed), after };
}

/** Why no gift card can be added now, whatever it is. */
function whyNot({ order, legs, card, now }: OrderView): PageOutcome | undefined {
  if (order.status !== 'Initialized' || order.expiresAt <= now) return 'ended';
  if (order.unsettled > 0 || card.transactions.some(({ state }) => state === 'AwaitingActivity')) return 'busy';
  return legs.filter(({ kind }) => kind === 'Account').length >= GIFT_CARDS_OF_ORDER ? 'toomany' : undefined;
}

/**
 * Removes a gift card from an order, and releases what is held of it at once. Twice is as once.
 *
 * @throws Refusal `notfound`, `conflict`, and as `Submit`
 */
export async function removeGiftCard({ context }: OrderFlows, request: RemoveGiftCardRequest): Promise<OnPage> {
  const legId = request.legId.toLowerCase();
  const make = (base: ChangeOrderCommand) => ({ ...base, legId });
  const { changed } = await changeOrder(context, REMOVE_LEG, { changing: request, make });
  return { outcome: outcomeOf(changed) };
}

/**
 * Pays an order with its gift cards alone. With a card the page's form pays: see `payOnPage` of card payments.
 *
 * @param before the order as its page has found it
 * @throws Refusal `notfound`, `conflict`, and as `Submit`
 */
export async function payOrder(
  { context }: OrderFlows,
  request: PayOrderRequest,
  before: OrderView,
): Promise<OnPage & { readonly isDone: boolean }> {
  const { seen, idempotencyKey } = request;
  const { changed } = await changeOrder(context, PAY_ORDER, {
    changing: request,
    seen: before,
    make: (base) => ({
      ...base,
      seen,
      payeeReference: undefined,
      // Without a key of its own it could be carried out twice where it is not known whether it was.
      idempotencyKey: `pay:${idempotencyKey ?? base.commandId}`,
    }),
  });
  return { outcome: outcomeOf(changed), isDone: changed.kind === 'Done' };
}

function outcomeOf(changed: Exclude<ChangeOutcome, { kind: 'Stale' }>): PageOutcome {
  return changed.kind === 'Done' ? changed.outcome : 'ok';
}

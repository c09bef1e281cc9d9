import { rowsOfTurnovers } from '../accounts/turnover/turnover.rules.ts';
import type { Actor } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AccountId, OrderId, PaymentId } from '../ledger/ledger.types.ts';
import { findCardPayment } from '../payments/find-payment.ts';
import type { ChangeCommand, ChangeKind, Outcome, SubmitOfOrder } from '../payments/payment-commands.types.ts';
import { type AnyOrderKind, kindOfOrders, rowsOf } from './change-kinds.ts';
import { findOrder } from './find-order.ts';
import type { CardOfOrderCommand, ChangeOrderCommand } from './order-commands.types.ts';
import type { Initiator, OrderView } from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { payeeOffer } from './settings/order-settings.ts';

/** Times that a change is made ready again because its order has changed since it was read. */
const CHANGES_AGAIN = 20;
/** Rows that one command makes at most: a payment and a capture of each of three gift cards, and the card's leg. */
const IDS = 8;

/** Who changes which order. */
export interface Changing {
  readonly payeeId: PayeeId;
  readonly orderId: string;
  readonly actor: Actor;
  readonly initiatedBy: Initiator;
}

/**
 * Changes an order: reads it, so that the command names all that it locks, and submits. Where it was changed in between, it
 * is read again. Who has read it just now says so with `seen`.
 *
 * @returns what came of it, and the order as it was read last: before the change
 * @throws Refusal `notfound`, `conflict` where others change it all the time, and as `Submit`
 */
export async function changeOrder<Command extends ChangeOrderCommand, Result extends { readonly kind: string }>(
  context: OrdersContext,
  kind: AnyOrderKind<Command, Result>,
  {
    changing,
    seen,
    make,
  }: {
    readonly changing: Changing;
    readonly seen?: OrderView;
    readonly make: (base: ChangeOrderCommand, view: OrderView) => Command | Promise<Command>;
  },
): Promise<{ readonly changed: Exclude<Result, { readonly kind: 'Stale' }>; readonly before: OrderView }> {
  const commandId = context.newId();
  for (let again = 0; again < CHANGES_AGAIN; again++) {
    const before = (again === 0 ? seen : undefined) ?? (await findOrder(context, changing));
    const base = await baseOf(context, before, { commandId, ...changing });
    const changed = await context.submit(kind, await make(base, before));
    if (changed.kind !== 'Stale') return { changed: changed as Exclude<Result, { readonly kind: 'Stale' }>, before };
  }
  throw new Refusal('conflict', 'The order is being changed by others.', { retryAfterSeconds: 1 });
}

async function baseOf(
  context: OrdersContext,
  view: OrderView,
  { actor, initiatedBy, commandId }: Changing & { readonly commandId: string },
): Promise<ChangeOrderCommand> {
  const { order, legs, transactions } = view;
  const { payeeId, orderId, cardPaymentId } = order;
  const ofAccounts = legs.flatMap(({ accountId }) => accountId ?? []);
  const waiting = transactions.filter(({ state }) => state === 'Initialized');
  const cardLegs = legs.filter(({ kind }) => kind === 'Card').map(({ legId }) => legId);
  const waitingIds = waiting.flatMap(({ parts }) =>
    parts.filter(({ legId }) => !cardLegs.includes(legId)).map(({ ownId }) => ownId),
  );
  const [{ settings, limitsGiftCards }, ...successors] = await Promise.all([
    payeeOffer(context, order),
    ...(order.paidBy === null ? [] : ofAccounts).map((accountId) => context.findSuccessor({ payeeId, accountId })),
  ]);
  const leading = legs.flatMap(({ legId, accountId }) => {
    const successor = successors.find((one) => one?.accountId === accountId);
    return successor === undefined ? [] : [{ legId, ...successor }];
  });
  const targets: Readonly<Record<string, AccountId>> = Object.fromEntries(
    leading.map(({ legId, target }) => [legId, target]),
  );
  const turnovers = order.paidBy === null && limitsGiftCards ? await turnoversOf(context, payeeId, ofAccounts) : {};
  const payments = legs.flatMap(({ kind, paymentId }) => (kind === 'Account' && paymentId !== null ? [paymentId] : []));
  return {
    payeeId,
    commandId,
    actor,
    orderId,
    paymentId: cardPaymentId,
    view,
    accountIds: [...new Set([...ofAccounts, ...Object.values(targets)])],
    turnovers,
    rows: [...rowsOf(payments, waitingIds), ...rowsOfTurnovers([...new Set(Object.values(turnovers).flat())])],
    targets,
    ended: leading.filter(({ isClosed }) => isClosed).map(({ legId }) => legId),
    ids: Array.from({ length: IDS }, context.newId),
    settings,
    initiatedBy,
  };
}

/** The sums that gift cards count to, by account. */
async function turnoversOf(
  { accounts }: Pick<OrdersContext, 'accounts'>,
  payeeId: PayeeId,
  accountIds: readonly AccountId[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const named = accountIds.map(
    async (accountId) => [accountId, await accounts.turnoversOf({ payeeId, accountId })] as const,
  );
  return Object.fromEntries(await Promise.all(named));
}

/** Makes the port by which card payments of orders are changed. */
export function submitterOfOrders(context: () => OrdersContext): SubmitOfOrder {
  return (kind, command, orderId) => submitOfOrder(context(), { kind, command }, orderId);
}

interface CardChange<Command extends ChangeCommand> {
  readonly kind: ChangeKind<Command>;
  readonly command: Command;
}

async function submitOfOrder<Command extends ChangeCommand>(
  context: OrdersContext,
  { kind, command }: CardChange<Command>,
  orderId: OrderId,
): Promise<Outcome> {
  const { payeeId, actor } = command;
  const { issuers } = context.cardPayments;
  const initiatedBy: Initiator =
    actor.kind === 'service' ? 'PaymentGateway' : actor.kind === 'payer' ? 'Payer' : 'Payee';
  const { changed } = await changeOrder(context, kindOfOrders(kind), {
    changing: { payeeId, orderId, actor, initiatedBy },
    make: async (base): Promise<CardOfOrderCommand<Command>> => ({
      ...base,
      commandId: command.commandId,
      ...(command.transactionId !== undefined && { transactionId: command.transactionId }),
      ...(command.cardDigest !== undefined && { cardDigest: command.cardDigest }),
      ...(command.numberDigest !== undefined && { numberDigest: command.numberDigest }),
      card: kind.role === 'Leaving' ? await leaving(context, base, command) : command,
      holdSecondsOf: (issuerId: string) => issuers.named(issuerId).holdSeconds,
    }),
  });
  return changed;
}

/** A try that waits for its payer has begun: there is none on its way that has to be kept from beginning. */
async function leaving<Command extends ChangeCommand>(
  context: OrdersContext,
  { payeeId, paymentId }: { readonly payeeId: PayeeId; readonly paymentId: PaymentId },
  command: Command,
): Promise<Command> {
  const { transactions } = await findCardPayment(context, { payeeId, paymentId });
  const isWaiting = transactions.some(({ state }) => state === 'AwaitingActivity');
  return isWaiting ? { ...command, idempotencyKey: undefined } : command;
}

import type { LoggedCall } from '../calls/calls.types.ts';
import type { ListedPayment } from './payments.types.ts';
import type { ListedTransaction, Moment } from './payments.wire.ts';
import type { ListedMovement, StoryAct, StoryDelivery } from './story.types.ts';

/** What a timeline needs of a transaction. */
type TimedTransaction = Omit<ListedTransaction, 'type' | 'checks'> & { readonly type: string };

/** What a timeline is made of. */
export interface TimelineParts {
  readonly transactions: readonly TimedTransaction[];
  readonly movements: readonly ListedMovement[];
  readonly deliveries: readonly StoryDelivery[];
  readonly acts: readonly StoryAct[];
  readonly calls: readonly LoggedCall[];
}

/** At one instant: who asked, what was done, what moved, who was told. */
const ORDER: readonly Moment['kind'][] = ['call', 'act', 'transaction', 'movement', 'delivery'];

/** All that happened to a payment or an order in one list, oldest first. */
export function timelineOf({ currency }: Pick<ListedPayment, 'currency'>, parts: TimelineParts): readonly Moment[] {
  const moments = [
    ...parts.calls.map(callMoment),
    ...parts.acts.map(actMoment),
    ...parts.transactions.map((transaction) => ({ ...transactionMoment(transaction), currency })),
    ...parts.movements.map(movementMoment),
    ...parts.deliveries.map(deliveryMoment),
  ];
  return moments.sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? -1 : 1;
    return ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);
  });
}

/** A moment without what only some kinds have. */
const PLAIN_MOMENT = {
  state: null,
  sessionId: null,
  actor: null,
  actorName: null,
  amount: null,
  currency: null,
  problem: null,
  entries: [],
  webhookId: null,
  status: null,
} as const;

function callMoment({ callId, at, method, route, operationId, ...call }: LoggedCall): Moment {
  const { sessionId, status, problem, credential: actor } = call;
  const title = operationId ?? `${method} ${route}`;
  return { ...PLAIN_MOMENT, at, kind: 'call', title, id: callId, sessionId, status, problem, actor };
}

function actMoment({ auditId: id, happenedAt: at, action: title, ...act }: StoryAct): Moment {
  return { ...PLAIN_MOMENT, ...act, at, kind: 'act', title, id };
}

function transactionMoment({ transactionId, type, state, amount, problem, createdAt }: TimedTransaction): Moment {
  return {
    ...PLAIN_MOMENT,
    at: createdAt,
    kind: 'transaction',
    title: type,
    id: transactionId,
    state,
    amount,
    problem,
  };
}

/** The amount of a movement is what its entries add on one side. */
function movementMoment({ movementId, happenedAt, kind, currency, entries }: ListedMovement): Moment {
  const amount = entries.reduce((sum, entry) => sum + Math.max(0, entry.amount), 0);
  return { ...PLAIN_MOMENT, at: happenedAt, kind: 'movement', title: kind, id: movementId, amount, currency, entries };
}

function deliveryMoment({ webhookId, position, type, state, happenedAt, status }: StoryDelivery): Moment {
  const id = String(position);
  return { ...PLAIN_MOMENT, at: happenedAt, kind: 'delivery', title: type, id, state, webhookId, status };
}

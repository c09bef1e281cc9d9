import type {
  HistoryLine,
  ListedPayment,
  ListedTransaction,
  Moment,
  OrderTransactionShown,
} from '../../../client/portal.generated.ts';

/** One thing that happened, as people tell it. */
export interface Step {
  readonly key: string;
  readonly at: string;
  /** What it is called, and in which list of names. */
  readonly group: 'history' | 'transaction' | 'action' | 'state';
  readonly raw: string;
  readonly tone: 'good' | 'bad' | 'accent' | undefined;
  readonly amount: number | null;
  /** The part that did it, and the person where it was one who used the portal. */
  readonly by: string | null;
  readonly person: string | null;
  readonly instrument: string | null;
  readonly problem: string | null;
  /** What was found out about card and payer. */
  readonly checks: ListedTransaction['checks'];
  /** Told where it is not done yet. */
  readonly state: string | null;
  readonly number: number | null;
  readonly reference: string | null;
  /** What fell on each means of payment. */
  readonly parts: readonly OrderTransactionShown['parts'][number][];
}

/** Milliseconds between what a person asked for and what came of it: an issuer may be asked in between. */
const ASKED_BEFORE_MS = 20_000;
const PLAIN = {
  tone: undefined,
  amount: null,
  by: null,
  person: null,
  instrument: null,
  problem: null,
  checks: null,
  state: null,
  number: null,
  reference: null,
  parts: [],
} as const;
const WAITING = ['Initialized', 'AwaitingActivity', 'CALLING'];
/** A payer who chooses, types and looks is no success yet. */
const GOOD = /^Payment(Paid|(Partially)?(Captured|Cancelled|Reversed))$/;
const BAD = /(Failed|Aborted|Expired)$/;

interface OrderParts {
  readonly transactions: readonly OrderTransactionShown[];
  readonly tries: readonly ListedTransaction[];
  readonly history: readonly HistoryLine[];
  readonly timeline: readonly Moment[];
}

/**
 * What happened to an order, each thing once, the newest first: its history, with what is known of the transaction or try
 * that a line is about. A try is told by how it ended. What no line is about has one of its own.
 */
export function orderSteps({ transactions, tries, history, timeline }: OrderParts): readonly Step[] {
  const told = new Set(history.flatMap(({ number }) => number ?? []));
  const ended = new Set([
    ...history.flatMap(({ name, number }) => (name !== 'PaymentAttemptStarted' && number !== null ? [number] : [])),
    ...tries.flatMap(({ state, number }) => (state === 'Completed' && number !== null ? [number] : [])),
  ]);
  const isTold = ({ number }: { readonly number: number | null }) => number !== null && told.has(number);
  const lines = history
    .filter(({ name, number }) => name !== 'PaymentAttemptStarted' || number === null || !ended.has(number))
    .map((line, index) => lineStep(line, index, { transactions, tries }));
  const others = [...transactions, ...tries.filter(({ state }) => state !== 'Completed')];
  return withPeople([...lines, ...others.filter((one) => !isTold(one)).map(transactionStep)], timeline);
}

/** What a story needs to know of the payment itself. */
type PaymentItself = Pick<ListedPayment, 'state' | 'problem' | 'amount' | 'createdAt'>;

/**
 * What happened to a payment, likewise: its transactions, and what people did beside them. A payment that was declined before
 * it had a transaction has its decline alone.
 */
export function paymentSteps(
  payment: PaymentItself,
  transactions: readonly ListedTransaction[],
  timeline: readonly Moment[],
): readonly Step[] {
  const isDeclined = payment.state === 'Failed' && transactions.length === 0;
  return withPeople(isDeclined ? [declineStep(payment)] : transactions.map(transactionStep), timeline);
}

/** What programs have sent and been told, and what was booked. What people did is among the steps. */
export function technicalMoments(timeline: readonly Moment[]): readonly Moment[] {
  return timeline.filter(({ kind, actorName }) => kind !== 'transaction' && (kind !== 'act' || actorName === null));
}

function lineStep(
  { name, createdAt, amount, initiatedBy, instrument, number }: HistoryLine,
  index: number,
  { transactions, tries }: Pick<OrderParts, 'transactions' | 'tries'>,
): Step {
  const transaction = number === null ? undefined : transactions.find((one) => one.number === number);
  const about = transaction ?? tries.find((one) => number !== null && one.number === number);
  return {
    ...PLAIN,
    key: `history ${index}`,
    at: createdAt,
    group: 'history',
    raw: name,
    tone: GOOD.test(name) ? 'good' : BAD.test(name) ? 'bad' : undefined,
    // An order's own amount stands above it.
    amount: name === 'PaymentCreated' ? null : amount,
    by: initiatedBy,
    instrument,
    problem: BAD.test(name) ? (about?.problem ?? null) : null,
    checks: about !== undefined && 'checks' in about ? about.checks : null,
    number: transaction?.number ?? null,
    reference: transaction?.reference ?? null,
    parts: transaction?.parts ?? [],
  };
}

function declineStep({ state, problem, amount, createdAt }: PaymentItself): Step {
  return { ...PLAIN, key: 'decline', at: createdAt, group: 'state', raw: state, tone: 'bad', amount, problem };
}

function transactionStep(transaction: ListedTransaction | OrderTransactionShown): Step {
  const { transactionId, createdAt, type, state, amount, problem, number, reference } = transaction;
  const isBad = problem !== null || state === 'Failed' || state === 'FAILED';
  return {
    ...PLAIN,
    key: `transaction ${transactionId}`,
    at: createdAt,
    group: 'transaction',
    raw: type,
    tone: isBad ? 'bad' : WAITING.includes(state) ? undefined : 'good',
    amount,
    by: 'initiatedBy' in transaction ? transaction.initiatedBy : null,
    checks: 'checks' in transaction ? transaction.checks : null,
    problem,
    // How one that is done stands is told by what it is called.
    state: isBad || WAITING.includes(state) ? state : null,
    number,
    reference,
    parts: 'parts' in transaction ? transaction.parts : [],
  };
}

/** Names the person who did a step; what a person did that is no step becomes one. */
function withPeople(steps: readonly Step[], timeline: readonly Moment[]): readonly Step[] {
  const acts = timeline.filter(({ kind, actorName }) => kind === 'act' && actorName !== null);
  const people = new Map<string, Moment>();
  const alone: Step[] = [];
  for (const act of acts) {
    const step = steps.find((one) => !people.has(one.key) && isDoneBy(one, act));
    if (step !== undefined) people.set(step.key, act);
    else {
      const { id: key, at, title: raw, actorName: person } = act;
      alone.push({ ...PLAIN, key, at, group: 'action', raw, tone: 'accent', person });
    }
  }
  const named = steps.map((step) => ({ ...step, person: people.get(step.key)?.actorName ?? null }));
  return [...named, ...alone].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** What is done to money or to the whole of an order, as its act is called. */
const DEEDS = ['capture', 'cancel', 'revers', 'abort', 'create'];

function isDoneBy({ raw, at, by }: Step, { title, at: askedAt }: Moment): boolean {
  if (by === 'Payer' || by === 'PaymentGateway') return false;
  const passed = Date.parse(at) - Date.parse(askedAt);
  const isOneDeed = DEEDS.some((deed) => title.toLowerCase().includes(deed) && raw.toLowerCase().includes(deed));
  return isOneDeed && Math.abs(passed) <= ASKED_BEFORE_MS;
}

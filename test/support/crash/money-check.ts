import { groupBy } from '../../../src/kit/group-by.ts';
import type { AsAdmin } from './crash.ts';
import { type Attempt, type MoneyVerb, type Operation, operationsOf } from './money-history.ts';

/** What the database has under one reference. */
interface Stored {
  readonly reference: string;
  readonly id: string;
  readonly accountId: string;
  readonly paymentId: string;
  readonly operation: string;
  readonly state: string;
  readonly amount: number;
  /** What its movements did to the account's two buckets. */
  readonly available: number;
  readonly held: number;
  readonly audits: number;
  readonly events: number;
}

interface StoredPayment {
  readonly paymentId: string;
  readonly captured: number;
  readonly cancelled: number;
  readonly reversed: number;
}

interface StoredAccount {
  readonly accountId: string;
  readonly available: number;
  readonly held: number;
}

/** All that the database says about money. */
export interface Books {
  readonly stored: readonly Stored[];
  readonly payments: readonly StoredPayment[];
  readonly accounts: readonly StoredAccount[];
}

/** Reads the books by SQL of our own, not by the service's. */
export async function readBooks(asAdmin: AsAdmin): Promise<Books> {
  const [row] = await asAdmin(`
    with step as (
      select payment_id as id, payment_id, account_id, operation, state, amount, payment_transaction_ref as reference
      from payment
      union all
      select t.transaction_id, p.payment_id, p.account_id, t.operation, t.state, t.amount, t.payment_transaction_ref
      from payment_transaction t join payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id
    ), moved as (
      select coalesce(m.transaction_id, m.payment_id) as id,
        sum(e.amount) filter (where e.side = 'Available') as available,
        sum(e.amount) filter (where e.side = 'Held') as held
      from movement m join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
      group by 1
    ), audited as (
      select coalesce(details->>'transactionId', object_id) as id, count(*) as audits
      from audit where object_kind = 'payment' group by 1
    ), told as (
      select coalesce(payload->>'transactionId', resource_id) as id, count(*) as events
      from event where resource_kind = 'payment' group by 1
    ), stored as (
      select reference, step.id, account_id as "accountId", payment_id as "paymentId", operation, state, amount,
        coalesce(available, 0) as available, coalesce(held, 0) as held,
        coalesce(audits, 0) as audits, coalesce(events, 0) as events
      from step left join moved on moved.id = step.id left join audited on audited.id = step.id::text
        left join told on told.id = step.id::text
    )
    select
      (select coalesce(json_agg(stored), '[]') from stored) as stored,
      (select coalesce(json_agg(json_build_object('paymentId', payment_id, 'captured', captured,
        'cancelled', cancelled, 'reversed', reversed)), '[]') from payment) as payments,
      (select json_agg(json_build_object('accountId', account_id, 'available', available, 'held', held))
        from account) as accounts`);
  // The statement above names the members.
  return row as unknown as Books;
}

/** What there was before the first request. */
export interface Beginning {
  /** What is available on each account. Nothing is held. */
  readonly balances: ReadonlyMap<string, number>;
}

/**
 * Compares the books with what follows from the history: an acknowledged operation has exactly one effect, with the
 * amount and the id that were answered; a refused one has none; one whose outcome is not known has one at most.
 *
 * @returns each promise that was broken, in words
 */
export function compareWithHistory(attempts: readonly Attempt[], books: Books, beginning: Beginning): string[] {
  const operations = operationsOf(attempts);
  const byReference = groupBy(books.stored, ({ reference }) => reference);
  const known = new Set(operations.map(({ first }) => first.reference));
  const strangers = [...byReference.keys()].filter((reference) => !known.has(reference));
  const broken = [
    ...strangers.map((reference) => `${reference} is stored and was never sent`),
    ...operations.flatMap((operation) =>
      checkEffect(operation, byReference.get(operation.first.reference) ?? [], books),
    ),
  ];
  if (operations.some(({ fate }) => fate.is === 'open')) return broken;
  return [...broken, ...checkPayments(operations, books), ...checkBalances(operations, books, beginning)];
}

function checkEffect({ first, attempts, fate }: Operation, effects: readonly Stored[], books: Books): string[] {
  const what = `${first.verb} ${first.reference}`;
  const [effect] = effects;
  if (effects.length > 1) return [`${what} has ${effects.length} effects`];
  if (fate.is === 'none' && effect !== undefined) {
    return [`${what} was refused (${attempts.at(-1)?.outcome?.status}) and has an effect`];
  }
  if (effect === undefined) return fate.is === 'done' ? [`${what} was acknowledged and is lost`] : [];
  const wrong = [...checkRequest(first, effect), ...checkTrail(effect)];
  const replies = fate.is === 'done' ? fate.replies : [];
  for (const { id, state, amount, reference } of replies) {
    if (id !== effect.id) wrong.push(`was answered with the id ${id}, which is ${effect.id}`);
    if (amount !== effect.amount) wrong.push(`was answered with ${amount}, which is ${effect.amount}`);
    if (reference !== first.reference) wrong.push(`was answered with the reference ${reference}`);
    if (!agrees(state, effect.state)) wrong.push(`was answered with ${state}, which is ${effect.state}`);
  }
  const [available, held] = movesOf(first.verb, { effect, books });
  if (effect.available !== available || effect.held !== held) {
    wrong.push(`moved ${effect.available} and ${effect.held} instead of ${available} and ${held}`);
  }
  return wrong.map((how) => `${what} ${how}`);
}

/** A payment that was acknowledged as good can have been given back since. */
function agrees(answered: string, stored: string): boolean {
  return answered === stored || (answered === 'OK' && stored === 'REVERSED');
}

const OPERATIONS: Readonly<Record<MoneyVerb, string>> = {
  authorize: 'Authorize',
  purchase: 'Purchase',
  deposit: 'Deposit',
  capture: 'Capture',
  cancel: 'Cancel',
  reversal: 'Reversal',
};

function checkRequest({ verb, accountId, amount, paymentId }: Attempt, effect: Stored): string[] {
  const wrong: string[] = [];
  if (effect.operation !== OPERATIONS[verb]) wrong.push(`is stored as ${effect.operation}`);
  if (effect.accountId !== accountId) wrong.push(`is stored for account ${effect.accountId}`);
  if (amount !== undefined && effect.amount !== amount) wrong.push(`of ${amount} is stored with ${effect.amount}`);
  if (paymentId !== undefined && effect.paymentId !== paymentId) wrong.push(`is stored with ${effect.paymentId}`);
  return wrong;
}

/** Each effect is in the audit trail and among the events, once. */
function checkTrail({ audits, events }: Stored): string[] {
  return audits === 1 && events === 1 ? [] : [`has ${audits} audit rows and ${events} events`];
}

/** What an effect must do to the account's available and held part. */
function movesOf(
  verb: MoneyVerb,
  { effect: { state, amount, paymentId }, books }: { readonly effect: Stored; readonly books: Books },
): readonly [available: number, held: number] {
  if (state === 'FAILED') return [0, 0];
  switch (verb) {
    case 'authorize':
      return [-amount, amount];
    case 'purchase':
      return [-amount, 0];
    case 'deposit':
      return [amount, 0];
    case 'capture':
      return [0, -amount];
    case 'cancel':
      return [amount, -amount];
    case 'reversal': {
      const original = books.stored.find(({ id }) => id === paymentId);
      return [original?.operation === 'Deposit' ? -amount : amount, 0];
    }
  }
}

/** Acknowledged operations with the amount that was answered. Declines move nothing. */
function carriedOut(
  operations: readonly Operation[],
): { verb: MoneyVerb; paymentId: string; amount: number; accountId: string }[] {
  return operations.flatMap(({ first: { verb, accountId, paymentId }, fate }) => {
    const [reply] = fate.is === 'done' ? fate.replies : [];
    if (reply === undefined || reply.state === 'FAILED') return [];
    return [{ verb, accountId, paymentId: paymentId ?? reply.id, amount: reply.amount }];
  });
}

/** Of each payment: what was captured, released and given back is what the answers say, and never more than there was. */
function checkPayments(operations: readonly Operation[], books: Books): string[] {
  const counters = new Map(books.payments.map((payment) => [payment.paymentId, payment]));
  return [...groupBy(carriedOut(operations), ({ paymentId }) => paymentId)].flatMap(([paymentId, steps]) => {
    const sum = (...verbs: MoneyVerb[]) =>
      steps.filter(({ verb }) => verbs.includes(verb)).reduce((total, { amount }) => total + amount, 0);
    const captured = sum('capture', 'purchase', 'deposit');
    const cancelled = sum('cancel');
    const reversed = sum('reversal');
    const stored = counters.get(paymentId);
    const broken: string[] = [];
    if (captured + cancelled > sum('authorize', 'purchase', 'deposit')) {
      broken.push(`payment ${paymentId}: ${captured} captured and ${cancelled} cancelled are more than was asked for`);
    }
    if (reversed > captured) broken.push(`payment ${paymentId}: ${reversed} of ${captured} were given back`);
    if (stored?.captured !== captured || stored.cancelled !== cancelled || stored.reversed !== reversed) {
      broken.push(`payment ${paymentId}: ${captured}, ${cancelled}, ${reversed} were answered, not what is stored`);
    }
    return broken;
  });
}

function checkBalances(operations: readonly Operation[], books: Books, { balances }: Beginning): string[] {
  const steps = carriedOut(operations);
  const kinds = new Map(steps.map(({ verb, paymentId }) => [`${verb} ${paymentId}`, verb]));
  return [...balances].flatMap(([accountId, beginning]) => {
    let available = beginning;
    let held = 0;
    for (const { verb, paymentId, amount } of steps.filter((step) => step.accountId === accountId)) {
      const gives = verb === 'deposit' || verb === 'cancel';
      const takes = verb === 'authorize' || verb === 'purchase';
      const back = verb !== 'reversal' ? 0 : kinds.has(`deposit ${paymentId}`) ? -amount : amount;
      available += back + (gives ? amount : takes ? -amount : 0);
      held += verb === 'authorize' ? amount : verb === 'capture' || verb === 'cancel' ? -amount : 0;
    }
    const stored = books.accounts.find((account) => account.accountId === accountId);
    if (stored?.available === available && stored.held === held) return [];
    return [`account ${accountId} has ${stored?.available} and ${stored?.held} instead of ${available} and ${held}`];
  });
}

const INTERNALS =
  /select |insert |update |\bpg\b|postgres|econn|\.[jt]s\b|node_modules|\bat \S+ \(|\/tmp\/|kontor_|constraint/i;
const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'];

/** All that is sent is well-formed, signed and about something that exists: so nothing else may be refused. */
const EXPECTED: readonly number[] = [200, 403, 409, 500, 503];

/** No answer has another status than it may have, and those from 500 on tell nothing of what is inside. */
export function checkAnswers(attempts: readonly Attempt[]): string[] {
  const statuses = new Set(attempts.flatMap(({ outcome }) => outcome?.status ?? []));
  const strange = [...statuses].filter((status) => !EXPECTED.includes(status));
  return [...strange.map((status) => `a request was answered with ${status}`), ...checkProblems(attempts)];
}

function checkProblems(attempts: readonly Attempt[]): string[] {
  const bodies = new Set(attempts.flatMap(({ outcome }) => outcome?.body ?? []));
  return [...bodies].flatMap((body) => {
    const members = Object.keys(parse(body));
    const isProblem = members.includes('sessionId') && members.every((member) => MEMBERS.includes(member));
    return isProblem && !INTERNALS.test(body) ? [] : [`an answer tells internals: ${body}`];
  });
}

function parse(body: string): object {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, connect } from '../../src/db/server/connection.ts';
import { askUnheard, askUnread, COMMITTED, idIn, letGo, reach } from '../support/crash/order-kill-moments.ts';
import { countOf, type OrderKillSite, type OrderVictim } from '../support/crash/order-kill-site.ts';
import {
  goToBank,
  orderWith,
  refuteStep,
  refuteUndone,
  requireOk,
  type Step,
  undo,
} from '../support/crash/order-kill-steps.ts';
import { requireStandby } from '../support/database/standby.ts';
import { until } from '../support/until.ts';

// Orders that a job ends, because their time is over: processes are killed in the middle of it.

/** An order whose time comes. */
interface Ending {
  /** Until when it waits. */
  readonly due: 'expires_at' | 'held_until' | 'authorized_until';
  /** Whether its payer has paid, and a part is captured; else the card was declined, and the gift cards stay held. */
  readonly isPaid: boolean;
  /** What says that a job has written something of it, and that it has ended. */
  readonly isBegun: string;
  readonly isOver: string;
  readonly legs: Step['legs'];
  /** What it is at last, and what other programs were told of it: each once. */
  readonly status: string;
  readonly told: readonly string[];
}

const AMOUNT = 1000;
const ON_CARDS = [300, 200] as const;
const HELD = '300/0/0/0 200/0/0/0';
const CAPTURED = '300/100/0/0 200/0/0/0 500/0/0/0';
const ENDED = '300/100/200/0 200/0/200/0 500/0/500/0';
const DECLINED = ['payment-order.attempt-failed', 'payment-order.created'];

const ENDINGS = {
  'an order expires': {
    due: 'expires_at',
    isPaid: false,
    isBegun: `status = 'Aborted'`,
    isOver: `status = 'Aborted'`,
    legs: { nothing: HELD, failed: HELD, done: '' },
    status: 'Aborted',
    told: [...DECLINED, 'payment-order.expired'],
  },
  'holds of an order lapse': {
    due: 'held_until',
    isPaid: false,
    isBegun: 'held_until is null',
    isOver: 'held_until is null',
    legs: { nothing: HELD, failed: HELD, done: '' },
    status: 'Initialized',
    told: DECLINED,
  },
  'the authorization of an order ends': {
    due: 'authorized_until',
    isPaid: true,
    isBegun: 'unsettled > 0',
    isOver: 'authorized_until is null and unsettled = 0',
    legs: { nothing: CAPTURED, failed: CAPTURED, done: ENDED },
    status: 'Paid',
    told: [
      'payment-order.authorization-ended',
      'payment-order.captured',
      'payment-order.created',
      'payment-order.paid',
    ],
  },
} as const satisfies Readonly<Record<string, Ending>>;

/** What a job does. */
type JobName = keyof typeof ENDINGS;

/** How far a job has come when the kill comes. */
type Place = 'before the write' | 'after the commit' | 'asked, and not read' | 'decided, and not heard of';

/** Each moment in which a job is killed. */
export const JOB_MOMENTS: readonly (readonly [JobName, Place])[] = [
  ['an order expires', 'before the write'],
  ['an order expires', 'after the commit'],
  ['holds of an order lapse', 'before the write'],
  ['holds of an order lapse', 'after the commit'],
  ['the authorization of an order ends', 'before the write'],
  ['the authorization of an order ends', 'after the commit'],
  ['the authorization of an order ends', 'asked, and not read'],
  ['the authorization of an order ends', 'decided, and not heard of'],
];

/** An order that is ready to be due. */
type Ready = Ending & Pick<Step, 'name' | 'id' | 'cards' | 'onCards'>;

async function readyOrder(site: OrderKillSite, name: JobName): Promise<Ready> {
  const ending: Ending = ENDINGS[name];
  const { id, cards, payer } = await orderWith(site, { amount: AMOUNT, onCards: ON_CARDS });
  if (ending.isPaid) {
    requireOk(await payer.payByCard());
    requireOk(await site.walks.follow(id, 'captures', { amount: 100, vatAmount: 0 }));
  } else {
    await goToBank(payer);
    await payer.decide('Declined');
    await payer.comeBack();
  }
  return { ...ending, name, id, cards, onCards: ON_CARDS };
}

/** A kill, and what it comes into. */
export interface KillInJob {
  readonly name: JobName;
  readonly place: Place;
  readonly victims: readonly OrderVictim[];
}

/**
 * Kills processes while a job ends an order, and waits until a job has done so, of the same service or of the next one.
 *
 * @returns each promise that was broken, in words
 */
export async function killInJob(site: OrderKillSite, { name, place, victims }: KillInJob): Promise<string[]> {
  const order = await readyOrder(site, name);
  const row = `payment_order where order_id = '${idIn(order.id)}'`;
  await site.lineIsThere();
  const locking = await HOLDS[place](site, order);
  await site.killAll(victims);
  if (place === 'after the commit') await letCommit(site);
  const isBegun = (await countOf(site.database, `${row} and ${order.isBegun}`)) === 1;
  // A service that lives goes on at once, and its job may have begun again.
  const isWrong = victims.includes('service') && isBegun === (place === 'before the write');
  const wrong = isWrong ? [`${name}: the kill came too ${isBegun ? 'late' : 'early'}`] : [];
  await letGo(site, { victims, locking, holdsCommits: false });
  // What the job was at is free now, and not when its lease ends.
  await site.database.asAdmin('update row_at_work set not_before = kontor_now() where is_under_way');
  await site.settled();
  if (!(await willBe(async () => (await countOf(site.database, `${row} and ${order.isOver}`)) === 1))) {
    return [...wrong, `${name}: no job ends it any more`];
  }
  await site.settled();
  wrong.push(...(await refuteStep(site, order, ['done'])), ...(await refuteTold(site, order)));
  const { status } = await site.walks.orderOf(order.id);
  if (status !== order.status) wrong.push(`${name}: it is ${status}, not ${order.status}`);
  wrong.push(...(await site.unlikeBooks()));
  await undo(site, order.id);
  return [...wrong, ...(await refuteUndone(site, order))];
}

/** Has the time of an order come, so that a job begins with it. */
async function makeDue({ database }: Pick<OrderKillSite, 'database'>, { id, due }: Ready): Promise<void> {
  const now = `kontor_now() - interval '1 second'`;
  // An order and its card payment expire at one time.
  await database.asAdmin(`
    update payment_order set ${due} = ${now} where order_id = '${idIn(id)}';
    update card_payment c set expires_at = o.expires_at from payment_order o
    where o.order_id = '${idIn(id)}' and c.order_id = o.order_id and c.expires_at <> o.expires_at`);
}

/** The service waits for what `lockCards` has locked. */
const BLOCKED = `pg_stat_activity waiting join pg_stat_activity locking on locking.pid = any (pg_blocking_pids(waiting.pid))
  where locking.application_name = 'locking'`;

/** Has a job wait before it writes, for the gift cards of its order. */
async function lockCards(site: OrderKillSite, order: Ready): Promise<Connection> {
  const locking = await connect(site.adminUrl, { application_name: 'locking' });
  const ids = order.cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`);
  await locking.command('begin');
  await locking.command(`select from account where account_id in (${ids}) for update`);
  await makeDue(site, order);
  await reach(site, BLOCKED, 1);
  return locking;
}

/** Brings a job to its place, and answers what it waits for there, if that is a lock. */
const HOLDS: Readonly<Record<Place, (site: OrderKillSite, order: Ready) => Promise<Connection | undefined>>> = {
  'before the write': lockCards,
  async 'after the commit'(site, order) {
    const locking = await lockCards(site, order);
    await requireStandby(site.adminUrl, 'nobody');
    await locking.command('rollback');
    await reach(site, COMMITTED, 1);
    return locking;
  },
  async 'asked, and not read'(site, order) {
    await askUnread(asking(site, order));
    return undefined;
  },
  async 'decided, and not heard of'(site, order) {
    await askUnheard(asking(site, order));
    return undefined;
  },
};

const asking = (site: OrderKillSite, order: Ready) => ({
  site,
  steps: [{ asks: true }],
  begin: () => void makeDue(site, order),
});

/** Has what was committed be seen: it is not, as long as it waits for a standby. */
async function letCommit({ adminUrl, database }: OrderKillSite): Promise<void> {
  await requireStandby(adminUrl, '');
  await until(async () => (await countOf(database, COMMITTED)) === 0);
}

/** Longer than a job rests, and what it does takes. */
const JOB_MS = 40_000;

/** Whether something comes to be in the time in which a job does what is due. */
function willBe(condition: () => Promise<boolean>): Promise<boolean> {
  return until(async () => (await condition()) || (await pause(50, false)), JOB_MS).then(
    () => true,
    () => false,
  );
}

/** What other programs were told of an order that is not what they have to be, each once. */
async function refuteTold({ database }: OrderKillSite, { name, id, told }: Ready): Promise<string[]> {
  const rows = await database.asAdmin(`select type from event where resource_id = '${idIn(id)}' order by type`);
  const found = rows.map(({ type }) => String(type));
  return `${found}` === `${told}` ? [] : [`${name}: told was ${found}, not ${told}`];
}

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { connect } from '../../../src/db/server/connection.ts';
import { groupBy } from '../../../src/kit/group-by.ts';
import type { AcquirerSite, AcquirerVictim, SiteAcquirer } from '../issuer/acquirer-site.ts';
import { acquiringShop } from '../issuer/acquiring.ts';
import { testCardNumber } from '../numbers.ts';
import { until } from '../until.ts';
import type { Payers } from './acquirer-payers.ts';

/** What each question of `killAtEachMoment` is for, by its amount. */
export const MOMENTS = {
  duringTakeBack: 501,
  afterWrite: 502,
  storedUnsent: 503,
  afterAnswer: 504,
  beforeStored: 505,
} as const;

/** What the acquirers of a site do so that these moments last. */
export const MOMENTS_SCRIPT = [
  { type: '1100', amount: MOMENTS.duringTakeBack, does: 'CloseWithoutAnswer' },
  { type: '1420', amount: MOMENTS.duringTakeBack, does: 'TakeBackSilent' },
  { type: '1100', amount: MOMENTS.afterWrite, does: 'NoAnswer' },
] as const;

/** Milliseconds: far more than anything takes here, also beside much other work. */
const SOON_MS = 60_000;
/** Of Mastercard, which the third acquirer has alone. */
const MASTERCARD = testCardNumber(2);

/**
 * Has a question at each moment of its life and kills the one instance there: stored by no process yet, stored and not sent,
 * sent and not answered, answered with the answer not stored, being taken back. The third acquirer must not run, and the
 * instance must be patient: no question may end by itself before the kill.
 */
export async function killAtEachMoment(site: AcquirerSite): Promise<void> {
  const [north] = site.acquirers;
  const [instance] = site.instances;
  if (north === undefined || instance === undefined) throw new Error('there are acquirers and one instance');
  const shop = acquiringShop(() => ({ ...site.where(), journal: '' }));
  const cutOff: Promise<unknown>[] = [];
  const ask = (amount: number, cardNumber?: string) =>
    cutOff.push(
      shop.authorize(amount, cardNumber).then(
        () => 'answered',
        () => 'cut off',
      ),
    );
  ask(MOMENTS.duringTakeBack);
  await until(() => hasMessage(north, 'received', '1420', MOMENTS.duringTakeBack), SOON_MS);
  ask(MOMENTS.afterWrite);
  await until(() => hasMessage(north, 'received', '1100', MOMENTS.afterWrite), SOON_MS);
  // From here on no answer comes, until the database is kept from storing it.
  north.signal('SIGSTOP');
  ask(MOMENTS.afterAnswer);
  ask(MOMENTS.storedUnsent, MASTERCARD);
  await until(async () => (await exchangesOf(site, [MOMENTS.afterAnswer, MOMENTS.storedUnsent])).length === 2, SOON_MS);
  const locking = await connect(site.kontor.database.adminUrl);
  await locking.command('begin');
  await locking.command('lock table acquirer_exchange in share mode');
  ask(MOMENTS.beforeStored);
  await until(() => waitsForLock(site), SOON_MS);
  north.signal('SIGCONT');
  await until(() => hasMessage(north, 'sent', '1110', MOMENTS.afterAnswer), SOON_MS);
  await instance.kill();
  // A COMMIT travels with what waits: PostgreSQL finds out that its client is gone before it gets there.
  await until(async () => !(await waitsForLock(site)), SOON_MS);
  await locking.command('rollback');
  await locking.end();
  const outcomes = await Promise.all(cutOff);
  // The first one was told that its outcome is not known yet.
  if (outcomes.slice(1).includes('answered')) throw new Error('the signal came too late');
}

const hasMessage = ({ journal }: SiteAcquirer, event: string, type: string, amount: number) =>
  journal().some((line) => line.event === event && line.type === type && Number(line.fields['amount']) === amount);

/** Exchanges of questions of these amounts, with what became of their attempts. */
export function exchangesOf({ kontor }: AcquirerSite, amounts: readonly number[]) {
  return kontor.database.asAdmin(`
    select e.amount::integer, e.kind, e.action_code, a.state from acquirer_exchange e
    join issuer_attempt a using (payee_id, attempt_id)
    where e.amount in (${amounts}) order by e.amount, e.kind`);
}

async function waitsForLock({ kontor }: AcquirerSite): Promise<boolean> {
  const waiting = await kontor.database.asAdmin(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

/** A kill while payers pay. */
export interface KillRound {
  readonly victims: readonly AcquirerVictim[];
  /** Payments that are tried before it, and after all runs again. */
  readonly triesBeforeKill: number;
  readonly triesAfter: number;
  readonly atOnce: number;
  readonly seed: number;
}

/** Kills the first instance, the first acquirer or both while payers pay, starts them again, and has payers go on. */
export async function killWhilePaying(site: AcquirerSite, payers: Payers, round: KillRound): Promise<void> {
  const { victims, triesBeforeKill, triesAfter, atOnce, seed } = round;
  const [north] = site.acquirers;
  const [instance] = site.instances;
  if (north === undefined || instance === undefined) throw new Error('there are acquirers and an instance');
  const state = { isOver: false };
  const paying = payers.pay({ atOnce, seed, isOver: () => state.isOver });
  try {
    const enough = payers.tried() + triesBeforeKill;
    await until(() => payers.tried() >= enough, SOON_MS);
    await Promise.all(victims.map((victim) => (victim === 'kontor' ? instance.kill() : north.kill())));
    if (victims.includes('acquirer')) await north.start();
    if (victims.includes('kontor')) await site.serve();
    const more = payers.tried() + triesAfter;
    await until(() => payers.tried() >= more, SOON_MS);
  } finally {
    state.isOver = true;
    await paying;
  }
}

/** How often each thing happened that a flapping acquirer is there for. */
export interface Flapped {
  readonly notSent: number;
  readonly failedOver: number;
  readonly silent: number;
}

/** Milliseconds that the first acquirer can be reached, and cannot. It takes half a second to be connected again. */
const flaps = fc.record({ upMs: fc.integer({ min: 20, max: 900 }), downMs: fc.integer({ min: 0, max: 300 }) });

/**
 * Pays so many times, and until payments went to the second acquirer and others got no answer, while the lines to the first
 * one come and go.
 */
export async function payWhileFlapping(
  site: AcquirerSite,
  payers: Payers,
  { payments, atOnce, seed }: { readonly payments: number; readonly atOnce: number; readonly seed: number },
): Promise<Flapped> {
  const [north] = site.acquirers;
  if (north === undefined) throw new Error('there is an acquirer');
  const enough = payers.tried() + payments;
  let flapped: Flapped = { notSent: 0, failedOver: 0, silent: 0 };
  const state = { isOver: false };
  const paying = payers.pay({
    atOnce,
    seed,
    isOver: () => payers.tried() >= enough && flapped.failedOver > 0 && flapped.silent > 0,
  });
  const over = paying.finally(() => {
    state.isOver = true;
  });
  for (const { upMs, downMs } of fc.sample(flaps, { seed, numRuns: 10_000 })) {
    if (state.isOver) break;
    await pause(upMs);
    north.board.cut();
    await pause(downMs);
    north.board.join();
    // Once both have happened there is nothing to look for.
    if (flapped.failedOver === 0 || flapped.silent === 0) flapped = await countFlapped(site);
  }
  north.board.join();
  await over;
  return await countFlapped(site);
}

async function countFlapped({ kontor }: AcquirerSite): Promise<Flapped> {
  const [row] = await kontor.database.asAdmin(`
    select count(*) filter (where e.state = 'NotSent')::integer as "notSent",
      count(*) filter (where e.state = 'Silent')::integer as silent,
      count(*) filter (where e.state = 'NotSent' and exists (
        select from acquirer_exchange o join issuer_attempt b using (payee_id, attempt_id)
        where b.payee_id = a.payee_id and b.transaction_id = a.transaction_id and b.attempt_id <> a.attempt_id
          and o.state = 'Answered'
      ))::integer as "failedOver"
    from acquirer_exchange e join issuer_attempt a using (payee_id, attempt_id)
    where e.kind = 'Ask'`);
  return row as unknown as Flapped;
}

/** What is wrong with what acquirers were asked: nothing at any moment, also while much is under way. */
export async function refuteWhatWasAsked(site: AcquirerSite): Promise<string[]> {
  return [...(await refuteFailOver(site)), ...site.namedTwice()];
}

/** What is wrong with what went to two acquirers: nothing where only what was not sent did, and each card is held once. */
async function refuteFailOver({ kontor, acquirers }: AcquirerSite): Promise<string[]> {
  const rows = await kontor.database.asAdmin(`
    select a.transaction_id::text as transaction, replace(a.attempt_id::text, '-', '') as attempt, e.acquirer, e.state
    from issuer_attempt a join acquirer_exchange e on (e.payee_id, e.attempt_id, e.kind) = (a.payee_id, a.attempt_id, 'Ask')
    where e.operation in ('Authorize', 'Purchase') order by a.created_at, a.attempt_id`);
  const told = new Map<string, { reached: boolean; held: boolean }>();
  for (const { event, tags, payment, held, captured } of acquirers.flatMap(({ journal }) => journal())) {
    const attempt = event === 'books' ? payment : (tags?.['attemptId'] ?? '');
    const before = told.get(attempt);
    told.set(attempt, {
      reached: before?.reached === true || event === 'received',
      held: event === 'books' ? held + captured > 0 : before?.held === true,
    });
  }
  const tries = groupBy(rows, ({ transaction }) => String(transaction));
  return [...tries].flatMap(([transaction, attempts]) => {
    const wrong = (what: string) => `${transaction}: ${what}`;
    const isHeld = attempts.filter(({ attempt }) => told.get(String(attempt))?.held);
    const unsent = attempts.filter(({ state }) => state === 'NotSent');
    return [
      ...(attempts.length > 2 ? [wrong(`${attempts.length} acquirers were asked`)] : []),
      ...(isHeld.length > 1 ? [wrong('the card is held twice')] : []),
      ...attempts
        .slice(0, -1)
        .flatMap(({ state }) => (state === 'NotSent' ? [] : [wrong(`asked again after ${state}`)])),
      ...unsent.flatMap(({ attempt }) => (told.get(String(attempt))?.reached ? [wrong('sent all the same')] : [])),
    ];
  });
}

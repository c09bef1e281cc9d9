import type { Transact } from '../../db/transaction.types.ts';
import type { Background } from '../../kit/work/background.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { lastDayToClose } from './business-day.rules.ts';
import { searchDays } from './close-day.ts';
import { closeDueDays } from './close-days.flow.ts';
import { reconcileDays } from './reconcile-days.flow.ts';

/** Milliseconds between two looks whether a day is to be closed or searched. */
const CLOSING_INTERVAL_MS = 15_000;
/** Milliseconds between two looks whether totals are to be told: a person who has closed a day waits for the answer. */
const TELLING_INTERVAL_MS = 5_000;

/** What the jobs of settlement need. */
export interface SettlementJobsContext {
  readonly transact: Transact;
  readonly background: Background;
}

/**
 * Starts closing business days, comparing their totals with the acquirers, and looking for what their files lack.
 *
 * @returns stops it, and waits for the rounds under way
 */
export function startSettling(
  { transact, background }: SettlementJobsContext,
  context: SettlementContext,
): () => Promise<void> {
  // An acquirer's answers of some days are read to close one: once for each day.
  const closed = new Map<string, string>();
  const stops = [
    background.repeat('close-settlements', CLOSING_INTERVAL_MS, async (isStopped) => {
      await transact(searchDays);
      for (const acquirer of context.hosts.acquirers) {
        const day = lastDayToClose(Date.now(), acquirer);
        if (isStopped() || closed.get(acquirer.id) === day) continue;
        await closeDueDays(transact, context, acquirer);
        closed.set(acquirer.id, day);
      }
    }),
    background.repeat('tell-totals', TELLING_INTERVAL_MS, () => reconcileDays({ transact, context })),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

import type { JobContext } from '../../db/job-context.types.ts';
import { stopAll } from '../../kit/work/background.ts';
import { repeatInLanes } from '../../kit/work/lanes.ts';
import { selectNow } from '../clock.store.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { lastDayToClose } from './business-day.rules.ts';
import { searchDays } from './close-day.ts';
import { closeDueDays } from './close-days.flow.ts';
import { reconcileDays } from './reconcile-days.flow.ts';
import { DUE_DAYS, takeDue } from './tell-totals.ts';

/** Milliseconds between two looks whether a day is to be closed or searched. */
const CLOSING_INTERVAL_MS = 15_000;
/** Milliseconds between two looks whether totals are to be told: a person who has closed a day waits for the answer. */
const TELLING_INTERVAL_MS = 5_000;

/**
 * Starts closing business days, comparing their totals with the acquirers, and looking for what their files lack.
 *
 * @returns stops it, and waits for what is under way
 */
export function startSettling(
  { background }: Pick<JobContext, 'background'>,
  context: SettlementContext,
  intervalMs = CLOSING_INTERVAL_MS,
): () => Promise<void> {
  const { longWork: transact } = context.database;
  // An acquirer's answers of some days are read to close one: once for each day.
  const closed = new Map<string, string>();
  const stops = [
    background.repeat('close-settlements', intervalMs, async (isStopped) => {
      await background.attempt('close-settlements', async () => {
        while ((await transact(searchDays)) && !isStopped());
      });
      const now = new Date(await transact(({ run }) => selectNow(run)));
      for (const acquirer of context.hosts.acquirers) {
        const day = lastDayToClose(now.getTime(), acquirer);
        if (isStopped() || closed.get(acquirer.id) === day) continue;
        // One whose days cannot be closed keeps no other from it.
        const isDone = await background.attempt('close-settlements', () =>
          closeDueDays(transact, context, acquirer, now),
        );
        if (isDone) closed.set(acquirer.id, day);
      }
    }),
    repeatInLanes(background, {
      work: 'tell-totals',
      intervalMs: TELLING_INTERVAL_MS,
      most: DUE_DAYS,
      take: (full) => transact((transaction) => takeDue(transaction, full)),
      laneOf: ({ acquirer }) => acquirer,
      doThem: (due) => reconcileDays({ transact, context }, due),
    }),
  ];
  return stopAll(stops);
}

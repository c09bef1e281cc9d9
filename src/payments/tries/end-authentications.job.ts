import type { Background, WorkOn } from '../../kit/work/background.ts';
import { workOff } from '../../kit/work/work-off.ts';
import type { PaymentFlows } from '../payments-context.types.ts';
import { endOverdueAuthentication, findOverdueAuthentications } from './authenticate-payer.flow.ts';

/** Milliseconds between two rounds of the job. */
const INTERVAL_MS = 10_000;
/** Tries that it looks for at once. */
const OVERDUE_ROWS = 100;

/** What the job needs. */
export interface AuthenticationExpiryContext extends PaymentFlows {
  readonly background: Background;
  readonly workOn: WorkOn;
}

/**
 * Starts ending tries whose payers have left their bank: eleven minutes after a challenge began, and a quarter of an hour
 * after a card was typed where the bank was not asked.
 *
 * @returns stops it, and waits for the round under way
 */
export function startEndingAuthentications(
  { transact, context, background, workOn }: AuthenticationExpiryContext,
  intervalMs = INTERVAL_MS,
): () => Promise<void> {
  const flows = { transact, context };
  return background.repeat('end-authentications', intervalMs, (isStopped) =>
    workOff(isStopped, {
      find: () => findOverdueAuthentications(flows, OVERDUE_ROWS),
      most: OVERDUE_ROWS,
      doThem: (due) =>
        workOn('end-authentications', due, async (overdue) => {
          for (const one of overdue) await endOverdueAuthentication(flows, one);
        }),
    }),
  );
}

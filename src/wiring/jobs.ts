import { forgetRowsAtWork, makeWorkOn } from '../db/rows-at-work.ts';
import type { Read, Transaction } from '../db/transaction.types.ts';
import { startDelivering } from '../events/deliveries/deliver.job.ts';
import { startForgettingDeliveries } from '../events/deliveries/forget-deliveries.job.ts';
import { createSender } from '../events/deliveries/sender.adapter.ts';
import type { EventJobsContext } from '../events/events.types.ts';
import { startSequencing } from '../events/feed/sequence-events.job.ts';
import { startRecoveringAttempts } from '../issuers/recover-attempts.job.ts';
import { findMisfit } from '../keys/ring/load-ring.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { CARD_PREFIX_INTERVAL_MS, FORGET_INTERVAL_MS, FORGET_ROWS } from '../kit/limits.ts';
import type { NoteRefused } from '../kit/refused-caller.ts';
import { type BackgroundWork, createBackground, type ReportFailure } from '../kit/work/background.ts';
import { KEY_RING_INTERVAL_MS } from '../kit/work/background-limits.ts';
import type { CallSink } from '../kit/work/finished-call.ts';
import type { Quiet } from '../kit/work/traffic.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { startExpiringHolds } from '../ledger/expiry/expire-overdue.job.ts';
import { startTokenUseJob } from '../merchants/access-tokens/token-use.job.ts';
import { startForgettingStale } from '../merchants/attempts/forget-stale.job.ts';
import { startNotingRefused } from '../merchants/attempts/refused-callers.job.ts';
import type { BackgroundContext } from '../merchants/merchants.types.ts';
import { startSweepingCards } from '../payments/cards/sweep-cards.job.ts';
import { startExpiringPayments } from '../payments/expire-payments.job.ts';
import { forgetGivings } from '../portal/approvals/weigh-giving.ts';
import type { RecordingContext } from '../portal/calls/calls.types.ts';
import { type CallRecorder, startRecordingCalls } from '../portal/calls/record-calls.job.ts';
import { forgetSessions } from '../portal-users/sessions/sessions.ts';
import { attemptSettlers } from './attempt-settlers.ts';
import type { Service } from './service.ts';

/** The background work of a service. */
export interface Jobs {
  readonly noteTokenUse: ReturnType<typeof startTokenUseJob>['note'];
  readonly noteRefused: NoteRefused;
  readonly calls: CallSink | undefined;
  stop(): Promise<void>;
}

/** What jobs need of the process. */
export interface JobsOptions {
  readonly quiet: Quiet;
  readonly report: ReportFailure;
}

/** Starts all background work of a service. */
export function startJobs(service: Service, { quiet, report }: JobsOptions): Jobs {
  const { database, ledger, vault, accounts, cardPayments } = service;
  const background = createBackground(report);
  const workOn = makeWorkOn(database.background.transact, report);
  const context = { ...database.background, background, workOn };
  const tokenUse = startTokenUseJob(context);
  const refused = startNotingRefused({ ...context, mode: service.config.mode, now: () => performance.now() });
  const calls = startCallLog(service, { ...context, quiet });
  const stops = [
    background.repeat('load-card-prefixes', CARD_PREFIX_INTERVAL_MS, service.loadCardPrefixes),
    background.repeat('load-key-ring', KEY_RING_INTERVAL_MS, () => lookAtKeys(service, context.read)),
    background.repeat('forget-rows-at-work', FORGET_INTERVAL_MS, () => context.transact(forgetRowsAtWork)),
    startForgettingStale(context),
    startForgetting(context, 'forget-portal-sessions', forgetSessions),
    startForgetting(context, 'forget-givings', forgetGivings),
    startExpiringHolds({ ...context, ledger, newId: vault.newId }),
    startRecoveringAttempts({ ...context, asker: accounts, settlers: attemptSettlers(service) }),
    startExpiringPayments({ ...context, context: cardPayments }),
    startSweepingCards(context),
    startEventJobs(service, { ...context, quiet }),
  ];
  return {
    noteTokenUse: tokenUse.note,
    noteRefused: refused.note,
    calls,
    stop: async () => {
      await Promise.all([tokenUse.stop(), refused.stop(), calls?.stop(), ...stops.map((stop) => stop())]);
    },
  };
}

/** Starts forgetting rows once a minute, as long as rounds are full. */
function startForgetting(
  { background, transact }: BackgroundContext,
  work: BackgroundWork,
  forget: (transaction: Transaction) => Promise<number>,
): () => Promise<void> {
  return background.repeat(work, FORGET_INTERVAL_MS, async (isStopped) => {
    while (!isStopped() && (await transact(forget)) === FORGET_ROWS);
  });
}

/** Keys that other instances write with are fetched before anybody needs them; where one is not there, the log says so. */
async function lookAtKeys(service: Service, read: Read): Promise<void> {
  const misfit = await findMisfit(read, service);
  if (misfit !== undefined) throw new Trouble(misfit);
}

/** What programs have sent is kept for their payee to see, unless it is to be kept for no time at all. */
function startCallLog(
  { config, vault, cardPrefixes }: Service,
  context: Pick<RecordingContext, 'read' | 'transact' | 'background' | 'quiet'>,
): CallRecorder | undefined {
  const hours = config.apiLogHours;
  if (hours === 0) return undefined;
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  const now = () => performance.now();
  return startRecordingCalls({
    ...context,
    newId: vault.newId,
    now,
    maskCardNumbers,
    hours,
  });
}

/** Events get their positions, go to webhooks, and leave a log that is not kept for ever. */
function startEventJobs(
  { config, keyRing, cardPrefixes }: Service,
  context: Omit<EventJobsContext, 'keyRing' | 'sender' | 'maskCardNumbers'>,
): () => Promise<void> {
  const sender = createSender({ allowsLoopback: config.mode === 'sandbox' });
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  const stops = [
    startSequencing(context),
    startDelivering({ ...context, keyRing, sender, maskCardNumbers }),
    startForgettingDeliveries(context),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Transact } from '../db/transaction.types.ts';
import { textOf } from '../iso8583/answers.rules.ts';
import type { LinkEvents } from '../iso8583/link/link.types.ts';
import type { HostHabit, Message } from '../iso8583/messages.types.ts';
import type { Kontor } from '../kontor.types.ts';
import type { PaymentKey } from '../ledger/ledger.types.ts';
import type { UpdateCard } from '../tokens/import/import.types.ts';
import { type AcquirerLines, acquirerLines } from './acquirers/acquirer-lines.flow.ts';
import type { AcquirersSetup } from './acquirers/acquirers.types.ts';
import { institutionOf } from './acquirers/file/shared-terminals.rules.ts';
import { noteAgreements } from './acquirers/note-agreements.ts';
import type { LinesParts } from './acquirers/reach-acquirer.ts';
import { cardUpdates } from './acquirers/told/card-updates.flow.ts';
import { habitNotes } from './acquirers/told/note-habits.flow.ts';
import { toldDays } from './acquirers/told/told-days.flow.ts';
import { aheadOf } from './attempts.ts';
import type { CertifyService } from './certification/certify.flow.ts';
import type { ExchangesService } from './exchanges.cli.ts';
import { exchangeMaker } from './exchanges.flow.ts';
import { FIND_ORIGINAL_EXCHANGES, findAnyExchange } from './exchanges.store.ts';
import { noteLate, noteLateAnswer } from './exchanges.ts';
import { cardHolder } from './held-cards.flow.ts';
import { type AcquirerLine, acquirerIssuer, issuerTable, LEDGER_ISSUER } from './issuers.rules.ts';
import type {
  Asker,
  Attempt,
  AttemptSettler,
  AttemptSubject,
  Issuer,
  Issuers,
  LateAnswer,
  StoredExchange,
} from './issuers.types.ts';
import type { TraceService } from './trace/trace.cli.ts';
import { traceBuffer, writeTrace } from './trace/trace-buffer.flow.ts';

/** The test acquirer of a sandbox. */
export interface SandboxAcquirer {
  /** As an issuer, on its line. */
  readonly issuerOf: (lineOf: (acquirerId: string) => AcquirerLine) => Issuer;
  /** Starts it in this process: it has no settings and no files, so a process of its own would only take memory. */
  readonly start: () => Promise<{ readonly port: number; close(): Promise<void> }>;
}

/** What issuers are composed of. */
export interface IssuersParts extends Kontor {
  readonly acquirers: AcquirersSetup;
  /** In a sandbox, which has no other acquirer. */
  readonly testAcquirer: SandboxAcquirer | undefined;
  readonly linesParts: LinesParts;
  /** Gives the tokens of a card what its acquirer says of it. */
  readonly updateCard: UpdateCard;
  /** Who settles what an attempt is about: the slices above. */
  readonly settlers: (transact: Transact) => Readonly<Record<AttemptSubject, AttemptSettler>>;
}

/**
 * Composes the issuers of this installation, and what asks them.
 */
export function composeIssuers({ acquirers, testAcquirer, linesParts, settlers, updateCard, ...kontor }: IssuersParts) {
  const { config, database, newId } = kontor;
  const { transact: background } = database.background;
  const newExchange = exchangeMaker({
    transact: database.transact,
    now,
    institutionOf: (acquirerId) => institutionOfAcquirer(acquirers, acquirerId),
    randomBelow: (most) => Math.floor(linesParts.random() * most),
  });
  // A take-back says so. It is sent all the same, and no payment waits for this.
  const late = (attempt: Pick<Attempt, 'payeeId' | 'attemptId'>) =>
    void background((transaction) => noteLate(transaction, attempt)).catch(() => undefined);
  const updates = cardUpdates({ transact: database.transact, updateCard });
  const noteLateHere = lateNotes(background, acquirers);
  const days = config.acquirerTraceDays;
  const buffer = days === 0 ? undefined : traceBuffer({ newId, now: linesParts.now });
  const hears = { late, updated: updates.take, trace: buffer?.note };
  const lines = acquirerLines(acquirers, linesParts, toldDays(background, Date.now), hears);
  const asker: Asker = {
    issuers: issuersOf(acquirers, testAcquirer, lines),
    withDeadline,
    now,
    newExchange,
    ...cardHolder(kontor),
    aheadOf: (attempt) => aheadOf(database.read, attempt),
  };
  return {
    asker: {
      ...asker,
      pause: (durationMs: number) => pause(durationMs),
      originalExchange: database.find<PaymentKey, StoredExchange>(FIND_ORIGINAL_EXCHANGES),
    },
    trace: buffer?.note,
    buffer,
    days,
    settlers,
    linkTo: lines.linkTo,
    lineStates: lines.states,
    /** Opens the lines to all acquirers; in a sandbox the test acquirer first, in this process. */
    openLines: async (eventsOf: (acquirerId: string) => Omit<LinkEvents, 'habit'>) => {
      const host = await testAcquirer?.start();
      if (host === undefined) await database.transact((transaction) => noteAgreements(transaction, acquirers));
      // The sandbox's own host has the habits that a test asks for.
      const note = host === undefined ? habitNotes(background, Date.now) : () => undefined;
      const allEventsOf = (id: string) => ({
        ...withLateAnswers(eventsOf(id), (answer) => noteLateHere(id, answer)),
        habit: (habit: HostHabit) => note(id, habit),
      });
      updates.tellRefused((id) => eventsOf(id).fault('card update', 'what it was replaced by cannot be stored'));
      lines.open(allEventsOf, ({ port }) => host?.port ?? port);
      return {
        states: lines.states,
        renew: lines.renew,
        close: async () => {
          await lines.close();
          await updates.settled();
          await host?.close();
          // The last messages are those that sign off.
          if (buffer !== undefined) await writeTrace(background, buffer).catch(() => undefined);
        },
      };
    },
    commands: {
      exchanges: (): ExchangesService => ({ transact: background, settlers: settlers(background) }),
      certify: (): CertifyService => ({
        setup: acquirers,
        parts: linesParts,
        hasPayments: (acquirerId) => findAnyExchange(database.background.read, acquirerId),
        newId,
        newExchange,
        withDeadline,
      }),
      trace: (): TraceService => ({ read: database.background.read, traceDays: days }),
    },
  };
}

/** Notes an answer that came too late, which may be one to a question of another instance. No answer waits for that. */
function lateNotes(background: Transact, acquirers: AcquirersSetup) {
  return (acquirerId: string, answer: Message): void => {
    const named = lateAnswerOf(acquirers, acquirerId, answer);
    if (named !== undefined)
      void background((transaction) => noteLateAnswer(transaction, named)).catch(() => undefined);
  };
}

/** The same events, of which late answers are noted too. */
function withLateAnswers<Events extends Pick<LinkEvents, 'late'>>(
  events: Events,
  note: (answer: Message) => void,
): Events {
  return {
    ...events,
    late(answer: Message) {
      events.late(answer);
      note(answer);
    },
  };
}

/** The question that a late answer names, which may be another instance's; undefined where it names none. */
function lateAnswerOf({ dialects }: AcquirersSetup, acquirerId: string, { fields }: Message): LateAnswer | undefined {
  const [terminalId, stan, sentAt] = [fields.terminalId, fields.stan, fields.sentAt].map((field) =>
    textOf(field).trim(),
  );
  const timeZone = dialects.get(acquirerId)?.timeZone;
  if (!terminalId || !stan || !sentAt || timeZone === undefined) return undefined;
  return { acquirerId, terminalId, stan, sentAt, timeZone };
}

/** One that is configured no more has no host that could mistake a number. */
function institutionOfAcquirer({ acquirers }: AcquirersSetup, acquirerId: string): string {
  const acquirer = acquirers.find(({ id }) => id === acquirerId);
  return acquirer === undefined ? acquirerId : institutionOf(acquirer);
}

function now(): string {
  return new Date().toISOString();
}

async function withDeadline<Result>(
  durationMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`not done within ${durationMs} ms`));
      controller.abort();
    }, durationMs);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Who decides on which card numbers: our own ledger, and the acquirers of the installation. */
function issuersOf(
  { acquirers, agreements }: AcquirersSetup,
  testAcquirer: SandboxAcquirer | undefined,
  { lineOf }: Pick<AcquirerLines, 'lineOf'>,
): Issuers {
  if (testAcquirer !== undefined) return issuerTable([LEDGER_ISSUER, testAcquirer.issuerOf(lineOf)]);
  const external = acquirers.map((acquirer) => acquirerIssuer(acquirer, lineOf(acquirer.id), agreements));
  return issuerTable([LEDGER_ISSUER, ...external]);
}

import type { BusinessDays, LinkEvents } from '../../iso8583/link/link.types.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { type AcquirerLines, acquirerLines } from '../acquirers/acquirer-lines.flow.ts';
import type { Acquirer, AcquirersSetup } from '../acquirers/acquirers.types.ts';
import { believedDay, businessDayOf } from '../acquirers/business-day.rules.ts';
import type { LinesParts } from '../acquirers/reach-acquirer.ts';
import { wordsOf } from '../line-words.rules.ts';
import type { IssuerHost } from '../questions.types.ts';
import type { SeenMessage } from './certification.types.ts';

/** One line to an acquirer, opened as the service opens its lines, whose messages are seen. */
export interface Bench {
  /** What asks the acquirer: the same code that asks it for payments. */
  host(): IssuerHost;
  /**
   * Signs on, on a new line; one that is there signs off first.
   *
   * @throws Trouble where the line does not come up
   */
  signOn(): Promise<void>;
  /** Whether the host answers an echo. */
  echo(): Promise<boolean>;
  /** Whether the host says within the time that a day has begun, or has said so since it was asked last. */
  dayBegan(withinMs: number): Promise<boolean>;
  /** Puts a message by itself; undefined where no answer came. */
  tell(message: Message): Promise<Message | undefined>;
  /** The business day: as the host has begun it, else by the clock. */
  day(): string;
  /** The messages that have passed since they were taken last. */
  take(): readonly SeenMessage[];
  close(): Promise<void>;
}

/** Milliseconds between two looks whether a day has begun. */
const LOOK_MS = 50;

/** A bench at the first site of an acquirer, with one connection. It is not signed on yet. */
export function openBench(setup: AcquirersSetup, acquirer: Acquirer, parts: LinesParts): Bench {
  const one: Acquirer = { ...acquirer, connections: 1, otherSites: [] };
  let seen: SeenMessage[] = [];
  let daysBegun = 0;
  let toldDay: string | undefined;
  let lines: AcquirerLines | undefined;
  const days: BusinessDays = {
    begin(told) {
      const day = believedDay(told, parts.now().getTime(), acquirer);
      if (day === undefined) return false;
      toldDay = day;
      daysBegun++;
      return true;
    },
    current: () => undefined,
  };
  const trace = (message: Omit<SeenMessage, 'at'>) => void seen.push({ ...message, at: parts.now().toISOString() });
  const open = () => {
    const opened = acquirerLines({ ...setup, acquirers: [one] }, parts, () => days, { trace });
    return new Promise<void>((resolve, reject) => {
      lines = opened;
      opened.open(() => listening(resolve, reject, acquirer.id));
    });
  };
  const close = async () => {
    await lines?.close();
    lines = undefined;
  };
  return {
    host() {
      if (lines === undefined) throw new Trouble('There is no line.');
      return lines.lineOf(one.id).host;
    },
    async signOn() {
      await close();
      await open();
    },
    echo: async () => (await lines?.linkTo(one.id)?.echo()) !== undefined,
    async dayBegan(withinMs) {
      for (let waitedMs = 0; daysBegun === 0 && waitedMs < withinMs; waitedMs += LOOK_MS) await parts.pause(LOOK_MS);
      const hasBegun = daysBegun > 0;
      daysBegun = 0;
      return hasBegun;
    },
    async tell(message) {
      const { sendMs, answerMs } = acquirer;
      const asked = await lines?.linkTo(one.id)?.ask({ message, sendMs, answerMs });
      return asked?.outcome === 'Answered' ? asked.answer : undefined;
    },
    day: () => toldDay ?? businessDayOf(parts.now().getTime(), acquirer),
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close,
  };
}

/** Resolves once the line is ready; where it is lost before, says why. Later losses show in the steps. */
function listening(resolve: () => void, reject: (error: Trouble) => void, id: string): LinkEvents {
  return {
    state(state, lost) {
      if (state === 'Ready') resolve();
      if (lost !== undefined)
        reject(new Trouble(`Acquirer ${id}: not connected: ${wordsOf(lost.reason, 'serverName')}.`));
    },
    answered: () => undefined,
    silent: () => undefined,
    late: () => undefined,
    habit: () => undefined,
    fault: () => undefined,
    notWritable: () => undefined,
  };
}

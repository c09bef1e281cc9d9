import type { Message } from '../messages.types.ts';
import type { Waited, Wire } from './link.types.ts';

/** A question that waits for its answer. */
export interface Waiting {
  readonly message: Message;
  /** Whether an answer says what became of it; else it waits for another one. */
  isSettledBy(answer: Message): boolean;
  /** An answer came that settles it. */
  answer(answer: Message): void;
  end(waited: Extract<Waited, { readonly silent: unknown }>): void;
  /** An answer came after the end of the wait. */
  readonly late: (() => void) | undefined;
}

/** Whom an answer belongs to: a question that waits, or waited; none where it fits several, or nothing was asked. */
export type Taken =
  | { readonly is: 'Waiting'; readonly waiting: Waiting }
  /** It is one to a repeat, and says nothing of the first message. */
  | { readonly is: 'Undecided' }
  /** `said` is what the first answer said; undefined where there was none in time, and then `late` is to hear of this one. */
  | { readonly is: 'Over'; readonly said: string | undefined; readonly late: Waiting['late'] }
  | { readonly is: 'NoQuestion' };

/** The questions under way on one connection. */
export interface WaitingRoom {
  enter(waiting: Waiting): void;
  /** It has waited long enough. */
  leave(waiting: Waiting): void;
  /** The one that an answer belongs to; it has left then. */
  take(answer: Message): Taken;
  /** The line is gone: all of them are silent. */
  leaveAll(): void;
  size(): number;
}

/** A question that waits, or waited, as far as answers name it. */
interface Seat {
  readonly message: Message;
  readonly waiting: Waiting | undefined;
  readonly said: string | undefined;
  readonly late: Waiting['late'];
}

/**
 * The questions under way on a connection: a list, for there are few of them, and each is there for some milliseconds. Those
 * that are over are remembered, because hosts leave out what would tell a late answer from one to another question.
 */
export function waitingRoom(wire: Wire, mostRemembered: number): WaitingRoom {
  let seats: readonly Seat[] = [];
  /** The oldest first. */
  let over: Seat[] = [];
  const leave = (waiting: Waiting, said: string | undefined): void => {
    seats = seats.filter((seat) => seat.waiting !== waiting);
    const late = said === undefined ? waiting.late : undefined;
    over.push({ message: withoutSecrets(waiting.message), waiting: undefined, said, late });
    if (over.length > mostRemembered) over.shift();
  };

  return {
    enter(waiting) {
      // A cancel or take-back that is told again has the name that it had: its answer is not one to what is over.
      over = over.filter(({ message }) => !isSameMessage(message, waiting.message));
      seats = [...seats, { message: waiting.message, waiting, said: undefined, late: undefined }];
    },
    leave: (waiting) => leave(waiting, undefined),
    take(answer) {
      const near = [...seats, ...over].filter(({ message }) => wire.isAnswerTo(message, answer));
      const fitting = near.filter(({ message }) => wire.fitsAsk(message, answer));
      // What is wrong in an answer to the only question near is a fault of that answer.
      const [one, other] = fitting.length === 0 ? near : fitting;
      if (one === undefined || other !== undefined) return { is: 'NoQuestion' };
      if (one.waiting === undefined) return { is: 'Over', said: one.said, late: one.late };
      if (!one.waiting.isSettledBy(answer)) return { is: 'Undecided' };
      leave(one.waiting, saidBy(answer));
      return { is: 'Waiting', waiting: one.waiting };
    },
    leaveAll() {
      const all = seats;
      seats = [];
      for (const { waiting } of all) waiting?.end({ silent: 'Broken' });
    },
    size: () => seats.length,
  };
}

/** What counts of an answer. Answers hold no secrets; one that did would show as such here. */
export function saidBy({ fields: { actionCode, amount, approvalCode, retrievalReference } }: Message): string {
  return JSON.stringify([actionCode, amount, approvalCode, retrievalReference]);
}

function isSameMessage({ fields: one }: Message, { fields: other }: Message): boolean {
  return one.stan === other.stan && one.sentAt === other.sentAt && one.terminalId === other.terminalId;
}

/** What answers repeat of a question: texts alone. */
function withoutSecrets({ type, fields }: Message): Message {
  return {
    type,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')),
    tags: {},
  };
}

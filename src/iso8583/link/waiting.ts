import type { Message } from '../messages.types.ts';
import type { Waited, Wire } from './link.types.ts';

/** A question that waits for its answer. */
export interface Waiting {
  readonly message: Message;
  end(waited: Waited): void;
}

/** The questions under way on one connection. */
export interface WaitingRoom {
  enter(waiting: Waiting): void;
  leave(waiting: Waiting): void;
  /** The one that an answer belongs to; it has left then. */
  take(answer: Message): Waiting | undefined;
  /** The line is gone: all of them are silent. */
  leaveAll(): void;
  /** Whether an answer to the same question came before, and said something else. */
  differsFromFirst(answer: Message): boolean;
  size(): number;
}

/** A question, under the name that its answer has. Terminals share STANs, so a name may stand for several. */
interface Seat {
  readonly name: string;
  readonly waiting: Waiting;
}

/** The questions under way on a connection: a list, for there are few of them, and each is there for some milliseconds. */
export function waitingRoom(wire: Wire, mostRemembered: number): WaitingRoom {
  let seats: readonly Seat[] = [];
  /** What first answers said, the oldest first. */
  const first = new Map<string, string>();
  const leave = (waiting: Waiting): void => {
    seats = seats.filter((seat) => seat.waiting !== waiting);
  };

  return {
    enter(waiting) {
      seats = [...seats, { name: wire.nameOfAsk(waiting.message), waiting }];
    },
    leave,
    take(answer) {
      const name = wire.nameOfAnswer(answer);
      const fitting = seats.filter((seat) => seat.name === name && wire.isAnswerTo(seat.waiting.message, answer));
      // An answer that leaves the terminal out belongs to none where several wait.
      const [seat, other] = fitting;
      if (seat === undefined || other !== undefined) return undefined;
      const { waiting } = seat;
      leave(waiting);
      first.set(keyOf(wire, answer), saidBy(answer));
      const [oldest] = first.keys();
      if (first.size > mostRemembered && oldest !== undefined) first.delete(oldest);
      return waiting;
    },
    leaveAll() {
      const all = seats;
      seats = [];
      for (const { waiting } of all) waiting.end({ silent: 'Broken' });
    },
    differsFromFirst(answer) {
      const said = first.get(keyOf(wire, answer));
      return said !== undefined && said !== saidBy(answer);
    },
    size: () => seats.length,
  };
}

function keyOf(wire: Wire, answer: Message): string {
  return `${wire.nameOfAnswer(answer)} ${answer.fields.terminalId ?? ''}`;
}

/** What counts of an answer. Answers hold no secrets; one that did would show as such here. */
function saidBy({ fields: { actionCode, amount, approvalCode, retrievalReference } }: Message): string {
  return JSON.stringify([actionCode, amount, approvalCode, retrievalReference]);
}

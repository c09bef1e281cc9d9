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

/** Questions by the names that their answers have. Terminals share STANs, so a name may stand for several. */
export function waitingRoom(wire: Wire, mostRemembered: number): WaitingRoom {
  const byName = new Map<string, Waiting[]>();
  /** What first answers said, the oldest first. */
  const first = new Map<string, string>();
  let size = 0;

  function remove(name: string, waiting: Waiting): void {
    const others = byName.get(name)?.filter((one) => one !== waiting) ?? [];
    if (others.length === 0) byName.delete(name);
    else byName.set(name, others);
    size--;
  }

  return {
    enter(waiting) {
      const name = wire.nameOfAsk(waiting.message);
      byName.set(name, [...(byName.get(name) ?? []), waiting]);
      size++;
    },
    leave: (waiting) => remove(wire.nameOfAsk(waiting.message), waiting),
    take(answer) {
      const name = wire.nameOfAnswer(answer);
      const fitting = byName.get(name)?.filter(({ message }) => wire.isAnswerTo(message, answer)) ?? [];
      // An answer that leaves the terminal out belongs to none where several wait.
      const [waiting, other] = fitting;
      if (waiting === undefined || other !== undefined) return undefined;
      remove(name, waiting);
      first.set(keyOf(wire, answer), saidBy(answer));
      const [oldest] = first.keys();
      if (first.size > mostRemembered && oldest !== undefined) first.delete(oldest);
      return waiting;
    },
    leaveAll() {
      const all = [...byName.values()].flat();
      byName.clear();
      size = 0;
      for (const waiting of all) waiting.end({ silent: 'Broken' });
    },
    differsFromFirst(answer) {
      const said = first.get(keyOf(wire, answer));
      return said !== undefined && said !== saidBy(answer);
    },
    size: () => size,
  };
}

function keyOf(wire: Wire, answer: Message): string {
  return `${wire.nameOfAnswer(answer)} ${answer.fields.terminalId ?? ''}`;
}

/** What counts of an answer. Answers hold no secrets; one that did would show as such here. */
function saidBy({ fields: { actionCode, amount, approvalCode, retrievalReference } }: Message): string {
  return JSON.stringify([actionCode, amount, approvalCode, retrievalReference]);
}

import type { Transact } from '../../db/transaction.types.ts';
import { countLeftOut } from './count-left-out.ts';
import type { LeftOutMember, NoteLeftOut } from './three-ds.types.ts';

/**
 * Counts what is left out of messages: in memory until a write is done, so that one at a time is under way. No message waits for
 * it, and one that fails loses its counts.
 */
export function leftOutNotes(transact: Transact): NoteLeftOut {
  let waiting = new Map<string, LeftOutMember>();
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.size > 0) {
      const taken = [...waiting.values()];
      waiting = new Map();
      await transact((transaction) => countLeftOut(transaction, taken)).catch(() => undefined);
    }
    isWriting = false;
  };
  return ({ scheme, message, members }) => {
    for (const member of members) {
      const name = `${scheme} ${message} ${member}`;
      const times = (waiting.get(name)?.times ?? 0) + 1;
      waiting.set(name, { scheme, message, member, times });
    }
    if (!isWriting && waiting.size > 0) void write();
  };
}

import { type Currency, formatMoney } from '../../../kit/money.ts';
import type { HistoryEntry, HistoryStep } from './history.types.ts';

/** A card's history, a line for each thing that happened, the oldest first. */
export function describeHistory(history: readonly HistoryEntry[]): readonly string[] {
  return history.map((entry) => {
    const { at, step, actor, actorName, amount, currency, reason, reference, file, digest, until } = entry;
    const said = [
      `${at} ${WORDS[step]}${otherOf(entry)}`,
      actor === null ? undefined : `by ${actorName === null ? actor : `${actorName} (${actor})`}`,
      amount === null || currency === null ? undefined : formatMoney(amount, currency as Currency),
      until === null ? undefined : `until ${until}`,
      reason === null ? undefined : `because: ${reason}`,
      reference === null ? undefined : `reference ${reference}`,
      file === null ? undefined : `file ${file}, SHA-256 ${digest}`,
    ];
    return said.filter((words) => words !== undefined).join('; ');
  });
}

const WORDS: Readonly<Record<HistoryStep, string>> = {
  Issue: 'issued',
  Import: 'imported from elsewhere',
  Sell: 'sold',
  Replacement: 'came in the place of',
  Receive: 'took the money of',
  Block: 'blocked',
  Unblock: 'unblocked',
  Void: 'voided',
  Merge: 'emptied onto',
  Replace: 'replaced by',
  Sweep: 'swept',
  Extend: 'extended',
  Restore: 'restored',
};

function otherOf({ otherAccountId, otherMasked }: HistoryEntry): string {
  return otherAccountId === null ? '' : ` ${otherAccountId} (${otherMasked})`;
}

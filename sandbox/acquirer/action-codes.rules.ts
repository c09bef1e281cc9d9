import type { ActionGroup, Dialect } from '../../src/iso8583/dialects/dialect.types.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';

/**
 * The code by which a dialect says what `iso93` says by this one: the same one where it means the same there, else the first
 * that does.
 */
export function codeIn({ actionCodes, reconciliation }: Dialect, code: string): string {
  const lists = [
    [ISO93.actionCodes.advices.acknowledged, actionCodes.advices.acknowledged],
    [ISO93.actionCodes.takeBacks.acknowledged, actionCodes.takeBacks.acknowledged],
    [ISO93.actionCodes.takeBacks.unknownOriginal, actionCodes.takeBacks.unknownOriginal],
    [ISO93.actionCodes.duplicates, actionCodes.duplicates],
    [ISO93.reconciliation.inBalance, reconciliation.inBalance],
    [ISO93.reconciliation.different, reconciliation.different],
  ] as const;
  const group = ISO93.actionCodes.requests.find(({ codes }) => codes.includes(code));
  if (group !== undefined) {
    const same = actionCodes.requests.filter((one) => meansTheSame(one, group)).flatMap(({ codes }) => codes);
    return same.includes(code) ? code : (same[0] ?? ownCode(actionCodes, code));
  }
  const list = lists.find(([known]) => known.includes(code))?.[1] ?? [];
  return list.includes(code) ? code : (list[0] ?? ownCode(actionCodes, code));
}

/** A code that a dialect has no word for as it is, or a refusal where it has no room for it. */
function ownCode({ requests }: Dialect['actionCodes'], code: string): string {
  const fits = requests.some(({ codes }) => codes.some((one) => one.length === code.length));
  return fits ? code : (requests.find(({ outcome }) => outcome === 'Declined')?.codes[0] ?? code);
}

function meansTheSame(one: ActionGroup, other: ActionGroup): boolean {
  return (
    one.outcome === other.outcome &&
    one.problem === other.problem &&
    one.retry === other.retry &&
    (one.takeBack ?? false) === (other.takeBack ?? false)
  );
}

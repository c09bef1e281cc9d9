import { readFileSync } from 'node:fs';
import { listOf, maybe, objectOf, oneOf, textLike, wholeNumber } from '../../src/kit/read-json.ts';
import { Trouble } from '../../src/kit/work/trouble.ts';
import { BEHAVIOURS, type Planned } from './behaviour.rules.ts';
import type { HostMessage } from './host-frames.ts';

/** What the table of amounts lacks: behaviours by type, amount and number of the message. */
export interface Script {
  /** Counts the message, and says what its first fitting line plans. */
  plannedFor(message: HostMessage): Planned | undefined;
  /** The same of a message that is about no payment: only lines that name its type fit. */
  plannedForNetwork(message: HostMessage): Planned | undefined;
}

const readLine = objectOf({
  type: maybe(textLike(/^[0-9]{4}$/, 4, 'a text of four digits')),
  amount: maybe(wholeNumber(0, 999_999_999_999)),
  /** Of the messages that fit the rest, from 1; without it all of them. */
  number: maybe(wholeNumber(1, 1_000_000)),
  does: oneOf(BEHAVIOURS),
  code: maybe(textLike(/^[0-9]{3}$/, 3, 'a text of three digits')),
});
const readLines = listOf(readLine, 10_000);

/**
 * Reads a script: JSON lines as in `{"type": "1100", "amount": 500, "number": 3, "does": "NoAnswer"}`.
 *
 * @throws Trouble for a line that is no such JSON
 */
export function readScript(path: string | undefined): Script {
  if (path === undefined) return { plannedFor: () => undefined, plannedForNetwork: () => undefined };
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const lines = readLines(
    texts.map((text, index) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new Trouble(`Line ${index + 1} of the script is no JSON.`);
      }
    }),
    'script',
  );
  const seen = lines.map(() => 0);
  function plannedFor({ type, fields }: HostMessage, mustNameType: boolean): Planned | undefined {
    const fitting = lines.filter((line, index) => {
      if (line.type === undefined ? mustNameType : line.type !== type) return false;
      if (line.amount !== undefined && line.amount !== Number(fields.amount ?? '0')) return false;
      const count = (seen[index] ?? 0) + 1;
      seen[index] = count;
      return line.number === undefined || line.number === count;
    });
    const [first] = fitting;
    return first === undefined
      ? undefined
      : { does: first.does, ...(first.code === undefined ? {} : { code: first.code }) };
  }
  return {
    plannedFor: (message) => plannedFor(message, false),
    plannedForNetwork: (message) => plannedFor(message, true),
  };
}

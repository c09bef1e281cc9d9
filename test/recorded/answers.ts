import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AskedBy } from './questions.ts';

/** What a service has answered to a question. */
export interface RecordedAnswer {
  readonly ask: string;
  readonly as: AskedBy;
  readonly operationId: string;
  readonly status: number;
  readonly type: string;
  /** JSON as it is; all else is a text. */
  readonly body: unknown;
}

const FOLDER = join(import.meta.dirname, 'answers');

export type Answers = ReadonlyMap<string, readonly RecordedAnswer[]>;

const ENDING = '.jsonl.gz';
const kept = () => readdirSync(FOLDER).filter((name) => name.endsWith(ENDING));

/** The recorded answers, by what they are about. */
export function readAnswers(): Answers {
  return new Map(
    kept().map((name) => {
      const lines = gunzipSync(readFileSync(join(FOLDER, name)))
        .toString()
        .split('\n')
        .filter(Boolean);
      return [name.replace(ENDING, ''), lines.map((line) => JSON.parse(line) as RecordedAnswer)];
    }),
  );
}

/** Keeps answers in the place of those that were recorded before: a line each, a file for all that is about one thing. */
export function writeAnswers(answers: Answers): void {
  for (const name of kept()) rmSync(join(FOLDER, name));
  for (const [about, some] of answers) {
    const lines = some.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(join(FOLDER, `${about}${ENDING}`), gzipSync(lines, { level: 9 }));
  }
}

/** Where answers differ from those that were recorded: the address, the member, and what it was and is. */
export function differences(recorded: Answers, now: Answers): string[] {
  const found: string[] = [];
  for (const about of new Set([...recorded.keys(), ...now.keys()])) {
    const before = byQuestion(recorded.get(about) ?? []);
    const after = byQuestion(now.get(about) ?? []);
    for (const [question, one] of before) {
      const other = after.get(question);
      if (other === undefined) found.push(`${question}: is not asked any more`);
      else found.push(...membersThatDiffer(one, other).map((member) => `${question}: ${member}`));
    }
    for (const question of after.keys()) if (!before.has(question)) found.push(`${question}: was not recorded`);
  }
  return found;
}

function byQuestion(answers: readonly RecordedAnswer[]): Map<string, RecordedAnswer> {
  return new Map(answers.map((answer) => [`${answer.ask} (${answer.as})`, answer]));
}

/** Members whose values differ, by their paths; of what stands in another order too. */
function membersThatDiffer(one: unknown, other: unknown, path = ''): string[] {
  const [before, after] = [JSON.stringify(one), JSON.stringify(other)];
  if (before === after) return [];
  if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const below = names.flatMap((name) =>
      membersThatDiffer(one[name], other[name], Array.isArray(one) ? `${path}[${name}]` : `${path}.${name}`),
    );
    if (below.length > 0) return below;
    return [`${path || '.'} has its members in another order`];
  }
  return [`${path || '.'} was ${shown(before)}, is ${shown(after)}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const SHOWN = 200;
const shown = (text: string | undefined) => (text === undefined ? 'nothing' : text.slice(0, SHOWN));

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reduce } from './fuzz-reduce.ts';
import { type FuzzRequest, pasteable } from './fuzz-requests.ts';

/** What is wrong, each thing once: one mistake is met a thousand times. */
export interface Findings {
  add(faults: readonly string[], how?: How): void;
  /** Adds what a request shows, once it is as small as it can be. `send` says what a smaller one shows. */
  addRequest(
    faults: readonly string[],
    request: FuzzRequest,
    send: (smaller: FuzzRequest) => Promise<readonly string[]>,
  ): Promise<void>;
  has(pattern: RegExp): boolean;
  all(): readonly string[];
}

/** How something came about. */
export interface How {
  /** A line to paste. */
  readonly line?: string;
  /** A plan that was carried out. */
  readonly data?: object;
  /** Requests that came before. */
  readonly lately?: readonly FuzzRequest[];
}

/** Characters of a line that a report shows. */
const SHOWN = 3_000;

/** Ids, numbers and texts differ from time to time, and the mistake is the same. */
function kindOf(fault: string): string {
  return fault.replace(/[0-9a-f-]{36}|\d+|"time":"[^"]*"/g, '#').slice(0, 160);
}

export function openFindings(seed: number): Findings {
  const found = new Map<string, string>();
  const add: Findings['add'] = (faults, how = {}) => {
    for (const fault of faults) {
      const kind = kindOf(fault);
      if (!found.has(kind)) found.set(kind, [fault, ...describe(how, seed)].join('\n    '));
    }
  };
  return {
    add,
    addRequest: async (faults, request, send) => {
      const fresh = faults.filter((fault) => !found.has(kindOf(fault)));
      for (const fault of fresh) {
        add([fault], { line: pasteable(request) });
        const fails = async (smaller: FuzzRequest) =>
          (await send(smaller)).some((other) => kindOf(other) === kindOf(fault));
        const least = await reduce(request, fails);
        found.set(kindOf(fault), `${fault}\n    ${pasteable(least).slice(0, SHOWN)}`);
      }
    },
    has: (pattern) => [...found.values()].some((fault) => pattern.test(fault)),
    all: () => [...found.values()],
  };
}

function describe({ line, data, lately }: How, seed: number): string[] {
  return [
    ...(line === undefined ? [] : [line.slice(0, SHOWN)]),
    ...(data === undefined ? [] : [JSON.stringify(data).slice(0, SHOWN)]),
    ...(lately === undefined ? [] : [`the last requests are in ${writeDown(lately, seed)}`]),
  ];
}

/** Writes lines to paste into a file. Returns its path. */
function writeDown(requests: readonly FuzzRequest[], seed: number): string {
  const path = join(tmpdir(), `kontor-fuzz-${seed}.sh`);
  writeFileSync(path, `${requests.map(pasteable).join('\n')}\n`);
  return path;
}

import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CHECKOUT } from '../database/embedded.ts';
import { builtCommand } from '../shop/tokens-command.ts';

/** Where the modules of the built service are: a command runs them, and a service that is given their program. */
export const MODULES = 'dist/modules/src';

/** A mistake that could be made, put into a copy of the built service. */
export interface Bug {
  readonly name: string;
  /** Lines of built files, and what stands there instead. */
  readonly patches: readonly { readonly file: string; readonly line: string; readonly instead: string }[];
  /** What the database would catch it with is taken away by these statements. */
  readonly sql?: readonly string[];
  /** What the checker must say: to be red for another reason proves nothing. */
  readonly finding: RegExp;
}

/** Each must turn the checker red. */
export const BUGS: readonly Bug[] = [
  {
    name: 'answers go out before the commit',
    finding: /is lost/,
    patches: [
      {
        file: 'db/batch/batch-run.js',
        line: '    if (!areSure)\n        await writeFlight(connection, writes);\n',
        instead: '    await writeFlight(connection, writes);\n',
      },
      {
        file: 'db/batch/batch-run.js',
        line: '    await commit(connection, areSure ? writes : []);\n',
        instead: '',
      },
      {
        // A disk that takes its time: else the answer is ahead by a few hundred microseconds.
        file: 'db/batch/batch-run.js',
        line: '        pool.giveBack(connection);\n        return outcome;\n',
        instead: `        const giveBack = (error) => pool.giveBack(connection, error);
        setTimeout(() => commit(connection).then(() => giveBack(), giveBack), 20);
        return outcome;\n`,
      },
    ],
  },
  {
    name: 'a reference that is taken counts as free',
    finding: /has \d effects/,
    patches: [
      {
        file: 'ledger/ledger-program.js',
        line: '        claimed: namesOf(claimed, claimsOf(commands)),\n',
        instead: '        claimed: new Set(claimsOf(commands).map(({ name }) => name)),\n',
      },
      {
        // Code that does not look at references does not give them back, either.
        file: 'ledger/workspace-calls.js',
        line: '    add(released, deleteReferences);\n',
        instead: '',
      },
    ],
  },
  {
    name: 'a capture does not look at what remains',
    finding: /more than was asked for/,
    patches: [
      {
        file: 'engine/leg.rules.js',
        line: '    if (amount > left)\n',
        // A reversal still looks: what the database refuses stays undecided, and hides what this mistake does.
        instead: "    if (amount > left && operation !== 'Capture')\n",
      },
      {
        file: 'engine/leg.rules.js',
        line: '    const open = amountMinor(amount - captured - cancelled - reservedHold);\n',
        instead: '    const open = amountMinor(Math.max(0, amount - captured - cancelled - reservedHold));\n',
      },
    ],
    sql: [
      'alter table payment drop constraint captured_and_cancelled_not_above_the_amount',
      'alter table payment drop constraint captured_cancelled_and_reserved_not_above_the_amount',
      'alter table payment drop constraint open_hold_has_something_left',
    ],
  },
  {
    name: 'a capture is taken of what is available instead of what is held',
    finding: /moved -\d+ and 0 instead/,
    patches: [
      {
        file: 'ledger/postings.rules.js',
        line: "            return [\n                ['Held', -1],\n                ['Clearing', 1],\n            ];\n",
        instead: "            return [['Available', -1], ['Clearing', 1]];\n",
      },
    ],
  },
];

/** A mistake that the checkers of acquirers find. */
export interface AcquirerBug extends Bug {
  /** Whether it is found in the books of both sides, once all is settled; else in what the acquirers were asked. */
  readonly isOfBooks?: true;
}

/** Each must turn one of these checkers red. */
export const ACQUIRER_BUGS: readonly AcquirerBug[] = [
  {
    name: 'a question that got no answer goes to another acquirer',
    finding: /asked again after Silent/,
    patches: [
      {
        file: 'engine/leg.rules.js',
        line: "    if (answer.outcome === 'NotSent')\n",
        instead: "    if (answer.outcome === 'NotSent' || answer.outcome === 'NoAnswer')\n",
      },
    ],
  },
  {
    name: 'what is to be taken back counts as taken back before the acquirer has heard of it',
    finding: /the acquirer has \d+,0,0, we have nothing/,
    isOfBooks: true,
    patches: [
      {
        file: 'issuers/recover-attempt.flow.js',
        line: '    if (asked === undefined)\n        return true;\n',
        instead: '    return true;\n',
      },
    ],
  },
  {
    name: 'each instance counts STANs for itself',
    finding: /^WEB0000\d \d{6} /,
    patches: [
      {
        file: 'issuers/exchanges.flow.js',
        line: '        const first = await take();\n',
        instead: '        const first = 1;\n',
      },
    ],
    sql: ['drop index exchange_is_named_once'],
  },
];

/** A mistake that kills at the moments of orders find. */
export interface OrderBug extends Bug {
  /** The moment at which it shows. */
  readonly moment: string;
}

/** Each must turn that checker red. */
export const ORDER_BUGS: readonly OrderBug[] = [
  {
    name: 'parts of gift cards are booked before the acquirer has approved that of the card',
    moment: 'asked, and not read',
    finding: /^service: capture: its legs are 300\/300\/0\/0 200\/200\/0\/0 500\/0\/0\/0, /,
    patches: [
      {
        file: 'orders/changes/follow-up-order.rules.js',
        line: 'work.step(leg, { ...step, transactionId: ownId, isWaiting }, ',
        instead: 'work.step(leg, { ...step, transactionId: ownId, isWaiting: false }, ',
      },
      {
        // What is booked is settled no more.
        file: 'orders/changes/follow-up-order.rules.js',
        line: "        if (leg.kind === 'Account')\n            work.settle(",
        instead: '        if (false)\n            work.settle(',
      },
    ],
  },
  {
    name: 'parts of gift cards are given up while that of the card is not known',
    moment: 'given up, and the take-back not sent or not read',
    finding: /^service: capture: 0 is kept apart, not 500$/,
    patches: [
      {
        file: 'orders/changes/follow-up-order.rules.js',
        line: "    if (waiting === undefined || state === 'Initialized' || takingBack)\n",
        instead: "    if (waiting === undefined || state === 'Initialized')\n",
      },
    ],
  },
];

/**
 * Copies the built service and puts a bug into it; the copy goes when the test ends.
 *
 * @returns its program
 * @throws Error where a line is not there exactly once any more: then the bug has to be written anew
 */
export async function buildWith({ name, patches }: Bug): Promise<string> {
  // Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
  const folder = await mkdtemp('/tmp/kontor-bug-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  await cp(dirname(builtCommand()), join(folder, 'dist'), { recursive: true });
  for (const beside of ['migrations', 'node_modules', 'package.json']) {
    await symlink(join(CHECKOUT, beside), join(folder, beside));
  }
  for (const { file, line, instead } of patches) {
    const path = join(folder, MODULES, file);
    const pieces = (await readFile(path, 'utf8')).split(line);
    if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} places for the bug: ${name}`);
    await writeFile(path, pieces.join(instead));
  }
  return join(folder, MODULES, 'main.js');
}

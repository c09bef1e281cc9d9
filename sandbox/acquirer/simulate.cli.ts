import { readFileSync } from 'node:fs';
import type { Dialect } from '../../src/iso8583/dialects/dialect.types.ts';
import { readDialect } from '../../src/iso8583/dialects/dialect-file.rules.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { type CommandRuntime, command, type Given, needed, optional } from '../../src/kit/command.ts';
import { Trouble } from '../../src/kit/work/trouble.ts';
import type { TestAcquirerOptions } from './start-test-acquirer.ts';

type Runtime = Pick<CommandRuntime<never>, 'print'>;

const TAKES = {
  port: needed('<number>', 'where it listens; 0 takes a free one', upTo(65_535)),
  tlsCert: optional('<file>', 'its certificate (PEM); without it lines are in the clear', textOf),
  tlsKey: optional('<file>', "its certificate's key (PEM)", textOf),
  clientCa: optional(
    '<file>',
    'who has signed the certificates of its clients (PEM); without it they show none',
    textOf,
  ),
  seed: optional(
    '<number>',
    'another number makes other approval codes and references (default: 1)',
    upTo(999_999_999),
  ),
  journal: optional(
    '<file>',
    'write each message, masked, and each change of its books to this file, as JSON lines; its books begin with what is there',
  ),
  settlementDir: optional('<directory>', 'write a settlement file here for each day that is reconciled'),
  script: optional('<file>', 'what it does with which messages, as JSON lines'),
  dialect: optional('<file>', 'the dialect it speaks, as JSON (default: iso93)', dialectOf),
  macKey: optional(
    '<file>',
    'the key of message authentication codes, as hexadecimal digits, where the dialect has them',
    (file) => textOf(file).trim(),
  ),
  answerMs: optional('<number>', 'how long its clients wait for an answer (default: 4000)', upTo(60_000)),
  cutOver: optional('<time>', 'when its next business day begins (default: 23:00)', (text) => {
    if (!/^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(text)) throw new Trouble('It is a time as in 23:00.');
    return text;
  }),
  timeZone: optional('<zone>', 'in which time zone (default: Europe/Oslo)', (text) => {
    if (!isTimeZone(text)) throw new Trouble('It is a name as in Europe/Oslo.');
    return text;
  }),
};

/** `acquirers simulate`: an acquirer to test against, which needs no database. */
export const simulation = command({
  name: 'simulate',
  about:
    'run a test acquirer on this machine until Ctrl-C; it takes test cards, and without a journal forgets all at its end',
  takes: TAKES,
  run: async ({ print }: Runtime, given) => {
    const { startTestAcquirer } = await import('./start-test-acquirer.ts');
    const { port } = await startTestAcquirer(optionsOf(given));
    print(`The test acquirer listens on 127.0.0.1:${port}. Ctrl-C ends it.`);
  },
});

function optionsOf(given: Given<typeof TAKES>): TestAcquirerOptions {
  const { dialect = ISO93, macKey, port, tlsCert: cert, tlsKey: key, clientCa, seed, journal, settlementDir } = given;
  const { script, answerMs, cutOver, timeZone } = given;
  if ((cert === undefined) !== (key === undefined)) throw new Trouble('--tls-cert and --tls-key go together.');
  if (clientCa !== undefined && cert === undefined) throw new Trouble('--client-ca needs --tls-cert.');
  return {
    dialect,
    ...(macKey === undefined ? {} : { macKey }),
    port,
    ...(cert === undefined || key === undefined
      ? {}
      : { tls: { cert, key, ...(clientCa === undefined ? {} : { clientCa }) } }),
    ...(seed === undefined ? {} : { seed }),
    ...(journal === undefined ? {} : { journalFile: journal }),
    ...(settlementDir === undefined ? {} : { settlementDirectory: settlementDir }),
    ...(script === undefined ? {} : { scriptFile: script }),
    ...(answerMs === undefined ? {} : { answerMs }),
    ...(cutOver === undefined ? {} : { cutOver }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function dialectOf(file: string): Dialect {
  let document: unknown;
  try {
    document = JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble('The dialect file is no JSON.');
  }
  return readDialect(document);
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    if (!/^[0-9]{1,9}$/.test(text) || Number(text) > most) {
      throw new Trouble(`It is a whole number from 0 to ${most}.`);
    }
    return Number(text);
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Trouble(`The file ${file} cannot be read.`);
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

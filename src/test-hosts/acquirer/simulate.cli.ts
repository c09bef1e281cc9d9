import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import { readDialect } from '../../iso8583/dialects/dialect-file.rules.ts';
import { ISO93 } from '../../iso8583/dialects/iso93.rules.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { startTestAcquirer, type TestAcquirerOptions } from './start-test-acquirer.ts';

interface Options {
  readonly port: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly seed?: string;
  readonly journal?: string;
  readonly settlementDir?: string;
  readonly script?: string;
  readonly dialect?: string;
  readonly macKey?: string;
  readonly answerMs?: string;
  readonly cutOver?: string;
  readonly timeZone?: string;
}

/** Adds `simulate` to the commands about acquirers: an acquirer to test against, which needs no database. */
export function simulateCommand(acquirers: Command, print: (text: string) => void): void {
  acquirers
    .command('simulate')
    .description(
      'run a test acquirer on this machine until Ctrl-C; it takes test cards, and without a journal forgets all at its end',
    )
    .requiredOption('--port <number>', 'where it listens; 0 takes a free one')
    .option('--tls-cert <file>', 'its certificate (PEM); without it lines are in the clear')
    .option('--tls-key <file>', "its certificate's key (PEM)")
    .option('--client-ca <file>', 'who has signed the certificates of its clients (PEM); without it they show none')
    .option('--seed <number>', 'another number makes other approval codes and references (default: 1)')
    .option(
      '--journal <file>',
      'write each message, masked, and each change of its books to this file, as JSON lines; its books begin with what is there',
    )
    .option('--settlement-dir <directory>', 'write a settlement file here for each day that is reconciled')
    .option('--script <file>', 'what it does with which messages, as JSON lines')
    .option('--dialect <file>', 'the dialect it speaks, as JSON (default: iso93)')
    .option(
      '--mac-key <file>',
      'the key of message authentication codes, as hexadecimal digits, where the dialect has them',
    )
    .option('--answer-ms <number>', 'how long its clients wait for an answer (default: 4000)')
    .option('--cut-over <time>', 'when its next business day begins (default: 23:00)')
    .option('--time-zone <zone>', 'in which time zone (default: Europe/Oslo)')
    .action(async (options: Options) => {
      const { port } = await startTestAcquirer(optionsOf(options));
      print(`The test acquirer listens on 127.0.0.1:${port}. Ctrl-C ends it.`);
    });
}

function optionsOf(options: Options): TestAcquirerOptions {
  const { tlsCert, tlsKey, clientCa, seed, journal, settlementDir, script, answerMs, cutOver, timeZone } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new Trouble('--tls-cert and --tls-key go together.');
  if (clientCa !== undefined && tlsCert === undefined) throw new Trouble('--client-ca needs --tls-cert.');
  if (cutOver !== undefined && !/^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(cutOver)) {
    throw new Trouble('--cut-over is a time as in 23:00.');
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw new Trouble('--time-zone is a name as in Europe/Oslo.');
  return {
    dialect: dialectOf(options.dialect),
    ...(options.macKey === undefined ? {} : { macKey: textOf(options.macKey).trim() }),
    port: numberOf('--port', options.port, 65_535),
    ...(tlsCert === undefined || tlsKey === undefined
      ? {}
      : {
          tls: {
            cert: textOf(tlsCert),
            key: textOf(tlsKey),
            ...(clientCa === undefined ? {} : { clientCa: textOf(clientCa) }),
          },
        }),
    ...(seed === undefined ? {} : { seed: numberOf('--seed', seed, 999_999_999) }),
    ...(journal === undefined ? {} : { journalFile: journal }),
    ...(settlementDir === undefined ? {} : { settlementDirectory: settlementDir }),
    ...(script === undefined ? {} : { scriptFile: script }),
    ...(answerMs === undefined ? {} : { answerMs: numberOf('--answer-ms', answerMs, 60_000) }),
    ...(cutOver === undefined ? {} : { cutOver }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function dialectOf(file: string | undefined): Dialect {
  if (file === undefined) return ISO93;
  let document: unknown;
  try {
    document = JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble('The dialect file is no JSON.');
  }
  return readDialect(document);
}

function numberOf(option: string, text: string, most: number): number {
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) > most) {
    throw new Trouble(`${option} is a whole number from 0 to ${most}.`);
  }
  return Number(text);
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

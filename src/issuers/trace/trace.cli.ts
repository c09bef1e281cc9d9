import { type Command, InvalidArgumentError } from 'commander';
import type { Read } from '../../db/transaction.types.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { messageText } from './trace.rules.ts';
import { selectTrace } from './trace.store.ts';

/** What the command about the trace needs. */
export interface TraceService {
  readonly read: Read;
  /** For how many days messages are kept; 0: none are. */
  readonly traceDays: number;
}

interface Options {
  readonly acquirer?: string;
  readonly reference?: string;
  readonly scheme?: string;
  readonly transaction?: string;
  readonly last: number;
  readonly json?: true;
}

/** Messages that one command shows, where nothing else is said and at most. */
const LAST = 50;
const MOST = 10_000;

const NO_FILTER = { reference: undefined, scheme: undefined, transaction: undefined };

/** Adds `trace` to the commands about acquirers. */
export function traceCommand(acquirers: Command, runtime: CommandRuntime<TraceService>): void {
  acquirers
    .command('trace')
    .description(
      'show the last messages to and from acquirers and directory servers, masked, as far as KONTOR_ACQUIRER_TRACE_DAYS keeps them',
    )
    .option('--acquirer <id>', 'of this one alone')
    .option('--reference <number>', 'about one payment: its retrieval reference (field 37)', readReference)
    .option('--scheme <name>', 'of 3-D Secure, to and from the directory server of this card scheme')
    .option('--transaction <id>', 'of one authentication: its threeDSServerTransID or dsTransID', readTransaction)
    .option('--last <number>', `how many, up to ${MOST}`, readCount, LAST)
    .option('--json', 'print an array')
    .action(async ({ acquirer, json, ...wanted }: Options) => {
      const { rows, days } = await runtime.withService(async ({ read, traceDays }) => ({
        rows: await selectTrace(read, { ...NO_FILTER, ...wanted, acquirerId: acquirer }),
        days: traceDays,
      }));
      if (json) return runtime.print(JSON.stringify(rows));
      if (rows.length > 0) return runtime.print(rows.map(messageText).join('\n\n'));
      runtime.print(
        days === 0
          ? 'No message is kept: set KONTOR_ACQUIRER_TRACE_DAYS for the service.'
          : 'There is no such message.',
      );
    });
}

function readReference(text: string): string {
  if (/^[0-9A-Za-z]{1,12}$/.test(text)) return text;
  throw new InvalidArgumentError('It has up to 12 digits and letters.');
}

function readTransaction(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('It is a UUID.');
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && count >= 1 && count <= MOST) return count;
  throw new InvalidArgumentError(`It is a number from 1 to ${MOST}.`);
}

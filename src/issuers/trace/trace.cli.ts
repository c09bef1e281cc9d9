import type { Read } from '../../db/transaction.types.ts';
import { type CommandRuntime, command, optional, usually } from '../../kit/command.ts';
import { isUuid } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { messageText } from './trace.rules.ts';
import { selectTrace } from './trace.store.ts';

/** What the command about the trace needs. */
export interface TraceService {
  readonly read: Read;
  /** For how many days messages are kept; 0: none are. */
  readonly traceDays: number;
}

/** Messages that one command shows, where nothing else is said and at most. */
const LAST = 50;
const MOST = 10_000;

/** `acquirers trace`. */
export const trace = command({
  name: 'trace',
  about:
    'show the last messages to and from acquirers and directory servers, masked, as far as KONTOR_ACQUIRER_TRACE_DAYS keeps them',
  takes: {
    acquirer: optional('<id>', 'of this one alone'),
    reference: optional('<number>', 'about one payment: its retrieval reference (field 37)', readReference),
    scheme: optional('<name>', 'of 3-D Secure, to and from the directory server of this card scheme'),
    transaction: optional('<id>', 'of one authentication: its threeDSServerTransID or dsTransID', readTransaction),
    last: usually('<number>', `how many, up to ${MOST}`, LAST, readCount),
  },
  json: 'print an array',
  run: (
    { withService }: CommandRuntime<TraceService>,
    { acquirer: acquirerId, reference, scheme, transaction, last },
  ) =>
    withService(async ({ read, traceDays }) => ({
      rows: await selectTrace(read, { reference, scheme, transaction, last, acquirerId }),
      traceDays,
    })),
  asJson: ({ rows }) => rows,
  show: ({ rows, traceDays }) => {
    if (rows.length > 0) return rows.map(messageText).join('\n\n');
    return traceDays === 0
      ? 'No message is kept: set KONTOR_ACQUIRER_TRACE_DAYS for the service.'
      : 'There is no such message.';
  },
});

function readReference(text: string): string {
  if (/^[0-9A-Za-z]{1,12}$/.test(text)) return text;
  throw new Trouble('It has up to 12 digits and letters.');
}

function readTransaction(text: string): string {
  if (isUuid(text)) return text;
  throw new Trouble('It is a UUID.');
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && count >= 1 && count <= MOST) return count;
  throw new Trouble(`It is a number from 1 to ${MOST}.`);
}

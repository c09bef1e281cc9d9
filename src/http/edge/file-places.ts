import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type Exchange, onceOver } from '../once-over.ts';
import type { FilePlace, Run } from './edge.types.ts';
import { payeeOf } from './reception.ts';

/** Files that one instance receives and reads at a time: each may be twice in memory while it is put together. */
const FILES_AT_ONCE = 2;
/** Seconds after which one who got no place may try again: most files take less. */
const FILE_RETRY_SECONDS = 5;
/** Milliseconds in which nothing may move on its connection: the largest file on a slow machine takes a minute. */
const FILE_MS = 120_000;

/**
 * Gives places to files before they are received: one to each payee.
 *
 * @throws Refusal, also where the sender has gone away
 */
export type TakeFilePlace = (payeeId: PayeeId, exchange: Exchange) => FilePlace;

/** Makes the places of this instance. */
export function createFilePlaces(): TakeFilePlace {
  const taken = new Set<PayeeId>();
  return (payeeId, exchange) => {
    if (taken.has(payeeId)) throw refusal('toomanyrequests', 'Another file of this payee is being read');
    if (taken.size >= FILES_AT_ONCE) throw refusal('unavailable', 'Files of others are being read');
    let isWorking = false;
    let isGivenBack = false;
    // Once: another file of the payee may have the place by then.
    const giveBack = () => {
      if (!isGivenBack) taken.delete(payeeId);
      isGivenBack = true;
    };
    onceOver(exchange, () => {
      if (!isWorking) giveBack();
    });
    taken.add(payeeId);
    return {
      work: async (file, make) => {
        isWorking = true;
        try {
          return await make();
        } finally {
          // Before the answer goes, so that its receiver can send the next file at once.
          file.fill(0);
          giveBack();
        }
      },
    };
  };
}

function refusal(code: 'toomanyrequests' | 'unavailable', what: string): Refusal {
  return new Refusal(code, `${what}: wait for it to end.`, { retryAfterSeconds: FILE_RETRY_SECONDS });
}

/**
 * Makes the step that gives a file its place, before a byte of it is asked for. Its answer may take longer than others may; Node ends one that
 * is not received in time, as it does with every request.
 */
export function takingFilePlace(take: TakeFilePlace): Run<'portal'> {
  return (edge) => {
    if (edge.served.route.fileBytes === undefined) return;
    edge.filePlace = take(payeeOf(edge), { request: edge.request.raw, response: edge.reply.raw });
    edge.reply.leaveUnderWay();
    edge.request.raw.socket.setTimeout(FILE_MS);
  };
}

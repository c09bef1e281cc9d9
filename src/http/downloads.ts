import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Quiet } from '../kit/work/traffic.ts';
import { onceOver } from './once-over.ts';
import type { Downloads } from './portal-route.types.ts';

/** Downloads that a payee has at a time on one instance: a person takes one table and begins another. */
const DOWNLOADS_OF_PAYEE = 2;
/** Seconds after which a payee that has none left may try again. */
const DOWNLOAD_RETRY_SECONDS = 5;
/** Milliseconds that a piece of a download waits for a moment without requests: a hundred thousand lines take 25 s at most. */
const DOWNLOAD_PATIENCE_MS = 50;

/**
 * Makes them. A table is sent piece by piece, and each piece waits for a moment in which no request is answered, so that
 * payments do not wait for tables. A client that goes away gives its place back, and so does one that stops reading:
 * its connection is cut off as every other one at which nothing moves (`STALLED_SOCKET_MS`), for that sees parts of a
 * piece, and we only see whole ones.
 */
export function createDownloads(quiet: Quiet): Downloads {
  const underWay = new Map<PayeeId, Set<ServerResponse>>();

  const take = (payeeId: PayeeId, { raw: response, request }: FastifyReply): void => {
    const own = underWay.get(payeeId) ?? new Set();
    if (own.size >= DOWNLOADS_OF_PAYEE) {
      throw new Refusal('toomanyrequests', `${DOWNLOADS_OF_PAYEE} downloads are under way: wait for one to end.`, {
        retryAfterSeconds: DOWNLOAD_RETRY_SECONDS,
      });
    }
    onceOver({ request: request.raw, response }, () => {
      own.delete(response);
      if (own.size === 0 && underWay.get(payeeId) === own) underWay.delete(payeeId);
    });
    underWay.set(payeeId, own.add(response));
  };

  async function* paced(text: AsyncIterable<string>): AsyncIterable<string> {
    for await (const piece of text) {
      yield piece;
      await quiet(DOWNLOAD_PATIENCE_MS);
    }
  }

  return {
    send: async (reply, payeeId, make) => {
      take(payeeId, reply);
      const { fileName, text } = await make();
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .serializer((body: unknown) => body as string);
      if (typeof text === 'string') return text;
      // It may take longer than a request may, and others do not give way to it.
      reply.leaveUnderWay();
      return Readable.from(paced(text));
    },
    closeAll: () => {
      for (const responses of underWay.values()) for (const response of responses) response.destroy();
    },
  };
}

import { chooseCoding, packNow, packOnce } from '../pages/packing.ts';
import type { OpenAnswer } from '../route.types.ts';
import type { EdgeState } from './edge.types.ts';

/**
 * Sends the answer of a route outside the API, packed where its route says that it may be. An answer that is the same
 * for all has a tag, and is not sent again to a client that has it.
 */
export async function sendOpen({ request, reply }: EdgeState, answer: OpenAnswer): Promise<void> {
  const { status, headers, body, packing } = answer;
  reply.code(status).headers(headers).serializer(asItIs);
  if (packing === undefined) {
    reply.send(body);
    return;
  }
  reply.header('vary', headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`);
  const wanted = chooseCoding(String(request.headers['accept-encoding'] ?? ''));
  if (packing === 'now') {
    sendPacked(reply, await packNow(Buffer.from(body), wanted));
    return;
  }
  const packed = await packOnce(body, wanted);
  reply.header('etag', packed.tag);
  if (hasIt(request.headers['if-none-match'], packed.tag)) reply.code(304).removeHeader('content-type').send();
  else sendPacked(reply, packed);
}

function sendPacked(reply: EdgeState['reply'], { body, coding }: { body: Buffer; coding: string }): void {
  if (coding !== 'identity') reply.header('content-encoding', coding);
  reply.send(body);
}

/** Whether a caller has what this tag stands for (RFC 9110, section 13.1.2): compared weakly, as proxies may weaken it. */
function hasIt(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag);
}

/** Bytes and texts go as they are, whatever Fastify would make of them. */
function asItIs(body: unknown): string {
  return body as string;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding, packNow, packOnce } from './packing.ts';
import type { OpenAnswer } from './route.types.ts';

/**
 * Sends the answer of a route outside the API, packed where its route says that it may be. What everybody is answered with
 * has a tag, and is not sent again to who has it.
 */
export async function sendOpen(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: OpenAnswer,
): Promise<FastifyReply> {
  const { status, headers, body, packing } = answer;
  reply.code(status).headers(headers).serializer(asItIs);
  if (packing === undefined) return reply.send(body);
  reply.header('vary', headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`);
  const wanted = chooseCoding(String(request.headers['accept-encoding'] ?? ''));
  if (packing === 'now') return sendPacked(reply, await packNow(Buffer.from(body), wanted));
  const packed = await packOnce(body, wanted);
  reply.header('etag', packed.tag);
  if (hasIt(request.headers['if-none-match'], packed.tag)) return reply.code(304).removeHeader('content-type').send();
  return sendPacked(reply, packed);
}

function sendPacked(reply: FastifyReply, { body, coding }: { body: Buffer; coding: string }): FastifyReply {
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.send(body);
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

import type { FastifyReply } from 'fastify';
import type { OpenAnswer } from './route.types.ts';

/** Sends the answer of a route outside the API, as it is. */
export function sendOpen(reply: FastifyReply, { status, headers, body }: OpenAnswer): FastifyReply {
  reply.code(status).headers(headers).serializer(String);
  if (Buffer.isBuffer(body)) reply.serializer((bytes: Buffer) => bytes as unknown as string);
  return reply.send(body);
}

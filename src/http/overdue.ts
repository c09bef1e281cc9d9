import type { FastifyInstance, FastifyReply } from 'fastify';

/** How often requests are looked at: a part of the limit, so that none lives much longer than that. */
const LOOKS_PER_LIMIT = 10;

/**
 * Gives up on requests that take longer than `limitMs`: they are answered with `error()`, or cut off where their answer
 * has begun. One timer looks at all of them; the framework's own time limit makes a timer and an abort signal for each
 * request, which was a twentieth of the time of a payment.
 */
export function giveUpOverdue(app: FastifyInstance, limitMs: number, error: () => Error): void {
  // They are in the order in which they came, and all have the same limit: the first one that has time ends the look.
  const waiting = new Set<FastifyReply>();
  const look = (): void => {
    for (const reply of waiting) {
      if (reply.elapsedTime < limitMs) return;
      waiting.delete(reply);
      if (reply.sent) continue;
      if (reply.raw.headersSent) reply.raw.destroy();
      else reply.send(error());
    }
  };
  const timer = setInterval(look, limitMs / LOOKS_PER_LIMIT).unref();
  app.addHook('onRequest', (_request, reply, done) => {
    waiting.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

import type { FastifyInstance } from 'fastify';

/**
 * While the service stops, says `Connection: close` with the answers to the requests that were under way. Fastify says it
 * only to requests that come later; a connection that was busy would stay open, and the stop wait for it to its limit.
 */
export function closeConnectionsOnStop(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import type { Traffic } from '../../kit/work/traffic.ts';
import { systemError } from '../document/problem.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Its place among the requests under way; -1 where it has none. */
    placeUnderWay: number;
    /** Takes it out of the requests under way: it may take long, and nothing gives way to it. */
    leaveUnderWay(): void;
  }
}

/** How often requests are looked at: a part of the limit, so that none lives much longer than that. */
const LOOKS_PER_LIMIT = 10;
const NOWHERE = -1;

export interface OverdueOptions {
  /** Milliseconds that a request may take. */
  readonly limitMs: number;
  /** The same of a request that changes something, where it may wait for a host elsewhere. */
  readonly changeLimitMs?: number;
  /** What one that takes longer is answered with. */
  readonly error: (request: FastifyRequest) => Error;
  /** Is told of each request that begins and ends. */
  readonly traffic: Pick<Traffic, 'enter' | 'leave'>;
  /** Is told of each request that ends. */
  readonly left?: (request: FastifyRequest) => void;
}

/**
 * Gives up on requests that take longer than they may: they are answered with an error, or cut off where their answer has
 * begun. One timer looks at all of them; the framework's own time limit makes a timer and an abort signal for each
 * request, which was a twentieth of the time of a payment. While the service stops, those under way are the last ones on
 * their connections.
 */
export function giveUpOverdue(app: FastifyInstance, options: OverdueOptions): void {
  const { limitMs, changeLimitMs = limitMs, error, traffic, left = () => undefined } = options;
  // Places that are used again and again. A set makes itself anew all the time, and what it leaves behind kept answered
  // requests from the collection of garbage until the next full one: a third of the time of a read.
  const underWay: (FastifyReply | undefined)[] = [];
  const free: number[] = [];
  const leave = (reply: FastifyReply): void => {
    const place = reply.placeUnderWay;
    if (place === NOWHERE) return;
    reply.placeUnderWay = NOWHERE;
    underWay[place] = undefined;
    free.push(place);
    traffic.leave();
    left(reply.request);
  };
  const look = (): void => {
    for (const reply of underWay) {
      if (reply === undefined) continue;
      if (isUnheard(reply)) leave(reply);
      if (reply.elapsedTime < limitMs) continue;
      if (reply.elapsedTime < changeLimitMs && reply.request.method !== 'GET') continue;
      leave(reply);
      if (reply.sent) continue;
      if (reply.raw.headersSent) reply.raw.destroy();
      else reply.send(error(reply.request));
    }
  };
  const timer = setInterval(look, limitMs / LOOKS_PER_LIMIT).unref();
  app.decorateReply('placeUnderWay', NOWHERE);
  app.decorateReply('leaveUnderWay', function (this: FastifyReply) {
    leave(this);
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.placeUnderWay = free.pop() ?? underWay.length;
    underWay[reply.placeUnderWay] = reply;
    traffic.enter();
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    leave(reply);
    done();
  });
  // Fastify says so only to requests that come later; a connection that was busy would stay open, and the stop wait for it.
  app.addHook('preClose', (done) => {
    for (const reply of underWay) reply?.header('connection', 'close');
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** Whether it is answered and its caller has gone away: answers that wait behind another one of their connection never end then. */
function isUnheard({ sent, request }: FastifyReply): boolean {
  return sent && request.raw.socket.destroyed;
}

/**
 * What a request is answered with that took longer than it may: before it was admitted, which may wait for a look-up of its
 * caller, nothing of it was begun; after that it is not known.
 */
export function overdueError({ edge }: Pick<FastifyRequest, 'edge'>): Refusal {
  const cause = new Error('a request took longer than it may');
  if (edge?.isAdmitted !== false) return systemError(cause);
  return new Refusal('unavailable', 'It took too long to find out who the caller is.', { retryAfterSeconds: 1, cause });
}

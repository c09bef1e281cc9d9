import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerGone } from './edge/expect.ts';

/** A request with its answer. */
export interface Exchange {
  readonly request: Pick<IncomingMessage, 'socket'>;
  readonly response: ServerResponse;
}

/**
 * Calls back once an answer has ended, or its connection. The connection has to be listened to as well: an answer that waits behind another one
 * of it is not told when it ends.
 *
 * @throws Refusal `requesttimeout` where the caller has gone away already: nothing would tell it any more
 */
export function onceOver({ request: { socket }, response }: Exchange, callBack: () => void): void {
  if (socket.destroyed) throw callerGone();
  const over = () => {
    response.off('close', over);
    socket.off('close', over);
    callBack();
  };
  response.on('close', over);
  socket.on('close', over);
}

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A delivery as it came in. */
export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly event: ReceivedEvent;
}

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly position: number;
  readonly resource: { readonly kind: string; readonly id: string; readonly sequence: number };
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a receiver answers. It may write what it likes; a number is a status. */
export type Behaviour = (received: Received, response: ServerResponse) => number | undefined;

/** A shop's server that gets events: on a real socket, with whatever manners a test gives it. */
export interface Receiver {
  readonly url: string;
  /** All that came, whatever was answered. */
  readonly all: readonly Received[];
  /** What it has taken: answered with 2xx. */
  readonly taken: readonly Received[];
  behave(behaviour: Behaviour): void;
  /** Refuses connections, or takes them again at the same port. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  const taken: Received[] = [];
  let behaviour: Behaviour = () => 204;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const received = { headers: request.headers, body, event: JSON.parse(body) as ReceivedEvent };
    all.push(received);
    const status = behaviour(received, response);
    if (status === undefined) return;
    if (status >= 200 && status < 300) taken.push(received);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const goDown = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    all,
    taken,
    behave: (next) => {
      behaviour = next;
    },
    goDown,
    comeUp: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: goDown,
  };
}

/**
 * How many of a delivery's signatures are right under a secret, computed from the words of Standard Webhooks alone and not
 * with code of ours.
 */
export function rightSignatures({ headers, body }: Received, secret: string): number {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature === `v1,${expected}`).length;
}

/** What is wrong with what a receiver has taken: an event twice, left out, or before the one in front of it. */
export function orderFaults(taken: readonly Received[]): string[] {
  const numbers = new Map<string, number>();
  return taken.flatMap(({ event: { resource } }) => {
    const before = numbers.get(resource.id) ?? 0;
    numbers.set(resource.id, resource.sequence);
    return resource.sequence === before + 1 ? [] : [`${resource.id}: ${resource.sequence} came after ${before}`];
  });
}

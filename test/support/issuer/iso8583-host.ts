import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { codecFor } from '../../../src/iso8583/codec.rules.ts';
import { answerTypeOf, wantsAnswer } from '../../../src/iso8583/compose.rules.ts';
import { ISO93 } from '../../../src/iso8583/dialects/iso93.rules.ts';
import { dial } from '../../../src/iso8583/link/dial.adapter.ts';
import { openLink } from '../../../src/iso8583/link/link.flow.ts';
import type { Ask, Asked, Link, LinkContext } from '../../../src/iso8583/link/link.types.ts';
import type { Message } from '../../../src/iso8583/messages.types.ts';
import { timesOf } from '../../../src/iso8583/times.ts';
import { wireOf } from '../../../src/iso8583/wire.rules.ts';

const codec = codecFor(ISO93);

/** A host that does what its test says: it answers network messages by itself, unless told not to. */
export class ScriptedHost {
  readonly received: Message[] = [];
  readonly frames: Buffer[] = [];
  readonly sockets: Socket[] = [];
  /** What is done with messages that are about payments; by default nothing. */
  onAsk: (message: Message, socket: Socket) => void = () => undefined;
  /** The action code of network messages; undefined: no answer. */
  networkAnswer: (message: Message) => string | undefined = () => '800';
  #server: Server | undefined;

  async listen(tls?: TlsOptions, port = 0): Promise<number> {
    const take = (socket: Socket) => this.#take(socket);
    this.#server = tls === undefined ? createTcpServer(take) : createTlsServer(tls, take);
    const server = this.#server;
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const server = this.#server;
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  /** Those of a type, in their order. */
  ofType(type: string): Message[] {
    return this.received.filter((message) => message.type === type);
  }

  #take(socket: Socket): void {
    this.sockets.push(socket);
    const split = codec.splitter();
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      split(bytes, (frame) => {
        const message = codec.decode(frame);
        this.received.push(message);
        this.frames.push(frame);
        if (message.type === '1804') {
          const actionCode = this.networkAnswer(message);
          if (actionCode !== undefined) send(socket, answerTo(message, { actionCode }));
        } else if (wantsAnswer(message.type)) this.onAsk(message, socket);
      });
    });
  }
}

/** Sends a message as it is. */
export function send(socket: Socket, message: Message): void {
  socket.write(codec.encode(message));
}

/** A good answer, with other fields where they are given; `undefined` takes one away. */
export function answerTo(
  ask: Message,
  others: Readonly<Partial<Record<keyof Message['fields'], string | undefined>>> = {},
): Message {
  const { cardNumber: _, expiry: __, ...fields } = ask.fields;
  const all = { ...fields, actionCode: '000', ...(ask.type === '1804' ? {} : { approvalCode: 'A1B2C3' }), ...others };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return { type: answerTypeOf(ask.type), fields: Object.fromEntries(given), tags: {} };
}

/** What a link told, in words. */
export interface Heard {
  readonly states: string[];
  readonly faults: string[];
  readonly late: Message[];
  /** As in `NotEchoed 41`. */
  readonly habits: string[];
}

/** A link to that port, with short times for what no test waits for. */
export function linkTo(port: number, others: Partial<LinkContext> = {}): { link: Link; heard: Heard } {
  const heard: Heard = { states: [], faults: [], late: [], habits: [] };
  const link = openLink({
    address: { host: '127.0.0.1', port, tls: 'none' },
    connections: 1,
    echoMs: 30_000,
    drainMs: 2_000,
    wire: wireOf(ISO93, '957801'),
    dial,
    timesOf: (at) => timesOf(at, 'UTC'),
    now: () => new Date(),
    random: () => 0.5,
    limits: { firstPauseMs: 5, networkMs: 2_000 },
    events: {
      state: (state, lost) => void heard.states.push(lost?.detail ? `${state} ${lost.detail}` : state),
      answered: () => undefined,
      silent: () => undefined,
      late: (answer) => void heard.late.push(answer),
      habit: ({ habit, field }) => void heard.habits.push(`${habit} ${field}`),
      fault: (fault, detail) => void heard.faults.push(`${fault}: ${detail}`),
      notWritable: (place) => void heard.faults.push(`not writable: ${place}`),
    },
    ...others,
  });
  return { link, heard };
}

/** An authorization with this STAN. */
export function authorization(stan: number, others: Message['fields'] = {}): Message {
  return {
    type: '1100',
    fields: {
      amount: '000000012500',
      transmittedAt: '0309101528',
      stan: String(stan).padStart(6, '0'),
      sentAt: '260309101528',
      acquiringInstitution: '957800',
      forwardingInstitution: '957801',
      retrievalReference: '606810000101',
      terminalId: 'WEB00001',
      merchantId: '000012345678901',
      currency: '578',
      ...others,
    },
    tags: {},
  };
}

/** Asks with patience for everything. */
export function asking(link: Link, message: Message, others: Partial<Ask> = {}): Promise<Asked> {
  return link.ask({ message, sendMs: 5_000, answerMs: 5_000, ...others });
}

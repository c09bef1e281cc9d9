import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Dialect, FieldName } from '../../src/iso8583/dialects/dialect.types.ts';
import { answeringType } from './asked.rules.ts';
import { isHabit } from './behaviour.rules.ts';
import { asHabit } from './habits.rules.ts';
import { cutFrames, type HostMac, type HostMessage, parseFrame, printFrame, printFrameLength } from './host-frames.ts';
import { type Journal, maskedMessage } from './journal.ts';
import type { Script } from './script.ts';
import { amountOf, type Reply, type TestAcquirer } from './test-acquirer.ts';

/** What all lines to the test acquirer share. */
export interface HostContext {
  readonly dialect: Dialect;
  /** Where a key is agreed. */
  readonly mac?: HostMac | undefined;
  readonly acquirer: TestAcquirer;
  readonly script: Script;
  readonly journal: Journal;
  readonly now: () => Date;
  /** Milliseconds that clients wait for an answer: what is too late comes after 1.2 times that. */
  readonly answerMs: number;
  /** Begins the next business day, and says which it is, YYMMDD. */
  readonly nextDay: () => string;
  /** Until when no sign-on is answered: milliseconds of `performance.now()`. */
  noSignOnUntil: number;
  /** Timers under way, to be ended with the host. */
  readonly timers: Set<NodeJS.Timeout>;
}

/** What a test host calls itself in its answer to a sign-on: production refuses such a one. */
export const TEST_HOST_TEXT = 'KONTOR-TEST';

const SLOW_MS = 1_000;
const NO_SIGN_ON_MS = 10_000;
const IN_PROGRESS_MS = 500;

/** One line of a client's. */
export class HostLine {
  readonly #context: HostContext;
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #answersEchoes = true;
  /** What waits for the end of a frame that is written byte by byte: nothing may come into its middle. */
  #held: Buffer[] | undefined;

  constructor(context: HostContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => this.#receive(bytes));
  }

  #receive(bytes: Buffer): void {
    const { dialect, journal, mac } = this.#context;
    try {
      const { frames, rest } = cutFrames(dialect, Buffer.concat([this.#pending, bytes]));
      this.#pending = rest;
      for (const frame of frames) this.#take(parseFrame(dialect, frame, mac));
    } catch (error) {
      journal.write({ event: 'unreadable', fault: error instanceof Error ? error.message : '' });
      this.#socket.destroy();
    }
  }

  #take(message: HostMessage): void {
    const { dialect, journal, acquirer } = this.#context;
    journal.write({ event: 'received', ...maskedMessage(message) });
    const direction = Number(message.type[2]);
    if (direction % 2 === 1) return;
    if (message.type.slice(0, 3) === dialect.messages.Network.type.slice(0, 3)) this.#takeNetwork(message);
    else this.#give(acquirer.reply(message));
  }

  #takeNetwork(message: HostMessage): void {
    const { dialect, script } = this.#context;
    const { signOn, signOff, echo, cutOver, accepted, refused } = dialect.networkManagement;
    const code = message.fields.functionCode ?? '';
    if (code === signOn && performance.now() < this.#context.noSignOnUntil) return;
    if (code === echo && !this.#answersEchoes) return;
    const { transmittedAt, stan, sentAt, sentDate, sentTime, forwardingInstitution, functionCode } = message.fields;
    const isKnown = [signOn, signOff, echo, cutOver].includes(code);
    const planned = script.plannedForNetwork(message);
    if (planned?.does === 'NoAnswer') return;
    const answer: HostMessage = {
      type: answeringType(dialect, message.type),
      fields: {
        ...known({ transmittedAt, stan, sentAt, sentDate, sentTime, forwardingInstitution, functionCode }),
        actionCode: isKnown ? accepted : refused,
        ...(code === signOn ? { additionalText: TEST_HOST_TEXT } : {}),
      },
      tags: {},
    };
    this.#send(isHabit(planned?.does) ? asHabit(planned.does, answer, dialect) : answer);
  }

  #give({ answer, planned, approval }: Reply): void {
    const { answerMs } = this.#context;
    const send = () => this.#send(answer);
    switch (planned?.does) {
      case 'NoAnswer':
      case 'Lost':
      case 'RefuseRepeat':
      case 'TakeBackUnknown':
        return;
      case 'Slow':
        this.#later(SLOW_MS, send);
        return;
      case 'TooLate':
        this.#later(answerMs * 1.2, send);
        return;
      case 'Garbage':
        this.#write(Buffer.from('0014ffffffffffffffffffffffffffffffffffffffff', 'hex'));
        return;
      case 'HalfAnswer':
        this.#half(answer);
        return;
      case 'CloseWithoutAnswer':
        this.#socket.destroy();
        return;
      case 'HugeLength':
        this.#write(Buffer.from('ffff', 'hex'));
        return;
      case 'ByteByByte':
        this.#byteByByte(this.#framed(answer));
        return;
      case 'EmptyFrames':
        this.#emptyFrame();
        send();
        this.#emptyFrame();
        return;
      case 'GluedToEcho':
        this.#send(answer, this.#request(this.#context.dialect.networkManagement.echo));
        return;
      default:
        this.#giveMore({ answer, planned, ...(approval === undefined ? {} : { approval }) });
        return;
    }
  }

  /** What begins with an answer. */
  #giveMore({ answer, planned, approval }: Reply): void {
    const other = (fields: HostMessage['fields']): HostMessage => ({
      ...answer,
      fields: { ...answer.fields, ...fields },
    });
    switch (planned?.does) {
      case 'OtherStan':
        this.#send(other({ stan: answer.fields.stan === '999999' ? '000001' : '999999' }));
        return;
      case 'OtherAmount':
        this.#send(other({ amount: String(amountOf(answer) + 1) }));
        return;
      case 'SignOff':
        this.#send(this.#request(this.#context.dialect.networkManagement.signOff));
        this.#send(answer);
        this.#socket.end();
        return;
      case 'NoSignOn':
        this.#send(answer);
        this.#context.noSignOnUntil = performance.now() + NO_SIGN_ON_MS;
        this.#socket.end();
        return;
      case 'NoMoreEchoes':
        this.#answersEchoes = false;
        this.#send(answer);
        return;
      case 'Twice':
        this.#send(answer);
        this.#send(answer);
        return;
      case 'TwiceDifferent':
        this.#send(answer);
        this.#send(other({ actionCode: '100' }));
        return;
      case 'CutOver':
      case 'CutOverNoDate':
      case 'CutOverOtherYear':
        this.#send(answer, this.#cutOver(planned.does));
        return;
      case 'InProgress':
        this.#send(answer);
        if (approval !== undefined) this.#later(IN_PROGRESS_MS, () => this.#send(approval));
        return;
      default:
        this.#send(isHabit(planned?.does) ? asHabit(planned.does, answer, this.#context.dialect) : answer);
        return;
    }
  }

  /** A length of nothing, which only keeps a line open. */
  #emptyFrame(): void {
    const { header } = this.#context.dialect;
    this.#write(printFrameLength(header, header.countsItself ? header.lengthBytes : 0));
  }

  #half(answer: HostMessage): void {
    const bytes = this.#framed(answer);
    this.#socket.write(bytes.subarray(0, bytes.length >> 1), () => this.#socket.destroy());
  }

  #byteByByte(bytes: Buffer): void {
    if (this.#held !== undefined) {
      this.#held.push(bytes);
      return;
    }
    this.#held = [];
    const next = (at: number): void => {
      if (at < bytes.length) {
        this.#socket.write(bytes.subarray(at, at + 1), () => setImmediate(() => next(at + 1)));
        return;
      }
      const held = Buffer.concat(this.#held ?? []);
      this.#held = undefined;
      this.#write(held);
    };
    next(0);
  }

  /** With the time of now, and a line in the journal. */
  #told(message: HostMessage): HostMessage {
    const { journal, now } = this.#context;
    const transmittedAt = timeOf(now()).slice(2);
    const told = {
      ...message,
      fields: message.fields.transmittedAt === undefined ? message.fields : { ...message.fields, transmittedAt },
    };
    journal.write({ event: 'sent', ...maskedMessage(told) });
    return told;
  }

  #framed(message: HostMessage): Buffer {
    const { dialect, mac } = this.#context;
    return printFrame(dialect, this.#told(message), mac);
  }

  #send(...messages: readonly HostMessage[]): void {
    this.#write(Buffer.concat(messages.map((message) => this.#framed(message))));
  }

  #write(bytes: Buffer): void {
    if (this.#held !== undefined) this.#held.push(bytes);
    else if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** Begins the next day, or says that one has begun which cannot be. */
  #cutOver(does: 'CutOver' | 'CutOverNoDate' | 'CutOverOtherYear'): HostMessage {
    const { dialect, nextDay } = this.#context;
    const request = this.#request(dialect.networkManagement.cutOver);
    const years = { CutOver: nextDay, CutOverNoDate: () => '000000', CutOverOtherYear: () => '620301' };
    const day = years[does]();
    return { ...request, fields: { ...request.fields, reconciliationDay: day, settlementDate: day.slice(2) } };
  }

  #request(functionCode: string): HostMessage {
    const sentAt = timeOf(this.#context.now());
    return {
      type: this.#context.dialect.messages.Network.type,
      fields: {
        transmittedAt: sentAt.slice(2),
        stan: String(randomInt(1, 1_000_000)).padStart(6, '0'),
        sentAt,
        sentDate: sentAt.slice(2, 6),
        sentTime: sentAt.slice(6),
        functionCode,
        forwardingInstitution: '0',
      },
      tags: {},
    };
  }

  #later(durationMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#context.timers.delete(timer);
      act();
    }, durationMs);
    this.#context.timers.add(timer);
  }
}

function known(fields: { readonly [Name in FieldName]?: string | undefined }): HostMessage['fields'] {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** UTC, YYMMDDhhmmss. */
function timeOf(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(2, 14);
}

import { textOf } from '../answers.rules.ts';
import { ProtocolError } from '../frames.rules.ts';
import type { Message } from '../messages.types.ts';
import { reasonOf } from './line-reasons.rules.ts';
import type {
  Ask,
  ConnectionState,
  ConnectionStatus,
  Line,
  LinkContext,
  LostConnection,
  Waited,
} from './link.types.ts';
import { saidBy, type Waiting, type WaitingRoom, waitingRoom } from './waiting.ts';

/** Questions under way on one connection: with answers after 15 s still 17 a second. */
export const ACQUIRER_UNDER_WAY = 256;
/** Milliseconds for a connection to be there, with its TLS. */
const ACQUIRER_CONNECT_MS = 5_000;
/** Milliseconds for the answer to a sign-on or an echo: only the acquirer's own computer has to be asked. */
const ACQUIRER_NETWORK_MS = 5_000;
/** Echoes without answer after which a connection counts as broken: one may be lost. */
const ACQUIRER_LOST_ECHOES = 2;
/** Milliseconds before a lost connection is made again: the first time, and at most. */
const ACQUIRER_FIRST_PAUSE_MS = 500;
const ACQUIRER_LONGEST_PAUSE_MS = 30_000;
/** The part of such a pause that lots add or take off, so that instances do not all come back at once. */
const ACQUIRER_PAUSE_JITTER = 0.2;
/** Questions that are remembered once they are over, to tell late and repeated answers from others: a second of much traffic. */
const ACQUIRER_RECENT_QUESTIONS = 1_000;

/** What a connection tells its link. */
export interface ConnectionWatcher {
  /** It may take questions now, or has room again. */
  roomFor(): void;
  hostText(text: string): void;
}

/** A question in bytes. */
export interface Sending extends Pick<Ask, 'message' | 'answerMs' | 'repeat' | 'late'> {
  readonly bytes: Buffer;
}

const LARGEST_STAN = 999_999;
const PAUSES = { longestMs: ACQUIRER_LONGEST_PAUSE_MS, jitter: ACQUIRER_PAUSE_JITTER };

/** One connection, with a life of its own: it signs on, asks for echoes, and is made again whenever it is lost, until it is closed. */
export class Connection {
  readonly #context: LinkContext;
  readonly #watcher: ConnectionWatcher;
  readonly #connectMs: number;
  readonly #networkMs: number;
  readonly #firstPauseMs: number;
  #state: ConnectionState = 'Down';
  /** Since when it has been ready, or has not been. */
  #since: Date;
  #echoedAt: Date | undefined;
  /** Why it was lost the last time. */
  #lostBefore: LostConnection | undefined;
  /** Why we end the line that is there. */
  #ending: LostConnection | undefined;
  #line: Line | undefined;
  #room: WaitingRoom;
  #pauseMs: number;
  #isStopped = false;
  #isEchoing = false;
  #lostEchoes = 0;
  /** Of network messages: they have no terminal, so no question's is the same. */
  #stan: number;
  /** Ends a line that takes too long to open, or to end. */
  #overdue: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #emptied: (() => void) | undefined;
  #closed: (() => void) | undefined;

  constructor(context: LinkContext, watcher: ConnectionWatcher) {
    this.#context = context;
    this.#watcher = watcher;
    this.#connectMs = context.limits?.connectMs ?? ACQUIRER_CONNECT_MS;
    this.#networkMs = context.limits?.networkMs ?? ACQUIRER_NETWORK_MS;
    this.#firstPauseMs = context.limits?.firstPauseMs ?? ACQUIRER_FIRST_PAUSE_MS;
    this.#pauseMs = this.#firstPauseMs;
    this.#stan = Math.floor(context.random() * LARGEST_STAN);
    this.#since = context.now();
    this.#room = waitingRoom(context.wire, ACQUIRER_RECENT_QUESTIONS);
    this.#connect();
  }

  isReady(): boolean {
    return this.#state === 'Ready';
  }

  /** How it is, for people to see. */
  status(): ConnectionStatus {
    const { reason, detail = '' } = this.#lostBefore ?? {};
    const { host, port } = this.#context.address;
    return {
      site: `${host}:${port}`,
      state: this.#state,
      since: this.#since,
      echoedAt: this.#echoedAt,
      reason,
      detail,
    };
  }

  /** Questions under way. */
  underWay(): number {
    return this.#room.size();
  }

  /** Whether a question can be handed over now. */
  canTake(): boolean {
    return this.isReady() && this.#room.size() < ACQUIRER_UNDER_WAY && this.#line?.isFull() === false;
  }

  /** Hands a question over, and waits. After silence the line is asked for an echo at once. */
  async ask(sending: Sending): Promise<Waited> {
    const waited = await this.#send(sending);
    if ('silent' in waited && waited.silent === 'Time') void this.echo();
    return waited;
  }

  /** Milliseconds until the host answered an echo; undefined where it did not, or one is under way. */
  async echo(): Promise<number | undefined> {
    if (this.#isEchoing || !this.isReady()) return undefined;
    this.#isEchoing = true;
    const line = this.#line;
    const from = performance.now();
    const answer = await this.#askNetwork('echo');
    if (line !== this.#line) return undefined;
    this.#isEchoing = false;
    this.#quiet?.refresh();
    if (answer !== undefined) {
      this.#lostEchoes = 0;
      this.#echoedAt = this.#context.now();
      return performance.now() - from;
    }
    this.#lostEchoes++;
    if (this.#lostEchoes >= ACQUIRER_LOST_ECHOES) this.#end('NoEcho');
    else void this.echo();
    return undefined;
  }

  /** Takes no more questions, signs off, waits for what is under way, and closes. */
  async close(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#again);
    const line = this.#line;
    if (line === undefined) return;
    const isClosed = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    const wasReady = this.isReady();
    if (wasReady || this.#state === 'Draining') {
      clearTimeout(this.#overdue);
      this.#overdue = setTimeout(() => line.destroy(), this.#context.drainMs);
      if (wasReady) this.#enter('Draining');
      // The answer to the sign-off may come before those to questions: all are waited for.
      if (wasReady) await this.#askNetwork('signOff');
      await this.#whenEmpty();
    }
    line.destroy();
    await isClosed;
  }

  #enter(state: ConnectionState, lost?: LostConnection): void {
    if ((state === 'Ready') !== this.isReady()) this.#since = this.#context.now();
    this.#state = state;
    this.#context.events.state(state, lost);
  }

  /** Ends the line at once, for a reason of ours. */
  #end(reason: LostConnection['reason'], detail = ''): void {
    this.#ending = { reason, detail };
    this.#line?.destroy();
  }

  #connect(): void {
    const { wire, dial, address } = this.#context;
    this.#room = waitingRoom(wire, ACQUIRER_RECENT_QUESTIONS);
    this.#lostEchoes = 0;
    this.#isEchoing = false;
    this.#enter('Connecting');
    const split = wire.splitter((habit) => this.#context.events.habit({ habit, field: 0 }));
    const line = dial(address, {
      opened: () => void this.#signOn(),
      drained: () => this.#watcher.roomFor(),
      closed: (cause) => this.#lost(cause),
      received: (bytes) => {
        this.#quiet?.refresh();
        try {
          split(bytes, (frame) => this.#receive(this.#pass(wire.decode(frame), false)));
        } catch (error) {
          if (!(error instanceof ProtocolError)) return this.#fail(line, error);
          this.#context.events.fault('not readable', error.message);
          this.#end('NotReadable');
        }
      },
    });
    this.#line = line;
    this.#overdue = setTimeout(() => this.#end('NotOpened'), this.#connectMs);
  }

  #pass(message: Message, isOurs: boolean, isRepeat = false): Message {
    const { passed, address } = this.#context;
    passed?.({ message, isOurs, isRepeat }, `${address.host}:${address.port}`);
    return message;
  }

  /** An error of ours ends the line that it happened on, and nothing else: not the other lines, and not the process. */
  #fail(line: Line | undefined, error: unknown): void {
    const detail = error instanceof Error ? error.message : 'error';
    this.#context.events.notWritable(detail);
    if (line === this.#line) this.#end('Unknown', detail);
  }

  async #signOn(): Promise<void> {
    clearTimeout(this.#overdue);
    const line = this.#line;
    if (this.#isStopped) return line?.destroy();
    this.#enter('SigningOn');
    const answer = await this.#askNetwork('signOn');
    if (line !== this.#line || this.#state !== 'SigningOn' || this.#ending !== undefined) return;
    if (answer?.fields.actionCode !== this.#context.wire.codes.accepted) {
      const detail = answer === undefined ? 'no answer' : textOf(answer.fields.actionCode);
      this.#context.events.fault('sign-on refused', detail);
      return this.#end('SignOnRefused', detail);
    }
    const hostText = textOf(answer.fields.additionalText);
    if (this.#context.accepts?.(hostText) === false) {
      this.#context.events.fault('other host', '');
      return this.#end('OtherHost');
    }
    this.#watcher.hostText(hostText);
    this.#pauseMs = this.#firstPauseMs;
    this.#quiet = setTimeout(() => void this.echo(), this.#context.echoMs);
    this.#enter('Ready');
    this.#watcher.roomFor();
  }

  #lost(cause: string): void {
    clearTimeout(this.#overdue);
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
    this.#line = undefined;
    const { tls } = this.#context.address;
    const wasSigningOn = this.#state === 'SigningOn';
    const lost = this.#ending ?? { reason: reasonOf({ cause, hasTls: tls !== 'none', wasSigningOn }), detail: cause };
    this.#ending = undefined;
    if (!this.#isStopped) this.#lostBefore = lost;
    this.#enter('Down', this.#isStopped ? undefined : lost);
    this.#room.leaveAll();
    this.#emptied?.();
    if (this.#isStopped) {
      this.#closed?.();
      return;
    }
    const { waitMs, next } = nextPauseMs(this.#pauseMs, this.#context.random(), PAUSES);
    this.#pauseMs = next;
    this.#again = setTimeout(() => this.#connect(), waitMs);
  }

  #receive(message: Message): void {
    const { wire, events } = this.#context;
    if (wire.isRequest(message)) {
      this.#takeRequest(message);
      return;
    }
    const taken = this.#room.take(message);
    if (taken.is !== 'Waiting') {
      if (taken.is === 'Over' && taken.said !== undefined) {
        if (!wire.isToAdvice(message)) events.habit({ habit: 'TwoAnswers', field: 0 });
        if (taken.said !== saidBy(message)) events.fault('two answers', `type ${message.type}`);
      }
      if (taken.is === 'Over') taken.late?.();
      events.late(message);
      return;
    }
    const { waiting } = taken;
    for (const habit of wire.habitsIn(waiting.message, message)) events.habit(habit);
    if (wire.isNetwork(message) || wire.isUsable(waiting.message, message)) waiting.answer(message);
    else {
      events.fault('not usable', `type ${message.type}`);
      waiting.end({ silent: 'Unusable' });
    }
    if (this.#room.size() === 0) this.#emptied?.();
    this.#watcher.roomFor();
  }

  /** What the host asks of us: it may sign on and off, look whether we are there, and begin its next day. */
  #takeRequest(request: Message): void {
    const { wire } = this.#context;
    const { codes } = wire;
    const code = textOf(request.fields.functionCode);
    const day = textOf(request.fields.reconciliationDay ?? request.fields.settlementDate);
    const isKnown = wire.isNetwork(request) && this.#takesNetwork(code, day);
    // A host that reads nothing gets no further answers: they would pile up here.
    if (this.#line?.isFull() === false) {
      const answer = wire.answerTo(request, isKnown ? codes.accepted : codes.refused);
      this.#line.write(wire.encode(this.#pass(answer, true)));
    }
    if (isKnown && code === codes.signOff && this.isReady()) void this.#leave();
  }

  /** A cut-over without a day says nothing that the clock does not. */
  #takesNetwork(code: string, day: string): boolean {
    const { wire, days, events } = this.#context;
    const { signOn, signOff, echo, cutOver } = wire.codes;
    if (code !== cutOver) return [signOn, signOff, echo].includes(code);
    const isTaken = day === '' || days === undefined || days.begin(day);
    if (!isTaken) events.fault('other day', '');
    return isTaken;
  }

  async #leave(): Promise<void> {
    const line = this.#line;
    this.#ending = { reason: 'SignedOff', detail: '' };
    this.#enter('Draining');
    await this.#whenEmpty();
    line?.end();
    if (line === this.#line) this.#overdue = setTimeout(() => line?.destroy(), this.#networkMs);
  }

  #whenEmpty(): Promise<void> {
    if (this.#room.size() === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const before = this.#emptied;
      this.#emptied = () => {
        this.#emptied = undefined;
        before?.();
        resolve();
      };
    });
  }

  async #askNetwork(name: 'signOn' | 'signOff' | 'echo'): Promise<Message | undefined> {
    const { wire, timesOf, now } = this.#context;
    const line = this.#line;
    this.#stan = (this.#stan % LARGEST_STAN) + 1;
    const stan = String(this.#stan).padStart(6, '0');
    try {
      const message = wire.network(wire.codes[name], { ...timesOf(now()), stan });
      const waited = await this.#send({ message, bytes: wire.encode(message), answerMs: this.#networkMs });
      return 'answer' in waited ? waited.answer : undefined;
    } catch (error) {
      this.#fail(line, error);
      return undefined;
    }
  }

  #send({ message, bytes, answerMs, repeat, late }: Sending): Promise<Waited> {
    const line = this.#line;
    const room = this.#room;
    if (line === undefined) return Promise.resolve({ silent: 'Broken' });
    const again = repeat && this.#context.wire.repeatOf(bytes);
    return new Promise((resolve) => {
      const timers: NodeJS.Timeout[] = [];
      let wasRepeated = false;
      const end = (waited: Waited): void => {
        for (const timer of timers) clearTimeout(timer);
        resolve(waited);
      };
      const waiting: Waiting = {
        message,
        isSettledBy: (answer) => !wasRepeated || repeat?.isTaken(answer) === true,
        answer: (answer) => end({ answer, wasRepeated }),
        end,
        late,
      };
      const giveUp = () => {
        room.leave(waiting);
        waiting.end({ silent: 'Time' });
        if (room.size() === 0) this.#emptied?.();
      };
      room.enter(waiting);
      line.write(bytes);
      this.#pass(message, true);
      timers.push(setTimeout(giveUp, answerMs));
      if (again === undefined) return;
      timers.push(
        setTimeout(() => {
          wasRepeated = true;
          line.write(again);
          this.#pass(message, true, true);
        }, repeat?.afterMs),
      );
    });
  }
}

/** How long to wait before a lost connection is made again, and the pause after that: twice as long each time, up to the longest. */
export function nextPauseMs(
  pauseMs: number,
  lot: number,
  { longestMs, jitter }: { readonly longestMs: number; readonly jitter: number },
): { readonly waitMs: number; readonly next: number } {
  return { waitMs: pauseMs * (1 + jitter * (2 * lot - 1)), next: Math.min(pauseMs * 2, longestMs) };
}

import { EncodeError } from '../frames.rules.ts';
import { ACQUIRER_UNDER_WAY, Connection } from './connection.flow.ts';
import type { Ask, Asked, ConnectionStatus, Link, LinkContext } from './link.types.ts';

/** A question that no connection has taken yet. */
interface Unsent {
  readonly ask: Ask;
  readonly bytes: Buffer;
  readonly resolve: (asked: Asked | Promise<Asked>) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Opens the lines to one acquirer. It asks nothing of the database: STANs and times come with the messages. Each question
 * goes to the ready connection with the fewest under way.
 */
export function openLink(context: LinkContext): Link {
  return new Lines(context);
}

class Lines implements Link {
  readonly #context: LinkContext;
  readonly #connections: readonly Connection[];
  readonly #unsent = new Set<Unsent>();
  #hostText = '';
  #isClosing = false;

  constructor(context: LinkContext) {
    this.#context = context;
    const watcher = {
      roomFor: () => this.#sendUnsent(),
      hostText: (text: string) => {
        this.#hostText = text;
      },
    };
    const { address, otherAddresses = [], connections } = context;
    this.#connections = [address, ...otherAddresses].flatMap((one) =>
      Array.from({ length: connections }, () => new Connection({ ...context, address: one }, watcher)),
    );
  }

  ask(ask: Ask): Promise<Asked> {
    if (this.#isClosing) return Promise.resolve({ outcome: 'NotSent', because: 'Closing' });
    if (ask.signal?.aborted) return Promise.resolve({ outcome: 'NotSent', because: 'Aborted' });
    const bytes = this.#encode(ask.message);
    if (bytes === undefined) return Promise.resolve({ outcome: 'NotSent', because: 'NotWritable' });
    const connection = this.#freest();
    if (connection !== undefined) return this.#askOn(connection, ask, bytes);
    const ready = this.#connections.filter((one) => one.isReady());
    const isFull = ready.length > 0 && ready.every((one) => one.underWay() >= ACQUIRER_UNDER_WAY);
    if (isFull || this.#unsent.size >= ACQUIRER_UNDER_WAY * this.#connections.length) {
      return Promise.resolve({ outcome: 'NotSent', because: 'Full' });
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(unsent, 'NoConnection'), ask.sendMs);
      const unsent: Unsent = { ask, bytes, resolve, timer };
      this.#unsent.add(unsent);
    });
  }

  ready(): number {
    return this.#connections.filter((connection) => connection.isReady()).length;
  }

  statuses(): readonly ConnectionStatus[] {
    return this.#connections.map((connection) => connection.status());
  }

  hostText(): string {
    return this.#hostText;
  }

  async echo(): Promise<number | undefined> {
    return await this.#connections.find((connection) => connection.isReady())?.echo();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const unsent of this.#unsent) this.#giveUp(unsent, 'Closing');
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  /** Undefined where the dialect has no room for the message. */
  #encode(message: Ask['message']): Buffer | undefined {
    try {
      return this.#context.wire.encode(message);
    } catch (error) {
      if (!(error instanceof EncodeError)) throw error;
      this.#context.events.notWritable(error.message);
      return undefined;
    }
  }

  #freest(): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of this.#connections) {
      if (!connection.canTake()) continue;
      if (best === undefined || connection.underWay() < best.underWay()) best = connection;
    }
    return best;
  }

  #giveUp(unsent: Unsent, because: 'NoConnection' | 'Closing' | 'Aborted'): void {
    clearTimeout(unsent.timer);
    this.#unsent.delete(unsent);
    unsent.bytes.fill(0);
    unsent.resolve({ outcome: 'NotSent', because });
  }

  /** In the order in which they came. */
  #sendUnsent(): void {
    for (const unsent of this.#unsent) {
      if (unsent.ask.signal?.aborted) {
        this.#giveUp(unsent, 'Aborted');
        continue;
      }
      const connection = this.#freest();
      if (connection === undefined) return;
      clearTimeout(unsent.timer);
      this.#unsent.delete(unsent);
      unsent.resolve(this.#askOn(connection, unsent.ask, unsent.bytes));
    }
  }

  async #askOn(connection: Connection, ask: Ask, bytes: Buffer): Promise<Asked> {
    const { events, days } = this.#context;
    const from = performance.now();
    ask.handedOver?.();
    const waited = await connection.ask({ ...ask, bytes });
    if ('silent' in waited) {
      events.silent(waited.silent);
      return { outcome: 'Silent', because: waited.silent };
    }
    const { actionCode } = waited.answer.fields;
    events.answered(typeof actionCode === 'string' ? actionCode : '', performance.now() - from);
    return { outcome: 'Answered', ...waited, businessDay: days?.current() };
  }
}

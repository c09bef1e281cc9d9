import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  type RunningTestAcquirer,
  startTestAcquirer,
  type TestAcquirerOptions,
} from '../../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../../src/iso8583/dialects/iso93.rules.ts';
import type { Asked, Link, LinkContext } from '../../../src/iso8583/link/link.types.ts';
import { FAR_CUT_OVER } from './cut-over.ts';
import { asking, type Heard, linkTo } from './iso8583-host.ts';
import type { Sent } from './iso8583-messages.ts';

/** The test acquirer of a test, and the link to it. */
export class AcquirerBench {
  folder = '';
  #host: RunningTestAcquirer | undefined;
  #link: { link: Link; heard: Heard } | undefined;

  get host(): RunningTestAcquirer {
    if (this.#host === undefined) throw new Error('start it first');
    return this.#host;
  }
  get link(): Link {
    if (this.#link === undefined) throw new Error('start it first');
    return this.#link.link;
  }
  get heard(): Heard {
    if (this.#link === undefined) throw new Error('start it first');
    return this.#link.heard;
  }

  /** Starts the acquirer and a link to it, in the place of those before. Clients wait for 100 ms. */
  async start(others: Partial<TestAcquirerOptions> = {}, ofLink: Partial<LinkContext> = {}): Promise<void> {
    await this.stop();
    const journalFile = join(this.folder, 'journal');
    const own = { dialect: ISO93, port: 0, answerMs: 100, journalFile, cutOver: FAR_CUT_OVER };
    this.#host = await startTestAcquirer({ ...own, ...others });
    this.#link = linkTo(this.#host.port, ofLink);
  }

  /** Another link in the place of the one before. */
  async relink(ofLink: Partial<LinkContext>): Promise<void> {
    await this.#link?.link.close();
    this.#link = linkTo(this.host.port, ofLink);
  }

  async stop(): Promise<void> {
    await this.#link?.link.close();
    await this.#host?.close();
    this.#link = undefined;
    this.#host = undefined;
  }

  ask({ message }: Sent, answerMs = 3_000): Promise<Asked> {
    return asking(this.link, message, { answerMs });
  }

  /** The action code of the answer; `Silent Broken` and the like where none came. */
  async outcomeOf(sent: Sent, answerMs?: number): Promise<unknown> {
    const asked = await this.ask(sent, answerMs);
    return asked.outcome === 'Silent' ? `Silent ${asked.because}` : codeOf(asked);
  }

  /** What is held, captured and given back of a payment. */
  books(sent: Sent): readonly number[] | undefined {
    const booking = this.host.acquirer.books.bookings().find((one) => one.attemptId === sent.attemptId);
    return booking === undefined
      ? undefined
      : [booking.payment.held, booking.payment.captured, booking.payment.refunded];
  }

  journalText(): string {
    return readFileSync(join(this.folder, 'journal'), 'utf8');
  }
}

export const codeOf = (asked: Asked) => (asked.outcome === 'Answered' ? asked.answer.fields.actionCode : asked.outcome);

/** A bench for each test of a file. */
export function acquirerBench(): AcquirerBench {
  const bench = new AcquirerBench();
  beforeEach(() => {
    bench.folder = mkdtempSync(join(tmpdir(), 'kontor-acquirer-'));
  });
  afterEach(async () => {
    await bench.stop();
    rmSync(bench.folder, { recursive: true });
  });
  return bench;
}

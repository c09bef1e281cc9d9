import { faultsOf } from './answers.ts';
import { inLanes } from './bytes.ts';
import { type FuzzRequest, shownBytes } from './fuzz-requests.ts';
import type { FuzzSite } from './fuzz-site.ts';
import { openWire, type RawAnswer, type Wire } from './sockets.ts';

/** A request, and what became of it. */
export interface Outcome {
  readonly request: FuzzRequest;
  /** Undefined where the connection ended without one. */
  readonly answer: RawAnswer | undefined;
  /** What is wrong with it. */
  readonly faults: readonly string[];
}

/** Sends requests on connections that are kept, as many at once as there are of them. */
export interface FuzzClient {
  send(request: FuzzRequest): Promise<Outcome>;
  /** Sends requests, a few at once, each as soon as it is made; `tell` hears of each outcome before the next is made. */
  sendAll(requests: Iterable<FuzzRequest>, tell?: (outcome: Outcome) => void): Promise<Outcome[]>;
  /** Counts requests that others have sent. */
  count(requests: number): void;
  /** What is under way. */
  readonly flying: ReadonlySet<FuzzRequest>;
  /** How many were sent so far. */
  sent(): number;
  /** The last requests that were sent, the newest last. */
  lately(): readonly FuzzRequest[];
  close(): void;
}

const REMEMBERED = 400;

export function openClient({ baseUrl, ended, scanner }: Pick<FuzzSite, 'baseUrl' | 'ended' | 'scanner'>): FuzzClient {
  const { host } = new URL(baseUrl);
  const free: Wire[] = [];
  const all: Wire[] = [];
  const flying = new Set<FuzzRequest>();
  const lately: FuzzRequest[] = [];
  let sent = 0;
  const take = (): Wire => {
    const wire = free.pop() ?? openWire(baseUrl);
    if (!all.includes(wire)) all.push(wire);
    return wire;
  };
  const exchange = async (wire: Wire, request: FuzzRequest): Promise<RawAnswer | undefined> => {
    const isHead = request.method === 'HEAD';
    const answer = await wire.exchange(shownBytes(request, host), { isHead });
    // A connection that was idle may be closed in the very moment in which it is used; a new one is not.
    return answer ?? wire.exchange(shownBytes(request, host), { isHead });
  };
  const send = async (request: FuzzRequest): Promise<Outcome> => {
    const wire = take();
    sent++;
    flying.add(request);
    lately.push(request);
    if (lately.length > REMEMBERED) lately.shift();
    try {
      const answer = await exchange(wire, request);
      if (answer === undefined) return { request, answer, faults: [`${request.operation.id}: no answer`] };
      const told = scanner.scan(Buffer.from(answer.text, 'latin1'));
      const secrets = told.map((what) => `${request.operation.id} ${answer.status}: tells a ${what}`);
      return { request, answer, faults: [...faultsOf(request, answer), ...secrets] };
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ECONNREFUSED') throw error;
      // A service that has ended cannot answer: that is told once, and not by each request.
      const faults = ended() === undefined ? [`${request.operation.id}: ${(error as Error).message}`] : [];
      return { request, answer: undefined, faults };
    } finally {
      flying.delete(request);
      free.push(wire);
    }
  };
  return {
    send,
    sendAll: async (requests, tell = () => undefined) => {
      const outcomes: Outcome[] = [];
      await inLanes(requests, async (request) => {
        if (ended() !== undefined) return;
        const outcome = await send(request);
        tell(outcome);
        outcomes.push(outcome);
      });
      return outcomes;
    },
    count: (requests) => {
      sent += requests;
    },
    flying,
    sent: () => sent,
    lately: () => lately,
    close: () => {
      for (const wire of all) wire.close();
    },
  };
}

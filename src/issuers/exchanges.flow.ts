import type { Transact } from '../db/transaction.types.ts';
import { STAN_BLOCK } from '../kit/limits.ts';
import type { Agreement, TerminalChannel } from './acquirers/acquirers.types.ts';
import { retrievalReferenceOf, terminalsFor } from './exchanges.rules.ts';
import { takeStanBlock } from './exchanges.ts';
import type { Asker } from './issuers.types.ts';

interface Parts {
  readonly transact: Transact;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
  /** The acquiring institution of an acquirer: by it and the terminal its host knows a message's number. */
  readonly institutionOf: (acquirerId: string) => string;
  /** A whole number from 0, below this one. */
  readonly randomBelow: (most: number) => number;
}

/** Numbers of a block that are left when the next one is fetched, so that no message waits for it. */
const FETCH_AHEAD = STAN_BLOCK / 2;

/**
 * Makes the naming of messages to acquirers. Their numbers come in blocks: one round trip for a hundred of a terminal, and
 * one at a time, whatever how many wait for it.
 */
export function exchangeMaker({ transact, now, institutionOf, randomBelow }: Parts): Asker['newExchange'] {
  const terminals = new Map<string, Terminal>();

  async function nextStan(acquirerId: string, terminalId: string): Promise<string> {
    const terminal = terminalOf(institutionOf(acquirerId), terminalId);
    for (;;) {
      if (terminal.left.length === 0) await terminal.fetch();
      const stan = terminal.left.shift();
      if (stan === undefined) continue;
      // Where it fails, a message that needs it fetches it again.
      if (terminal.left.length < FETCH_AHEAD) terminal.fetch().catch(() => undefined);
      return String(stan).padStart(6, '0');
    }
  }
  function terminalOf(institution: string, terminalId: string): Terminal {
    const key = `${institution} ${terminalId}`;
    let terminal = terminals.get(key);
    if (terminal === undefined) {
      terminal = makeTerminal(() => transact((transaction) => takeStanBlock(transaction, { institution, terminalId })));
      terminals.set(key, terminal);
    }
    return terminal;
  }
  const turns = new Map<string, number>();
  // Hosts let messages of one terminal wait for each other, so they are spread over all; instances begin at different ones.
  function nextTerminal(agreement: Agreement, channel: TerminalChannel): string {
    const terminals = terminalsFor(agreement, channel);
    const name = `${agreement.id} ${channel}`;
    const turn = turns.get(name) ?? randomBelow(terminals.length);
    turns.set(name, turn + 1);
    return terminals[turn % terminals.length] ?? '';
  }
  return async (agreement, about) => {
    const { acquirer } = agreement;
    const terminalId = 'channel' in about ? nextTerminal(agreement, about.channel) : about.terminalId;
    const stan = await nextStan(acquirer, terminalId);
    const sentAt = `${now().slice(0, 19)}Z`;
    return {
      acquirerId: acquirer,
      terminalId,
      stan,
      sentAt,
      retrievalReference: 'channel' in about ? retrievalReferenceOf(sentAt, stan) : about.retrievalReference,
    };
  };
}

/** The numbers that this process has of a terminal. */
interface Terminal {
  readonly left: number[];
  /** Adds a block to them. All who ask while one is under way get that. */
  fetch(): Promise<void>;
}

function makeTerminal(take: () => Promise<number>): Terminal {
  const left: number[] = [];
  let underWay: Promise<void> | undefined;
  const fetch = async () => {
    const first = await take();
    for (let number = 0; number < STAN_BLOCK; number++) left.push(first + number);
  };
  return {
    left,
    fetch() {
      underWay ??= fetch().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}

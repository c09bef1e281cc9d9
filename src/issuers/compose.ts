import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import type { Transact } from '../db/transaction.types.ts';
import type { PaymentKey } from '../ledger/ledger.types.ts';
import { SANDBOX_CARD_RANGES } from '../vault/sandbox-card-ranges.rules.ts';
import { exchangeMaker } from './exchanges.flow.ts';
import { FIND_ORIGINAL_EXCHANGES } from './exchanges.store.ts';
import { issuerTable, LEDGER_ISSUER, SANDBOX_ISSUER_TERMS } from './issuers.rules.ts';
import type { Asker, AttemptSettler, AttemptSubject, Issuer, Issuers, StoredExchange } from './issuers.types.ts';
import type { RecoveryContext } from './recover-attempts.job.ts';
import { sandboxHost } from './sandbox-host.adapter.ts';
import { sandboxOutcome } from './sandbox-outcomes.rules.ts';

/** What issuers are composed of. */
export interface IssuersParts {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'transact'>;
  /** Who settles what an attempt is about: the slices above. */
  readonly settlers: (transact: Transact) => Readonly<Record<AttemptSubject, AttemptSettler>>;
}

/**
 * Composes the issuers of this installation, what asks them, and what looks after attempts that no process finished.
 */
export function composeIssuers({ config, database, settlers }: IssuersParts) {
  const newExchange = exchangeMaker({ transact: database.transact, now });
  const asker: Asker = { issuers: issuersOf(config), withDeadline, now, newExchange };
  return {
    asker: {
      ...asker,
      pause: (durationMs: number) => pause(durationMs),
      originalExchange: database.find<PaymentKey, StoredExchange>(FIND_ORIGINAL_EXCHANGES),
    },
    startJobs: async (given: Omit<RecoveryContext, 'asker' | 'settlers'>) => {
      const { startRecoveringAttempts } = await import('./recover-attempts.job.ts');
      return { stop: startRecoveringAttempts({ ...given, asker, settlers: settlers(given.transact) }) };
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

async function withDeadline<Result>(
  durationMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`not done within ${durationMs} ms`));
      controller.abort();
    }, durationMs);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Who decides on which card numbers: our own ledger, and in the sandbox a simulated acquirer for the test cards. An
 * operator's acquirer is added here, with its prefixes and its adapter.
 */
function issuersOf({ mode }: Pick<Config, 'mode'>): Issuers {
  const simulated: Issuer = {
    ...SANDBOX_ISSUER_TERMS,
    prefixes: SANDBOX_CARD_RANGES.map(({ prefix }) => prefix),
    host: sandboxHost(sandboxOutcome),
  };
  return issuerTable(mode === 'sandbox' ? [LEDGER_ISSUER, simulated] : [LEDGER_ISSUER]);
}

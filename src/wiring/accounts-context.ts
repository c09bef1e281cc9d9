import { setTimeout as pause } from 'node:timers/promises';
import type { AccountsContext } from '../accounts/accounts.types.ts';
import { paymentLookUps } from '../accounts/payment-shelves.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import { openingAttemptFinder } from '../issuers/find-opening-attempt.ts';
import { issuerTable, LEDGER_ISSUER, SANDBOX_ISSUER_TERMS } from '../issuers/issuers.rules.ts';
import type { Issuer, Issuers } from '../issuers/issuers.types.ts';
import { sandboxHost } from '../issuers/sandbox-host.adapter.ts';
import { sandboxOutcome } from '../issuers/sandbox-outcomes.rules.ts';
import { ledgerLookUps } from '../ledger/accounts/look-ups.ts';
import type { Ledger } from '../ledger/ledger.types.ts';
import { SANDBOX_CARD_RANGES } from '../vault/sandbox-card-ranges.rules.ts';
import type { VaultContext } from '../vault/vault.types.ts';

/** What account payments are made of. */
export interface AccountsParts {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'read'>;
  readonly vault: VaultContext;
  readonly ledger: Ledger;
}

/** Puts account payments on this process: its clock, its timers, its issuers. */
export function accountsContext({ config, database, vault, ledger }: AccountsParts): AccountsContext {
  return {
    ...vault,
    issuers: issuersOf(config),
    submit: ledger.submit,
    lookUps: { ...ledgerLookUps(database.find), ...paymentLookUps(database.find, database.read) },
    openingAttempt: openingAttemptFinder(database.find),
    now: () => new Date().toISOString(),
    pause: (durationMs) => pause(durationMs),
    withDeadline,
  };
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

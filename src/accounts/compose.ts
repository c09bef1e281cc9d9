import type { Transact } from '../db/transaction.types.ts';
import { renewVerdicts } from '../engine/card-history/card-history.ts';
import { noteReversed } from '../issuers/attempts.ts';
import type { Asker, AttemptSettler } from '../issuers/issuers.types.ts';
import type { Invariant, Journaled } from '../journal/invariants.types.ts';
import { eventsAreNumbered, makersAreKnown } from '../journal/journal-invariants.ts';
import type { Kontor } from '../kontor.types.ts';
import { findAccountByNumber } from '../ledger/accounts/account-number.ts';
import { ledgerLookUps } from '../ledger/accounts/look-ups.ts';
import type { AccountKey, Ledger } from '../ledger/ledger.types.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { AccountsContext } from './accounts.types.ts';
import { settleForwarded } from './follow-up-payment.flow.ts';
import { INVARIANTS } from './invariants.store.ts';
import type { AccountsService } from './opening/accounts.cli.ts';
import { paymentLookUps } from './payment-shelves.ts';
import { giveUpAttempt } from './settle-attempt.ts';
import { noteLimitReached } from './turnover/note-limit.ts';
import { restsOf, turnoversOf } from './turnover/turnover.rules.ts';
import { FIND_LIMITED_CARDS, selectTurnovers } from './turnover/turnover.store.ts';
import type { LimitedCard } from './turnover/turnover.types.ts';

/** What account payments are composed of. */
export interface AccountsParts extends Kontor, Asker, Pick<AccountsContext, 'pause' | 'originalExchange'> {
  readonly ledger: Ledger;
}

const PAYMENTS: Journaled = { table: 'payment', id: 'payment_id', kind: 'payment' };

/** Composes account payments, and who settles their attempts. */
export function composeAccounts({ ledger, ...parts }: AccountsParts) {
  const { config, database } = parts;
  const { transact } = database.background;
  const findLimitedCard = database.find<AccountKey, LimitedCard>(FIND_LIMITED_CARDS);
  const context: AccountsContext = {
    ...parts,
    isSandbox: config.mode === 'sandbox',
    submit: ledger.submit,
    renewVerdicts: async (renewal) => {
      // With one key, which is nearly always, there is nothing to bring, and no transaction.
      if (renewal.earlier.length > 0) await database.transact((inside) => renewVerdicts(inside, renewal));
    },
    renewNumber: async (named) => {
      await database.transact((inside) => findAccountByNumber(inside, parts.keyRing, named));
    },
    turnoversOf: async (account) => turnoversOf(account, await findLimitedCard(account)),
    restsToSpend: async (account) => {
      const ids = turnoversOf(account, await findLimitedCard(account));
      const keys = ids.map((id) => ({ payeeId: account.payeeId, id }));
      return restsOf(await selectTurnovers(database.read, keys), 'Spent');
    },
    noteLimitReached: (stopped) => database.transact((inside) => noteLimitReached(inside, stopped)),
    lookUps: { ...ledgerLookUps(database.find), ...paymentLookUps(database.find, database.read) },
  };
  return {
    context,
    database,
    invariants: accountInvariants(),
    settler: (inBackground: Transact): AttemptSettler => ({
      giveUp: (attempt) => giveUpAttempt(context, attempt),
      settleForwarded: (attempt, answer) => settleForwarded(context, attempt, answer),
      noteTakenBack: (attempt) => inBackground((transaction) => noteReversed(transaction, attempt)),
    }),
    commands: {
      accounts: (): AccountsService => ({
        transact,
        maker: parts,
        whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
      }),
    },
  };
}

/** What `kontor ledger verify` checks of account payments, beside what holds of every movement. */
export function accountInvariants(): readonly Invariant[] {
  return [...INVARIANTS, eventsAreNumbered(PAYMENTS), makersAreKnown(PAYMENTS)];
}

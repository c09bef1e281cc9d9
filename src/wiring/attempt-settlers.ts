import { giveUpAttempt } from '../accounts/settle-attempt.ts';
import { noteReversed } from '../issuers/attempts.ts';
import type { AttemptSettler, AttemptSubject } from '../issuers/issuers.types.ts';
import { giveUpCardAttempt, noteCardAttemptTakenBack } from '../payments/cards/recover-attempt.ts';
import type { Service } from './service.ts';

/** Who settles attempts at issuers that nobody finished: the slice that they are about. */
export function attemptSettlers({
  database,
  accounts,
  cardPayments,
}: Pick<Service, 'database' | 'accounts' | 'cardPayments'>): Readonly<Record<AttemptSubject, AttemptSettler>> {
  return {
    AccountPayment: {
      giveUp: (attempt) => giveUpAttempt(accounts, attempt),
      noteTakenBack: (attempt) => database.background.transact((transaction) => noteReversed(transaction, attempt)),
    },
    CardPayment: {
      giveUp: (attempt) => giveUpCardAttempt(cardPayments, attempt),
      noteTakenBack: (attempt) => noteCardAttemptTakenBack(cardPayments, attempt),
    },
  };
}

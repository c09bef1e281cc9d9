import { PAYMENTS } from '../accounts/account-payments.types.ts';
import { rowsOfTurnovers } from '../accounts/turnover/turnover.rules.ts';
import { Refusal } from '../kit/errors.ts';
import type { CommandKind, Reference } from '../ledger/ledger.types.ts';
import { loadCurrentKey } from './gift-cards.store.ts';
import type { NewCardCommand, NewCardResult, PreDepositCommand, PreDepositResult } from './gift-cards.types.ts';
import { type CurrentKey, decideNewCard } from './new-card.rules.ts';
import { decidePreDeposit } from './pre-deposit.rules.ts';

/** A new card with its first deposit. */
export const NEW_CARD: CommandKind<NewCardCommand, NewCardResult, CurrentKey> = {
  name: 'new-gift-card',
  keys: (command) => ({
    accountIds: [],
    rows: [
      { shelf: PAYMENTS, id: command.paymentId },
      ...(command.card instanceof Refusal ? [] : rowsOfTurnovers(command.card.turnovers)),
    ],
    references: referencesOf(command),
    numberDigests: command.card instanceof Refusal ? [] : command.card.numberDigests,
    isNumbered: true,
  }),
  load: loadCurrentKey,
  decide: decideNewCard,
};

/** Money that comes to a card. */
export const PRE_DEPOSIT: CommandKind<PreDepositCommand, PreDepositResult> = {
  name: 'pre-deposit',
  keys: ({ accountId, paymentId, paymentTransactionRef, turnovers }) => ({
    accountIds: accountId === undefined ? [] : [accountId],
    ...(turnovers.length > 0 && { rows: rowsOfTurnovers(turnovers) }),
    references: [{ scope: 'pre-deposit', reference: paymentTransactionRef, objectId: paymentId, transactionId: null }],
    isNumbered: true,
  }),
  decide: decidePreDeposit,
};

function referencesOf({ nonce, idempotencyKey, paymentId }: NewCardCommand): Reference[] {
  const once: Reference = { scope: 'nonce', reference: nonce, objectId: null, transactionId: null };
  if (idempotencyKey === undefined) return [once];
  return [once, { scope: 'new-gift-card', reference: idempotencyKey, objectId: paymentId, transactionId: null }];
}

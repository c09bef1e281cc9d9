import type { Call } from '../db/batch/batch.types.ts';
import { lockOfCard, lockOfHeader } from '../engine/locks.ts';
import { assert } from '../kit/assert.ts';
import type { CommandKeys, CommandKind, LedgerState } from '../ledger/ledger.types.ts';
import { type CardDecision, referencesOf } from './changes/effects.rules.ts';
import { decideCreation } from './create.rules.ts';
import type {
  AbortCommand,
  ChangeCommand,
  ChangeKind,
  CreateCommand,
  FailOverCommand,
  FinishCommand,
  FollowUpCommand,
  LeaveCommand,
  OnceOnly,
  Outcome,
  ReleaseCommand,
  SettleCommand,
  StartCommand,
  TakenBackCommand,
} from './payment-commands.types.ts';
import { loadedPayment, loadPayments, loadRenewals } from './payments.store.ts';
import type { LoadedPayment, LoadedRow } from './payments.types.ts';
import { decideAbort, decideFollowUp, decideRelease, decideSettlement, decideTakenBack } from './settlement.rules.ts';
import { decideFailOver } from './tries/fail-over.rules.ts';
import { decideFinish, decideLeave, decideStart } from './tries/tries.rules.ts';

/** A new payment. */
export const CREATE_PAYMENT: CommandKind<CreateCommand, Outcome> = {
  name: 'create-card-payment',
  keys: (command) => ({
    references: referencesOf(command, command),
    isNumbered: true,
  }),
  decide: decideCreation,
};

/** A try to pay, or to verify a card. */
export const START_TRY: ChangeKind<StartCommand> = {
  name: 'start-card-payment',
  role: 'Try',
  keys: (command) => ({ ...keysWithReferences(command), isNumbered: true }),
  load: loadPayments,
  decide: underLock(decideStart),
};

/** The same of a card that its payee charges by itself: one at a time of each card, so that none sees fewer than there are. */
export const START_RENEWAL: ChangeKind<StartCommand> = {
  ...START_TRY,
  name: 'start-renewal',
  role: 'Renewal',
  keys: (command) => ({
    ...keysWithReferences(command),
    isNumbered: true,
    locks: [headerOf(command), lockOfCard(command.card.digest)],
  }),
  load: loadRenewals,
};

/** The end of the payer's authentication. */
export const FINISH_AUTHENTICATION: ChangeKind<FinishCommand> = {
  name: 'finish-authentication',
  keys,
  load: loadPayments,
  decide: underLock(decideFinish),
};

/** A payer who goes away from the page. */
export const LEAVE: ChangeKind<LeaveCommand> = {
  name: 'leave-payment-page',
  role: 'Leaving',
  keys: keysWithReferences,
  load: loadPayments,
  decide: underLock(decideLeave),
};

/** A capture, cancellation or reversal. */
export const FOLLOW_UP: ChangeKind<FollowUpCommand> = {
  name: 'follow-up-card-payment',
  keys: (command) => ({ ...keysWithReferences(command), isNumbered: true }),
  load: loadPayments,
  decide: underLock(decideFollowUp),
};

/** What is left of an authorization, given up without its acquirer. */
export const RELEASE: ChangeKind<ReleaseCommand> = {
  name: 'release-card-authorization',
  keys: (command) => ({ ...keys(command), isNumbered: true }),
  load: loadPayments,
  decide: underLock<ReleaseCommand>(decideRelease),
};

/** Another acquirer in the place of one that was not asked. */
export const FAIL_OVER: ChangeKind<FailOverCommand> = {
  name: 'fail-over-card-payment',
  keys,
  load: loadPayments,
  decide: underLock(decideFailOver),
};

/** What an issuer answered. */
export const SETTLE: ChangeKind<SettleCommand> = {
  name: 'settle-card-payment',
  keys: (command) => ({ ...keys(command), ...(command.captureId !== undefined && { isNumbered: true }) }),
  load: loadPayments,
  decide: underLock(decideSettlement),
};

/** An issuer's word that it took an attempt back. */
export const NOTE_TAKEN_BACK: ChangeKind<TakenBackCommand> = {
  name: 'take-back-card-attempt',
  keys,
  load: loadPayments,
  decide: underLock(decideTakenBack),
};

/** An abort, or the end of a payment's time. */
export const ABORT: ChangeKind<AbortCommand> = {
  name: 'abort-card-payment',
  role: 'Abort',
  keys,
  load: loadPayments,
  decide: underLock(decideAbort),
};

/** What changes of a payment load of it: for kinds of a slice above, which lock more than the payment. */
export const loadOfPayments: (commands: readonly ChangeCommand[]) => Call = loadPayments;

/** The same of renewals. */
export const loadOfRenewals: (commands: readonly ChangeCommand[]) => Call = loadRenewals;

/** What rules see of a payment that was loaded. */
export const seenByRules: (row: LoadedRow) => LoadedPayment = loadedPayment;

/** A payment of an order changes under the lock of that alone: nothing else decides on it. */
function underLock<Command extends ChangeCommand>(
  decide: (state: LedgerState<LoadedPayment>, command: Command) => CardDecision,
): (state: LedgerState<LoadedRow>, command: Command) => CardDecision {
  return (state, command) => {
    const [row] = state.rows;
    assert((row?.orderId ?? undefined) === command.orderId, 'a payment of an order changes under the lock of that');
    return decide({ ...state, rows: state.rows.map(loadedPayment) }, command);
  };
}

function keys(command: ChangeCommand): CommandKeys {
  return { references: [], locks: [headerOf(command)] };
}

/** A payment of an order changes under the lock of that. */
const headerOf = ({ paymentId, orderId }: ChangeCommand) => lockOfHeader(orderId ?? paymentId);

function keysWithReferences(command: ChangeCommand & OnceOnly): CommandKeys {
  return { ...keys(command), references: referencesOf(command, command) };
}

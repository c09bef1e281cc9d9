import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { prepareEffect } from './apply-effect.rules.ts';
import type { CommandKeys, CommandKind, LedgerCommand, LedgerState, TakenReference } from './ledger.types.ts';
import { referenceName, releaseReference, type Workspace } from './workspace.rules.ts';

/** A kind whose words the ledger does not know: it passes them on. */
export type AnyKind = CommandKind<LedgerCommand, unknown, unknown, unknown>;

/** A command with its kind and what the kind needs for it. */
export interface KeyedCommand {
  readonly kind: AnyKind;
  readonly command: LedgerCommand;
  readonly keys: CommandKeys;
}

/** What a command's decision came to. */
export interface Decided {
  readonly result: unknown;
  /** For the kind's `save`. */
  readonly extras: readonly unknown[];
}

/** The reference that a command takes, as a row; undefined where it takes none. */
export function claimOf({ command, keys }: KeyedCommand): TakenReference | undefined {
  if (keys.reference === undefined) return undefined;
  return { ...keys.reference, payeeId: command.payeeId, commandId: command.commandId };
}

/**
 * Decides one command on the state that the one before it left, and puts its effect into the workspace. A command
 * without an effect gives back the reference that it has just taken.
 *
 * @param rows what the kind's `load` found for it
 * @throws Refusal as the kind's `decide`
 * @throws BrokenBelief where the kind's rule let through what must never be
 */
export function decideCommand(workspace: Workspace, keyed: KeyedCommand, rows: readonly unknown[]): Decided {
  const { kind, command } = keyed;
  const claim = claimOf(keyed);
  const { answer, effect } = kind.decide(stateFor(workspace, keyed, rows), command);
  if (effect === undefined) {
    if (claim !== undefined) releaseReference(workspace, claim);
    return { result: answer({ payment: undefined, transaction: undefined }), extras: [] };
  }
  assert(claim === undefined || isFree(workspace, claim), 'a command whose reference is taken has no effect');
  const { applied, install } = prepareEffect(workspace, command, effect);
  const result = answer(applied);
  install();
  return { result, extras: effect.extras ?? [] };
}

/** What the command may see: rows of its own payee, whoever else is in the batch. */
function stateFor(workspace: Workspace, keyed: KeyedCommand, rows: readonly unknown[]): LedgerState<unknown> {
  const claim = claimOf(keyed);
  const own = <Row extends { readonly payeeId: PayeeId }>(row: Row | undefined) =>
    row?.payeeId === keyed.command.payeeId ? row : undefined;
  return {
    now: workspace.now,
    account: (accountId) => own(workspace.accounts.get(accountId)),
    payment: (paymentId) => own(workspace.payments.get(paymentId)),
    transaction: (transactionId) => own(workspace.transactions.get(transactionId)),
    taken: claim === undefined || isFree(workspace, claim) ? undefined : takenBy(workspace, claim),
    rows,
  };
}

/** Whether the batch has taken the reference for the command that now asks. */
function isFree({ claimed }: Workspace, claim: TakenReference): boolean {
  return claimed.has(referenceName(claim));
}

function takenBy({ references }: Workspace, claim: TakenReference): TakenReference {
  const taken = references.get(referenceName(claim));
  assert(taken !== undefined, 'a reference that was not free is somebody’s');
  return taken;
}

import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { later } from '../kit/instants.ts';
import { prepareEffect } from './apply-effect.rules.ts';
import type {
  CommandKeys,
  CommandKind,
  Effect,
  LedgerCommand,
  LedgerState,
  ReferenceScope,
  TakenReference,
} from './ledger.types.ts';
import {
  type Claim,
  notBefore,
  numberName,
  referenceName,
  releaseReference,
  rowsOn,
  type Workspace,
} from './workspace.rules.ts';

/** A kind whose words the ledger does not know: it passes them on. */
export type AnyKind = CommandKind<LedgerCommand, unknown, unknown>;

/** A command with its kind and what the kind needs for it. */
export interface KeyedCommand {
  readonly kind: AnyKind;
  readonly command: LedgerCommand;
  readonly keys: CommandKeys;
  readonly claims: readonly Claim[];
}

/** Adds to a command what it needs: its rows are the same wherever it is asked for them. */
export function keyCommand({ kind, command }: Pick<KeyedCommand, 'kind' | 'command'>): KeyedCommand {
  const { payeeId, commandId } = command;
  const keys = kind.keys(command);
  const claims = keys.references.map((own) => ({
    ...own,
    payeeId,
    commandId,
    name: referenceName({ ...own, payeeId }),
  }));
  return { kind, command, keys, claims };
}

/**
 * Decides one command on the state that the one before it left, and puts its effect into the workspace. A command
 * without an effect gives back the references that it has just taken.
 *
 * @param rows what the kind's `load` found for it
 * @throws Refusal as the kind's `decide`
 * @throws AssertionFailure where the kind's rule let through what must never be
 */
export function decideCommand(batch: Workspace, keyed: KeyedCommand, rows: readonly unknown[]): unknown {
  const { kind, command, claims } = keyed;
  const workspace = notBefore(batch, lastChangeOf(batch, keyed, rows));
  const taken = claims.filter(({ name }) => !workspace.claimed.has(name));
  const { answer, effect } = kind.decide(stateFor(workspace, keyed, { taken, rows }), command);
  if (effect === undefined) {
    for (const claim of claims) releaseReference(workspace, claim);
    return answer();
  }
  assert(
    (taken.length === 0 && !effect.isAttempt) || !movesAnything(effect),
    'only a command that holds its references moves anything',
  );
  const { install } = prepareEffect(workspace, command, effect);
  const result = answer();
  install();
  if (effect.isAttempt) for (const claim of claims) releaseReference(workspace, claim);
  return result;
}

function movesAnything({ rows = [], movements = [], opened = [] }: Effect): boolean {
  return rows.length > 0 || movements.length > 0 || opened.length > 0;
}

/** When what a command names was last changed, as far as it says so; the time of the batch where nothing is later. */
function lastChangeOf(workspace: Workspace, { keys }: KeyedCommand, rows: readonly unknown[]): string {
  let last = workspace.now;
  for (const { shelf, id } of keys.rows ?? []) {
    last = later(last, rowsOn(workspace, shelf).get(id)?.updatedAt ?? last);
  }
  // Rows of other slices say it by a member of this name, where they have one.
  for (const row of rows as readonly { readonly updatedAt?: string | null }[])
    last = later(last, row.updatedAt ?? last);
  return last;
}

/** What was found for a command. */
interface Found {
  /** Those of its references that the batch has not just taken for it. */
  readonly taken: readonly Claim[];
  readonly rows: readonly unknown[];
}

/** What the command may see: rows of its own payee, whatever else is in the batch. */
function stateFor(
  workspace: Workspace,
  { command: { payeeId, commandId }, keys }: KeyedCommand,
  { taken, rows }: Found,
): LedgerState<unknown> {
  const takenIn = (scope: ReferenceScope) => taken.find((claim) => claim.scope === scope);
  const own = <Row extends { readonly payeeId: PayeeId }>(row: Row | undefined) =>
    row?.payeeId === payeeId ? row : undefined;
  return {
    now: workspace.now,
    account: (accountId) => own(workspace.accounts.get(accountId)),
    // Who names the shelf knows what stands on it.
    row: (shelf, id) => (id === null ? undefined : (own(rowsOn(workspace, shelf).get(id)) as never)),
    taken: takenBy(workspace, taken[0]),
    takenIn: (scope) => takenBy(workspace, takenIn(scope)),
    isNumberTaken: (keys.numberDigests ?? []).some((digest) => workspace.numbers.has(numberName(payeeId, digest))),
    paymentNumber: workspace.paymentNumbers.get(commandId),
    rows,
  };
}

function takenBy({ references }: Workspace, claim: Claim | undefined): TakenReference | undefined {
  if (claim === undefined) return undefined;
  const taken = references.get(claim.name);
  assert(taken !== undefined, 'a reference that was not free stands for something');
  return taken;
}

import { SERVICE } from '../../kit/caller.ts';
import { EXPIRED_HOLDS } from '../../kit/limits.ts';
import { prepareEffect } from '../apply-effect.rules.ts';
import type { Account, AccountId, Holds, ShelfRow } from '../ledger.types.ts';
import { type Loaded, notBefore, rowsOn, type Workspace } from '../workspace.rules.ts';

/**
 * Releases the holds whose time is over on the accounts that the batch has locked, before any command sees them: so
 * expiry happens under the lock like every other change. At most so many for each account; the next batch goes on.
 */
export function expireHolds(workspace: Workspace, { accounts, rows, held }: Loaded, holds: Holds<ShelfRow>): void {
  const { shelf, holdOf } = holds;
  const asked = rows.get(shelf.name) ?? [];
  for (const { accountId } of accounts) {
    const first = held.get(accountId) ?? [];
    // A row that a command asks for by its id is among them at the latest now, however many came before it.
    const own = asked.filter((row) => holdOf(row).accountId === accountId);
    const over = [...first.slice(0, EXPIRED_HOLDS), ...own].filter((row) => isOver(holdOf(row), workspace.now));
    for (const id of new Set(over.map((row) => shelf.idOf(row)))) end(workspace, holds, id);
    if (held.has(accountId)) noteNextHold(workspace, { accountId, first }, holds);
  }
}

function isOver({ expiresAt }: ReturnType<Holds<ShelfRow>['holdOf']>, now: string): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function end(workspace: Workspace, { shelf, holdOf, end }: Holds<ShelfRow>, id: string | null): void {
  const row = id === null ? undefined : rowsOn(workspace, shelf.name).get(id);
  const account = row && workspace.accounts.get(holdOf(row).accountId);
  if (row === undefined || account === undefined) return;
  const then = notBefore(workspace, row.updatedAt);
  const cause = { payeeId: row.payeeId, actor: SERVICE };
  prepareEffect(then, cause, end(row, { account, now: then.now })).install();
}

/** The first hold that is still open is the next to expire. */
function noteNextHold(
  workspace: Workspace,
  { accountId, first }: { readonly accountId: AccountId; readonly first: readonly ShelfRow[] },
  { shelf, holdOf }: Holds<ShelfRow>,
): void {
  const account: Account | undefined = workspace.accounts.get(accountId);
  if (account === undefined) return;
  const next = first.map((row) => holdOf(rowsOn(workspace, shelf.name).get(shelf.idOf(row) ?? '') ?? row).expiresAt);
  const nextHoldExpiresAt = next.find((instant) => instant !== null) ?? null;
  if (nextHoldExpiresAt === account.nextHoldExpiresAt) return;
  workspace.accounts.set(accountId, { ...account, nextHoldExpiresAt, version: account.version + 1 });
}

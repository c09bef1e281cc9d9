import type { AccountId, CommandKind, LedgerCommand } from '../ledger.types.ts';

/** A command that does nothing but lock an account. */
export interface TouchAccount extends LedgerCommand {
  readonly accountId: AccountId;
}

/** Every batch releases the holds whose time is over on the accounts that it locks: so to touch an account is enough. */
export const TOUCH_ACCOUNT: CommandKind<TouchAccount, void> = {
  name: 'touch-account',
  keys: ({ accountId }) => ({ accountIds: [accountId], references: [] }),
  decide: () => ({ answer: () => undefined }),
};

import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import { sandboxNeedsAuthentication } from '../issuers/sandbox-cards.rules.ts';
import { uuidV4 } from '../kit/ids.ts';
import type { CardPaymentsContext } from '../payments/payments.types.ts';
import { findTokens } from '../tokens/find-tokens.ts';
import type { TokenGuid } from '../tokens/tokens.types.ts';
import type { VaultContext } from '../vault/vault.types.ts';

/** What card payments are made of. */
export interface CardPaymentsParts {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'find' | 'read'>;
  readonly vault: VaultContext & Pick<CardPaymentsContext, 'cardPrefixes'>;
  readonly accounts: AccountsContext;
}

/** Puts card payments on this process. They ask the same issuers as account payments do. */
export function cardPaymentsContext({ config, database, vault, accounts }: CardPaymentsParts): CardPaymentsContext {
  const isSandbox = config.mode === 'sandbox';
  return {
    ...vault,
    issuers: accounts.issuers,
    withDeadline: accounts.withDeadline,
    submit: accounts.submit,
    read: database.read,
    tokens: { ...vault, read: database.read, findToken: findTokens(database.find) },
    isSandbox,
    // An operator's acquirer says so itself; in the sandbox the test card does.
    needsAuthentication: (number) => isSandbox && sandboxNeedsAuthentication(number),
    newToken: () => uuidV4() as TokenGuid,
    pause: accounts.pause,
  };
}

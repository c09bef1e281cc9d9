import type { AccountsContext } from '../../src/accounts/accounts.types.ts';
import { firstSight } from '../../src/accounts/identifying/ask-balance.ts';
import {
  type OpenedAccount,
  OWN_DIGITS,
  openStoredValue,
  ownNumber,
} from '../../src/accounts/opening/open-stored-value.ts';
import type { Transaction } from '../../src/db/transaction.types.ts';
import { assert } from '../../src/kit/assert.ts';
import type { Actor } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { amountMinor, type Currency } from '../../src/kit/money.ts';
import { Secret } from '../../src/kit/secret.ts';
import { SANDBOX_TEST_CARDS } from '../cards/test-cards.rules.ts';

/** A stored-value account of the sandbox, in plain text: it is worth nothing elsewhere. */
export type SandboxAccount = OpenedAccount;

/** A test card, as `sandbox.json` shows it. */
export interface SandboxTestCard {
  readonly paymentAccountId: string;
  readonly accountKey: string;
  readonly cvc: string;
  readonly expiryDate: string;
  readonly brand: string;
  readonly threeDSecure: boolean;
}

/** What the sandbox has to pay with. */
export interface SandboxAccounts {
  readonly accounts: readonly SandboxAccount[];
  readonly testCards: readonly SandboxTestCard[];
}

/** Whose they are, and who makes them. */
interface Owner {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

const EXPIRES_ON = '2039-12-31';
const OPENING_BALANCE = amountMinor(1_000_000_000);
const CURRENCIES = ['NOK', 'SEK'] as Currency[];

/**
 * Makes sure that the sandbox's payee has stored-value accounts and knows the accounts of the test cards. The numbers are
 * the same in every sandbox, so an account is found again also where `sandbox.json` was lost.
 */
export async function ensureSandboxAccounts(
  transaction: Transaction,
  context: AccountsContext,
  owner: Owner,
): Promise<SandboxAccounts> {
  const accounts: SandboxAccount[] = [];
  for (const [index, currency] of CURRENCIES.entries()) {
    const number = ownNumber(String(index + 1).padStart(OWN_DIGITS, '0'));
    const terms = {
      ...owner,
      number,
      currency,
      expiresOn: EXPIRES_ON,
      cvcRequired: false,
      openingBalance: OPENING_BALANCE,
    };
    accounts.push(await openStoredValue(transaction, context, terms));
  }
  const testCards: SandboxTestCard[] = [];
  for (const { number, brand, expiry, cvc, needsAuthentication } of SANDBOX_TEST_CARDS) {
    const account = await firstSight(transaction, context, { ...owner, number: new Secret(number) });
    assert(account !== undefined, 'a test card lies in the ranges of the sandbox’s issuer');
    testCards.push({
      paymentAccountId: account.accountId,
      accountKey: number,
      cvc,
      expiryDate: expiry,
      brand,
      threeDSecure: needsAuthentication,
    });
  }
  return { accounts, testCards };
}

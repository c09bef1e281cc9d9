import type { Transaction } from '../db/transaction.types.ts';
import { LEDGER_ISSUER, OWN_PREFIX } from '../issuers/issuers.rules.ts';
import type { Issuers } from '../issuers/issuers.types.ts';
import { SANDBOX_TEST_CARDS } from '../issuers/sandbox-cards.rules.ts';
import type { KeyRing } from '../keys/keys.types.ts';
import { loadWriteKeys } from '../keys/load-write-keys.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { maskCardNumber, passesLuhn } from '../kit/card-number.ts';
import type { PayeeId } from '../kit/ids.ts';
import { amountMinor, type Currency } from '../kit/money.ts';
import { Secret } from '../kit/secret.ts';
import { openAccount } from '../ledger/open-account.ts';
import { brandOf } from '../vault/brands.rules.ts';
import { firstSight } from './ask-balance.ts';
import { cvcOf } from './cvc.rules.ts';

/** A stored-value account of the sandbox, as `sandbox.json` shows it: in plain text, for it is worth nothing elsewhere. */
export interface SandboxAccount {
  readonly paymentAccountId: string;
  readonly accountKey: string;
  readonly cvc: string;
  /** `MM/YY`. */
  readonly expiryDate: string;
  readonly currency: string;
  /** What it held at first. */
  readonly balance: number;
  readonly instrument: string;
}

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

interface World {
  readonly keyRing: KeyRing;
  readonly issuers: Issuers;
  readonly newId: () => string;
}

/** Whose they are, and who makes them. */
interface Owner {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

const EXPIRES_ON = '2039-12-31';
const EXPIRY_DATE = '12/39';
const OPENING_BALANCE = amountMinor(1_000_000_000);
const CURRENCIES = ['NOK', 'SEK'] as Currency[];

/**
 * Makes sure that the sandbox's payee has stored-value accounts and knows the accounts of the test cards. The numbers are
 * the same in every sandbox, so an account is found again also where `sandbox.json` was lost.
 */
export async function ensureSandboxAccounts(
  transaction: Transaction,
  world: World,
  owner: Owner,
): Promise<SandboxAccounts> {
  const accounts: SandboxAccount[] = [];
  for (const [index, currency] of CURRENCIES.entries()) {
    accounts.push(await ensureAccount(transaction, world, { owner, currency, number: ownNumber(index + 1) }));
  }
  const testCards: SandboxTestCard[] = [];
  for (const { number, cvc, expiryDate, threeDSecure } of SANDBOX_TEST_CARDS) {
    const account = await firstSight(transaction, world, { ...owner, number: new Secret(number) });
    assert(account !== undefined, 'a test card lies in the ranges of the sandbox’s issuer');
    testCards.push({
      paymentAccountId: account.accountId,
      accountKey: number,
      cvc,
      expiryDate,
      brand: brandOf(number) ?? 'Unknown',
      threeDSecure,
    });
  }
  return { accounts, testCards };
}

async function ensureAccount(
  transaction: Transaction,
  world: World,
  { owner, currency, number }: { readonly owner: Owner; readonly currency: Currency; readonly number: string },
): Promise<SandboxAccount> {
  const { payeeId, actor } = owner;
  const keyId = (await loadWriteKeys(transaction, world.keyRing)).current['card-verification'];
  const draft = {
    payeeId,
    number: new Secret(number),
    kind: 'StoredValue',
    instrument: 'prepaid',
    issuer: LEDGER_ISSUER.issuerId,
    currency,
    numberMasked: maskCardNumber(number),
    expiresOn: EXPIRES_ON,
    cvcRequired: false,
    cvcKeyId: keyId,
    cvcSequence: 1,
    allowedProductIds: [],
    largestBalance: null,
    openingBalance: OPENING_BALANCE,
  } as const;
  const account = await openAccount(transaction, world, { draft, actor });
  const { accountId, cvcKeyId, cvcSequence, expiresOn, instrument } = account;
  assert(cvcKeyId !== null && expiresOn !== null, 'an account of the sandbox has an expiry and a code');
  const basis = { payeeId, keyId: cvcKeyId, number: draft.number, expiresOn, sequence: cvcSequence };
  return {
    paymentAccountId: accountId,
    accountKey: number,
    cvc: cvcOf(world.keyRing, basis).reveal(),
    expiryDate: EXPIRY_DATE,
    currency,
    balance: OPENING_BALANCE,
    instrument,
  };
}

/** A number of 16 digits with our own prefix and a Luhn digit. */
function ownNumber(index: number): string {
  const body = OWN_PREFIX + String(index).padStart(15 - OWN_PREFIX.length, '0');
  const digit = Array.from('0123456789').find((candidate) => passesLuhn(body + candidate));
  return `${body}${digit}`;
}

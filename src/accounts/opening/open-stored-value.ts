import type { Transaction } from '../../db/transaction.types.ts';
import { LEDGER_ISSUER, OWN_PREFIX } from '../../issuers/issuers.rules.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { maskCardNumber, passesLuhn } from '../../kit/cards/card-number.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { openAccount } from '../../ledger/accounts/open-account.ts';
import { cvcOf } from '../identifying/cvc.rules.ts';

/** A stored-value account of our own, with what its number is used with: shown once, and in a sandbox for ever. */
export interface OpenedAccount {
  readonly paymentAccountId: string;
  readonly accountKey: string;
  readonly cvc: string;
  /** `MM/YY`. */
  readonly expiryDate: string;
  readonly currency: string;
  /** What it held at first, in minor units. */
  readonly balance: number;
  readonly instrument: string;
}

/** What a stored-value account is to be like. */
export interface StoredValueTerms {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly number: Secret;
  readonly currency: Currency;
  /** The last day, `YYYY-MM-DD`: the end of its month. */
  readonly expiresOn: string;
  readonly cvcRequired: boolean;
  readonly openingBalance: AmountMinor;
}

/** Opens a stored-value account with a number of ours, or finds the one that has it. */
export async function openStoredValue(
  transaction: Transaction,
  context: Kontor,
  { actor, ...terms }: StoredValueTerms,
): Promise<OpenedAccount> {
  const { payeeId, number, openingBalance } = terms;
  const draft = {
    ...terms,
    kind: 'StoredValue',
    instrument: 'prepaid',
    issuer: LEDGER_ISSUER.issuerId,
    numberMasked: maskCardNumber(number.reveal()),
    cvcKeyId: (await loadWriteKeys(transaction, context.keyRing)).current['card-verification'],
    cvcSequence: 1,
    allowedProductIds: [],
    largestBalance: null,
  } as const;
  const account = await openAccount(transaction, context, { draft, actor });
  const { accountId, cvcKeyId, cvcSequence, expiresOn, instrument, currency } = account;
  assert(
    cvcKeyId !== null && expiresOn !== null && currency !== null,
    'stored value has an expiry, a code, a currency',
  );
  const basis = { payeeId, keyId: cvcKeyId, number, expiresOn, sequence: cvcSequence };
  return {
    paymentAccountId: accountId,
    accountKey: number.reveal(),
    cvc: cvcOf(context.keyRing, basis).reveal(),
    expiryDate: `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`,
    currency,
    balance: openingBalance,
    instrument,
  };
}

/** Digits of a number of ours that are not its prefix and not the digit that checks them. */
export const OWN_DIGITS = 15 - OWN_PREFIX.length;

/** A number of 16 digits with our own prefix and a Luhn digit. */
export function ownNumber(digits: string): Secret {
  assert(digits.length === OWN_DIGITS, 'the digits fill the number up to its check digit');
  const body = OWN_PREFIX + digits;
  const digit = Array.from('0123456789').find((candidate) => passesLuhn(body + candidate));
  return new Secret(`${body}${digit}`);
}

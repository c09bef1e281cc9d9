import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { FORGET_ROWS, PAYER_MONTHS } from '../../kit/limits.ts';
import { forgetCircumstances } from './circumstances.store.ts';
import { placeOfHolder, placeOfPayer } from './payer-data.rules.ts';
import {
  forgetHolders,
  forgetPayers,
  lockClearHolders,
  lockClearPayers,
  sealHolders,
  sealPayers,
} from './payers.store.ts';
import { sealPayerData } from './sealed-payers.ts';

/** Erases some payers of payments that ended long ago, and names on cards; whether there may be more. */
export async function forgetSomeCardPayers(transaction: Transaction): Promise<boolean> {
  const portion = { months: PAYER_MONTHS, limit: FORGET_ROWS };
  const payers = await forgetPayers(transaction, portion);
  const holders = await forgetHolders(transaction, portion);
  return payers === FORGET_ROWS || holders === FORGET_ROWS;
}

/** Takes from some payments that ended so long ago what their payers paid with, and metadata; whether there may be more. */
export async function endCircumstancesOfCards(
  transaction: Transaction,
  portion: { readonly days: number; readonly limit: number },
): Promise<boolean> {
  return (await forgetCircumstances(transaction, portion)) === portion.limit;
}

/** Seals some payers and names that versions before have left in the clear; whether there may be more. */
export async function sealSomePayers(transaction: Transaction, keyRing: KeyRing): Promise<boolean> {
  const keyId = keyRing.current('card-data');
  const payers = await lockClearPayers(transaction, FORGET_ROWS);
  const sealedPayers = payers.map(({ cardholder, ...key }) => ({
    ...key,
    sealed: sealPayerData(keyRing, placeOfPayer(key), cardholder).sealed,
  }));
  if (payers.length > 0)
    assert((await sealPayers(transaction, sealedPayers, keyId)) === payers.length, 'each is sealed');
  const holders = await lockClearHolders(transaction, FORGET_ROWS);
  const sealedHolders = holders.map(({ holderName, ...key }) => ({
    ...key,
    sealed: sealPayerData(keyRing, placeOfHolder(key), holderName).sealed,
  }));
  if (holders.length > 0) {
    assert((await sealHolders(transaction, sealedHolders, keyId)) === holders.length, 'each name is sealed');
  }
  return payers.length === FORGET_ROWS || holders.length === FORGET_ROWS;
}

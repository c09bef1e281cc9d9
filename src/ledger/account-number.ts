import type { Transaction } from '../db/transaction.types.ts';
import type { KeyRing } from '../keys/keys.types.ts';
import { loadWriteKeys } from '../keys/load-write-keys.ts';
import type { PayeeId } from '../kit/ids.ts';
import { equalDigests, Secret } from '../kit/secret.ts';
import type { AccountsWorld, KnownAccount } from './ledger.types.ts';
import { selectAccountByNumber } from './read-ledger.store.ts';

/** What is digested of an account's number; the words keep it apart from whatever else the key digests. */
export function numberIdentity(number: Secret): Secret {
  return new Secret(`account number ${number.reveal()}`);
}

/** Whether a number is this account's. */
export function isNumberOf(keyRing: KeyRing, account: KnownAccount, number: Secret): boolean {
  const digest = keyRing.digest(account.numberKeyId, account.payeeId, numberIdentity(number));
  return equalDigests(digest, account.numberDigest);
}

/** The payee's account with this number, under whichever key it was digested; undefined where there is none. */
export async function findAccountByNumber(
  transaction: Transaction,
  { keyRing }: Pick<AccountsWorld, 'keyRing'>,
  { payeeId, number }: { readonly payeeId: PayeeId; readonly number: Secret },
): Promise<KnownAccount | undefined> {
  const { live } = await loadWriteKeys(transaction, keyRing);
  const digests = live.identity.map((keyId) => keyRing.digest(keyId, payeeId, numberIdentity(number)));
  const { rows } = await selectAccountByNumber(transaction, { payeeId, digests });
  return rows[0];
}

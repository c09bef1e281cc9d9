import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyId, KeyRing, WriteKeys } from '../../keys/keys.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { equalDigests, Secret } from '../../kit/secret.ts';
import type { KnownAccount, NumberKey } from '../ledger.types.ts';
import type { AccountIdentity } from './ledger-reads.types.ts';
import { NO_NUMBER_KEY } from './number-ends.types.ts';
import { endNumbers, type RenewedNumber, updateNumbers } from './number-keys.store.ts';
import { readNumbers, selectAccountsByNumber } from './read-ledger.store.ts';

/** What is digested of an account's number; the words keep it apart from whatever else the key digests. */
export function numberIdentity(number: Secret): Secret {
  return new Secret(`account number ${number.reveal()}`);
}

/** Whether a number is this account's. */
export function isNumberOf(keyRing: KeyRing, account: AccountIdentity, number: Secret): boolean {
  // One whose digest has ended costs the same work as any other.
  const keyId = account.numberKeyId === NO_NUMBER_KEY ? keyRing.current('account-numbers') : account.numberKeyId;
  const digest = keyRing.digest(keyId, account.payeeId, numberIdentity(number));
  return equalDigests(digest, account.numberDigest);
}

/** A number of a payee's account. */
interface NamedNumber {
  readonly payeeId: PayeeId;
  readonly number: Secret;
}

/** The payee's account with this number, under whichever key it was digested; undefined where there is none. */
export async function findAccountByNumber(
  transaction: Transaction,
  keyRing: KeyRing,
  named: NamedNumber,
): Promise<KnownAccount | undefined> {
  const [found] = await findAccountsByNumber(transaction, keyRing, [named]);
  return found;
}

/**
 * The same of several numbers, by one statement: in their order. One that is under a previous key comes under the current one: few
 * accounts have their number stored, so a rotation cannot move the others. One that ends soon is put off.
 */
export async function findAccountsByNumber(
  transaction: Transaction,
  keyRing: KeyRing,
  named: readonly NamedNumber[],
): Promise<readonly (KnownAccount | undefined)[]> {
  const { current, live } = await loadWriteKeys(transaction, keyRing);
  const keys = named.flatMap(({ payeeId, number }, of) =>
    digestsOfNumber(keyRing, live, { payeeId, number }).map((numberDigest) => ({ payeeId, numberDigest, of })),
  );
  const found = new Array<KnownAccount | undefined>(named.length).fill(undefined);
  for (const { position, ...account } of await selectAccountsByNumber(transaction, keys)) {
    found[keys[position - 1]?.of ?? -1] = account;
  }
  const to = current['account-numbers'];
  const renewals = named.flatMap(({ payeeId, number }, of) => {
    const account = found[of];
    if (account === undefined || (account.numberKeyId === to && !account.numberEndsSoon)) return [];
    const { accountId, numberKeyId: from } = account;
    return [{ payeeId, accountId, from, digest: keyRing.digest(to, payeeId, numberIdentity(number)) }];
  });
  const renewed = await renewNumbers(transaction, renewals, to);
  // Another one has renewed it, or the job has ended it: then it is not the card's account any more.
  return renewed === renewals.length ? found : findAccountsByNumber(transaction, keyRing, named);
}

/** Gives accounts these digests and the time of a use, where theirs is still under the key that was seen; answers how many. */
export async function renewNumbers(
  transaction: Transaction,
  numbers: readonly RenewedNumber[],
  to: KeyId,
): Promise<number> {
  return numbers.length === 0 ? 0 : updateNumbers(transaction, numbers, to);
}

/** A number under every live key, the current one first. */
export function digestsOfNumber(keyRing: KeyRing, live: WriteKeys['live'], { payeeId, number }: NamedNumber): Buffer[] {
  return live['account-numbers'].map((keyId) => keyRing.digest(keyId, payeeId, numberIdentity(number)));
}

/** A number under the key that is current. */
export function currentDigest(keyRing: KeyRing, { payeeId, number }: NamedNumber): Buffer {
  return keyRing.digest(keyRing.current('account-numbers'), payeeId, numberIdentity(number));
}

/** Which of the payee's numbers have an account, by their digests in hexadecimal. */
export async function takenNumbers(
  transaction: Transaction,
  payeeId: PayeeId,
  digests: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const { statement, values } = readNumbers(digests.map((numberDigest) => ({ payeeId, numberDigest })));
  const { rows } = await transaction.run<NumberKey>(statement, values);
  return new Set(rows.map(({ numberDigest }) => numberDigest.toString('hex')));
}

/** Takes the digests of external cards' numbers off some accounts whose time is over, and answers of how many. */
export function endExternalNumbers(transaction: Transaction, limit: number): Promise<number> {
  return endNumbers(transaction, limit);
}

import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyRing, WriteKeys } from '../../keys/keys.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { equalDigests, Secret } from '../../kit/secret.ts';
import type { KnownAccount, NumberKey } from '../ledger.types.ts';
import type { AccountIdentity } from './ledger-reads.types.ts';
import type { AccountsContext } from './open-account.types.ts';
import { readNumbers, selectAccountsByNumber } from './read-ledger.store.ts';

/** What is digested of an account's number; the words keep it apart from whatever else the key digests. */
export function numberIdentity(number: Secret): Secret {
  return new Secret(`account number ${number.reveal()}`);
}

/** Whether a number is this account's. */
export function isNumberOf(keyRing: KeyRing, account: AccountIdentity, number: Secret): boolean {
  const digest = keyRing.digest(account.numberKeyId, account.payeeId, numberIdentity(number));
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
  context: Pick<AccountsContext, 'keyRing'>,
  named: NamedNumber,
): Promise<KnownAccount | undefined> {
  const [found] = await findAccountsByNumber(transaction, context, [named]);
  return found;
}

/** The same of several numbers, by one statement: in their order. */
export async function findAccountsByNumber(
  transaction: Transaction,
  { keyRing }: Pick<AccountsContext, 'keyRing'>,
  named: readonly NamedNumber[],
): Promise<readonly (KnownAccount | undefined)[]> {
  const { live } = await loadWriteKeys(transaction, keyRing);
  const keys = named.flatMap(({ payeeId, number }, of) =>
    digestsOfNumber(keyRing, live, { payeeId, number }).map((numberDigest) => ({ payeeId, numberDigest, of })),
  );
  const found = new Array<KnownAccount | undefined>(named.length).fill(undefined);
  for (const { position, ...account } of await selectAccountsByNumber(transaction, keys)) {
    found[keys[position - 1]?.of ?? -1] = account;
  }
  return found;
}

/** A number under every live key, the current one first. */
export function digestsOfNumber(keyRing: KeyRing, live: WriteKeys['live'], { payeeId, number }: NamedNumber): Buffer[] {
  return live.identity.map((keyId) => keyRing.digest(keyId, payeeId, numberIdentity(number)));
}

/** A number under the key that is current. */
export function currentDigest(keyRing: KeyRing, { payeeId, number }: NamedNumber): Buffer {
  return keyRing.digest(keyRing.current('identity'), payeeId, numberIdentity(number));
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

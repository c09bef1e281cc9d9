import { cvcOf } from '../../accounts/identifying/cvc.rules.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { GIFT_CARD_BATCH } from '../../kit/limits.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { lockCardFiles, selectIssued } from '../gift-cards.store.ts';
import type { IssueRun } from './bulk.types.ts';
import type { WrittenCard } from './card-lines.ts';

/** The first code of a card. */
const FIRST_CODE = 1;

/**
 * How many of the cards in a file exist. A batch is on the disk before it is committed, so of a run that was cut off the
 * last ones may have come to nothing. It waits until such a run's last transaction has ended, one way or the other.
 *
 * @throws Trouble where the file is not the work of runs like this one on this database
 */
export async function keepIssued(
  transaction: Transaction,
  keyRing: KeyRing,
  { run, cards }: { readonly run: Omit<IssueRun, 'count'>; readonly cards: readonly WrittenCard[] },
): Promise<number> {
  const { payeeId, product, amount, path } = run;
  const another = new Trouble(`${path} is there and holds something else. Name another file.`);
  const isAlike = ({ balance, currency }: WrittenCard) => balance === amount && currency === product.currency;
  if (!cards.every(isAlike)) throw another;
  await lockCardFiles(transaction, payeeId);
  let kept = 0;
  for (let from = 0; from < cards.length; from += GIFT_CARD_BATCH) {
    const accountIds = cards.slice(from, from + GIFT_CARD_BATCH).map(({ accountId }) => accountId);
    const issued = await selectIssued(transaction, payeeId, accountIds);
    if ([...issued.values()].some((productId) => productId !== product.productId)) throw another;
    const missing = accountIds.findIndex((accountId) => !issued.has(accountId));
    kept = missing === -1 ? from + accountIds.length : from + missing;
    if (missing === -1) continue;
    // Behind the first card that does not exist no other one may.
    if (issued.size > missing) throw another;
    break;
  }
  const lost = cards.slice(kept);
  // What is sealed does not show its codes: there the cards before must exist here.
  const isOurs =
    run.seal === undefined ? await areOurs(transaction, keyRing, { run, cards: lost }) : kept > 0 || cards.length === 0;
  if (lost.length > GIFT_CARD_BATCH || !isOurs) throw another;
  return kept;
}

/** Whether the cards' codes are of our keys: no cards are cut away because this is the wrong database. */
async function areOurs(
  transaction: Transaction,
  keyRing: KeyRing,
  { run: { payeeId }, cards }: { readonly run: Omit<IssueRun, 'count'>; readonly cards: readonly WrittenCard[] },
): Promise<boolean> {
  const { live } = await loadWriteKeys(transaction, keyRing);
  return cards.every(({ shown }) =>
    live['card-verification'].some((keyId) => {
      if (shown === undefined) return false;
      const { number, cvc, expiresOn } = shown;
      const code = cvcOf(keyRing, { payeeId, keyId, number, expiresOn, sequence: FIRST_CODE });
      return code.reveal() === cvc.reveal();
    }),
  );
}

/**
 * Waits until no other transaction commits cards of the payee that it has put into a file. From here to its end the
 * caller's is the only one, so that what is in a file, and exists, comes before all that does not.
 */
export async function claimCardFiles(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await lockCardFiles(transaction, payeeId);
}

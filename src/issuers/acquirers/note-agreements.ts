import type { Transaction } from '../../db/transaction.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AcquirersSetup } from './acquirers.types.ts';
import { findOpenUnder, INSERT_AGREEMENTS, selectAgreements } from './agreements.store.ts';

/** Days after which nothing follows a payment any more: schemes let money be given back for about so long. */
const FOLLOWED_DAYS = 540;

/**
 * Notes under which agreements payments may be made from now on.
 *
 * @throws Trouble where one is missing that open payments name, or has become another one: its payments could not be captured,
 *   given back or taken back, or that would be tried under a number that does not know them
 */
export async function noteAgreements(transaction: Transaction, { agreements, path }: AcquirersSetup): Promise<void> {
  const given = new Map(agreements.map((agreement) => [agreement.id, agreement]));
  for (const noted of await selectAgreements(transaction)) {
    const now = given.get(noted.agreement);
    if (now === undefined) {
      if (!(await findOpenUnder(transaction, noted, FOLLOWED_DAYS))) continue;
      throw new Trouble(
        `${path ?? 'The acquirers'} lacks the agreement ${noted.agreement}, and payments name it that are not over. ` +
          'Put it back, with "closed": true where no new payment is to be made under it.',
      );
    }
    const isSame =
      now.acquirer === noted.acquirer && now.payeeId === noted.payeeId && now.merchantId === noted.merchantId;
    if (isSame) continue;
    throw new Trouble(
      `${path ?? 'The acquirers'}: the agreement ${noted.agreement} had another payee, acquirer or merchant number. ` +
        'Give the new one an id of its own, and keep the old one with "closed": true.',
    );
  }
  await transaction.run(INSERT_AGREEMENTS, INSERT_AGREEMENTS.values(agreements));
}

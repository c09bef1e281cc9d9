import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { AccountTerms } from '../ledger.types.ts';

/** An account that is to be opened. */
export interface AccountDraft extends Omit<AccountTerms, 'accountId'> {
  readonly number: Secret;
  /** What it holds from the beginning; 0 for an external card. */
  readonly openingBalance: AmountMinor;
}

/** Takes payment numbers for payments that are made outside of the queue, in a transaction of its own: see `takePaymentNumbers`. */
export type TakeNumbers = (payeeId: PayeeId, count: number) => Promise<readonly number[]>;

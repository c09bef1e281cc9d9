import { monthOf } from '../kit/instants.ts';
import type { AmountMinor } from '../kit/money.ts';
import type { Kontor } from '../kontor.types.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import type { CardDraft, Deposit } from './gift-cards.types.ts';

/** What of the deposit its batch decides. */
export interface Loading {
  readonly amount: AmountMinor;
  readonly paymentNumber: number;
}

/** The deposit that a card begins with where no request has asked for it alone. */
export function firstDeposit(context: Kontor, { opening }: CardDraft, { amount, paymentNumber }: Loading): Deposit {
  return {
    paymentId: context.newId() as PaymentId,
    amount,
    // No request has named an order or a reference.
    paymentOrderRef: String(paymentNumber),
    paymentTransactionRef: String(paymentNumber),
    echo: {
      accountIdentifier: {},
      words: {},
      circumstances: {},
      allowedProductIds: [],
      issuer: opening.issuer,
      card: { matches: true, numberMasked: opening.numberMasked, expiryMonth: monthOf(opening.expiresOn ?? '') },
      hasNoOrder: true,
      balance: amount,
      paymentNumber,
    },
  };
}

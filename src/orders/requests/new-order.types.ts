import type { AmountMinor, Currency } from '../../kit/money.ts';
import type {
  CardOperation,
  CardRules,
  Intent,
  Metadata,
  PayeeInfo,
  PaymentUrls,
} from '../../payments/payments.types.ts';
import type { OrderInstrument, OrderItem, OrderTerms } from '../orders.types.ts';

/** An order as a request asks for it: well-formed, its numbers as JavaScript has them, and not yet looked at as a whole. */
export interface SentNewOrder {
  readonly operation: CardOperation;
  readonly intent?: Intent;
  readonly currency?: string;
  readonly amount?: number;
  readonly vatAmount?: number;
  readonly description?: string;
  readonly userAgent?: string;
  readonly language?: string;
  readonly productName?: string;
  readonly instrument?: string;
  readonly disablePaymentMenu?: boolean;
  readonly restrictedToInstruments?: readonly string[];
  readonly expandFirstInstrument?: boolean;
  readonly disableStoredPaymentDetails?: boolean;
  readonly enablePaymentDetailsConsentCheckbox?: boolean;
  readonly generatePaymentToken?: boolean;
  readonly generateRecurrenceToken?: boolean;
  readonly generateUnscheduledToken?: boolean;
  readonly generateTransactionOnFileToken?: boolean;
  readonly paymentToken?: string;
  readonly recurrenceToken?: string;
  readonly unscheduledToken?: string;
  readonly orderItems?: readonly OrderItem[];
  readonly urls?: PaymentUrls;
  readonly payeeInfo?: PayeeInfo & { readonly siteId?: string };
  readonly payer?: SentPayer;
  readonly riskIndicator?: { readonly giftCardPurchase?: boolean };
  readonly metadata?: Metadata;
  readonly items?: readonly { readonly creditCard?: CardRules }[];
}

/** Who pays, as a request says it. Texts that some clients send as numbers are texts here. */
export interface SentPayer extends PayerContact {
  readonly payerReference?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly shippingAddress?: SentAddress;
  readonly billingAddress?: SentAddress;
  readonly accountInfo?: Readonly<Record<string, string>>;
  readonly digitalProducts?: boolean;
}

interface PayerContact {
  readonly email?: string;
  readonly msisdn?: string;
}

export interface SentAddress extends PayerContact {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly addressee?: string;
  readonly coAddress?: string;
  readonly streetAddress?: string;
  readonly zipCode?: string;
  readonly city?: string;
  readonly countryCode?: string;
}

/** What is kept of a payer, sealed. */
export type OrderPayer = Omit<SentPayer, 'payerReference'>;

/** What a request asks for, once it is found to make sense. */
export interface ReadOrder {
  readonly operation: CardOperation;
  readonly intent: Intent | null;
  readonly currency: Currency;
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
  readonly instrument: OrderInstrument | null;
  readonly orderItems: readonly OrderItem[];
  readonly terms: OrderTerms;
  /** Undefined where nothing is known. */
  readonly payer: OrderPayer | undefined;
}

import type {
  Asked,
  CardOperation,
  CardRules,
  Intent,
  Metadata,
  PayeeInfo,
  PaymentTerms,
  PaymentUrls,
  TokenConsent,
} from './payments.types.ts';

/** A payment as a request asks for it: well-formed, and not yet looked at as a whole. */
export interface NewPayment {
  readonly operation: CardOperation;
  readonly intent?: Intent;
  readonly currency: string;
  readonly prices?: readonly { readonly type: string; readonly amount: number; readonly vatAmount?: number }[];
  readonly amount?: number;
  readonly vatAmount?: number;
  readonly description?: string;
  readonly userAgent?: string;
  readonly language?: string;
  readonly payerReference?: string;
  readonly payer?: { readonly payerReference?: string };
  readonly paymentToken?: string;
  readonly recurrenceToken?: string;
  readonly unscheduledToken?: string;
  readonly generatePaymentToken?: boolean;
  readonly generateRecurrenceToken?: boolean;
  readonly generateUnscheduledToken?: boolean;
  readonly generateTransactionOnFileToken?: boolean;
  readonly tokenConsent?: TokenConsent;
  readonly recurring?: PaymentTerms['recurring'];
  readonly urls?: PaymentUrls;
  readonly payeeInfo?: PayeeInfo;
  readonly cardholder?: PaymentTerms['cardholder'];
  readonly metadata?: Metadata;
}

/** A request for a payment. */
export interface CreateRequest extends Asked {
  readonly payment: NewPayment;
  readonly cards: CardRules;
  readonly userAgent: string | undefined;
}

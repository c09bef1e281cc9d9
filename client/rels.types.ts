import type {
  AccountOperation,
  AccountPayment,
  AccountTransaction,
  CardPaymentAnswer,
  DeliveriesAnswer,
  Dispute,
  Disputes,
  EventFeed,
  Operations,
  PaymentOrderAnswer,
  Settlements,
} from './kontor.generated.ts';

/** Operations of a card payment, by their names, and the requests that they are. */
interface CardPaymentRels {
  'update-payment-abort': 'PATCH /psp/creditcard/payments/{paymentId}';
  'direct-authorization': 'POST /psp/creditcard/payments/{paymentId}/authorizations';
  'direct-verification': 'POST /psp/creditcard/payments/{paymentId}/verifications';
  'create-capture': 'POST /psp/creditcard/payments/{paymentId}/captures';
  'create-cancellation': 'POST /psp/creditcard/payments/{paymentId}/cancellations';
  'create-reversal': 'POST /psp/creditcard/payments/{paymentId}/reversals';
  'paid-payment': 'GET /psp/creditcard/payments/{paymentId}/paid';
  'failed-payment': 'GET /psp/creditcard/payments/{paymentId}/failed';
  'aborted-payment': 'GET /psp/creditcard/payments/{paymentId}/aborted';
}

/** Operations of a payment order, by their names in its views. */
interface PaymentOrderRels {
  'update-order': 'PATCH /psp/paymentorders/{orderId}';
  abort: 'PATCH /psp/paymentorders/{orderId}';
  'abort-paymentattempt': 'PATCH /psp/paymentorders/{orderId}';
  'set-instrument': 'PATCH /psp/paymentorders/{orderId}';
  'expand-instrument': 'PATCH /psp/paymentorders/{orderId}';
  'view-paymentsession': 'GET /psp/paymentsessions/{session}';
  capture: 'POST /psp/paymentorders/{orderId}/captures';
  cancel: 'POST /psp/paymentorders/{orderId}/cancellations';
  reversal: 'POST /psp/paymentorders/{orderId}/reversals';
  'update-paymentorder-updateorder': 'PATCH /psp/paymentorders/{orderId}';
  'update-paymentorder-abort': 'PATCH /psp/paymentorders/{orderId}';
  'update-paymentorder-setinstrument': 'PATCH /psp/paymentorders/{orderId}';
  'update-paymentorder-expandinstrument': 'PATCH /psp/paymentorders/{orderId}';
  'create-paymentorder-capture': 'POST /psp/paymentorders/{orderId}/captures';
  'create-paymentorder-cancel': 'POST /psp/paymentorders/{orderId}/cancellations';
  'create-paymentorder-reversal': 'POST /psp/paymentorders/{orderId}/reversals';
  'paid-paymentorder': 'GET /psp/paymentorders/{orderId}/paid';
  'failed-paymentorder': 'GET /psp/paymentorders/{orderId}/failed';
  'aborted-paymentorder': 'GET /psp/paymentorders/{orderId}/aborted';
}

/** Operations of a dispute. */
interface DisputeRels {
  'get-dispute': 'GET /psp/disputes/{disputeId}';
  'get-payment': 'GET /psp/creditcard/payments/{paymentId}';
}

/** Operations of an account payment, and of what follows it. */
interface AccountPaymentRels {
  'get-payment': 'GET /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}';
  'create-capture': 'POST /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}/capture';
  'create-cancellation': 'POST /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}/cancel';
  'create-reversal': 'POST /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}/reversal';
}

/** Operations whose names mean the same wherever they stand. */
interface OtherRels {
  'get-token': 'GET /online/payer/payees/{payeeId}/tokens/{tokenId}';
  'update-displayname': 'PATCH /online/payer/payees/{payeeId}/tokens/{tokenId}/displaynames';
  'archive-token': 'PATCH /online/payer/payees/{payeeId}/tokens/{tokenId}/archives';
  'get-payer-tokens': 'GET /online/payer/payees/{payeeId}/payers/{payerReference}/tokens';
  'archive-payer-tokens': 'PATCH /online/payer/payees/{payeeId}/payers/{payerReference}/archives';
  'delete-payerownedtokens': 'PATCH /psp/paymentorders/payerownedtokens/{payerReference}';
  'delete-paymenttokens': 'PATCH /psp/paymentorders/paymentTokens/{token}';
  'delete-recurrencetokens': 'PATCH /psp/paymentorders/recurrenceTokens/{token}';
  'delete-unscheduledtokens': 'PATCH /psp/paymentorders/unscheduledTokens/{token}';
  'get-payer': 'GET /psp/payers/{payerReference}';
  'erase-payer': 'DELETE /psp/payers/{payerReference}';
  'get-payment': 'GET /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}';
  'create-authorization': 'POST /api/payments/payment-account/{paymentAccountId}/payment/authorize';
  'create-purchase': 'POST /api/payments/payment-account/{paymentAccountId}/payment/purchase';
  'create-deposit': 'POST /api/payments/payment-account/{paymentAccountId}/payment/deposit';
  'create-credit': 'POST /api/payments/payment-account/{paymentAccountId}/payment/credit';
  ping: 'POST /api/payments/ping';
  'get-gift-card': 'GET /api/payments/gift-card/{paymentAccountId}';
  'block-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/block';
  'unblock-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/unblock';
  'void-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/void';
  'sweep-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/sweep';
  'merge-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/merge';
  'replace-gift-card': 'POST /api/payments/gift-card/{paymentAccountId}/replace';
  'get-gift-card-liability': 'GET /api/payments/gift-card/liability';
  'get-trial-balance': 'GET /psp/trial-balance';
  'get-sales': 'GET /psp/sales';
  'get-products': 'GET /api/payments/gift-card/products';
  'create-product': 'POST /api/payments/gift-card/products';
  'retire-product': 'POST /api/payments/gift-card/products/{productId}/retire';
  'get-settlement': 'GET /psp/settlements/{settlementId}';
  'create-webhook': 'POST /webhooks';
  'get-webhook': 'GET /webhooks/{webhookId}';
  'update-webhook': 'PATCH /webhooks/{webhookId}';
  'rotate-secret': 'POST /webhooks/{webhookId}/secrets';
  'test-webhook': 'POST /webhooks/{webhookId}/tests';
  'list-deliveries': 'GET /webhooks/{webhookId}/deliveries';
  'get-delivery': 'GET /webhooks/{webhookId}/deliveries/{deliveryId}';
  redeliver: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliveries';
}

/** What the operations of a resource are called, and the requests that they are. */
type RelsOf<Resource> = Resource extends { readonly payment: string | CardPaymentAnswer['payment'] }
  ? CardPaymentRels
  : Resource extends Pick<PaymentOrderAnswer, 'paymentOrder'>
    ? PaymentOrderRels
    : Resource extends AccountPayment | AccountTransaction | AccountOperation
      ? AccountPaymentRels
      : Resource extends Pick<EventFeed, 'events'>
        ? { next: 'GET /events' }
        : Resource extends Pick<DeliveriesAnswer, 'deliveries'>
          ? { next: 'GET /webhooks/{webhookId}/deliveries' }
          : Resource extends Pick<Settlements, 'settlements'>
            ? { next: 'GET /psp/settlements' }
            : Resource extends Pick<Disputes, 'disputes'>
              ? { next: 'GET /psp/disputes' }
              : Resource extends Pick<Dispute, 'caseId'>
                ? DisputeRels
                : OtherRels;

/** A name of an operation that a resource may offer. */
export type Rel<Resource> = keyof RelsOf<Resource> & string;

type EndpointOf<Resource, Name> = Name extends keyof RelsOf<Resource>
  ? RelsOf<Resource>[Name] extends keyof Operations
    ? Operations[RelsOf<Resource>[Name]]
    : never
  : never;

/** What a request for an operation takes. */
export type BodyOf<Resource, Name> = EndpointOf<Resource, Name> extends { body: infer Body } ? Body : undefined;

/** What it answers. */
export type AnswerOf<Resource, Name> = EndpointOf<Resource, Name> extends { answer: infer Answer } ? Answer : never;

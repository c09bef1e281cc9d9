/** Bodies that existing clients of such an API send, byte for byte. */

/** Lines of an order of 100 kroner. */
export const ITEMS = `[{"reference":"P1","name":"Product1","type":"PRODUCT","class":"ProductGroup1","itemUrl":"https://shop.example/1","imageUrl":"https://shop.example/1.jpg","description":"Product 1 description","discountDescription":"Volume discount","quantity":2,"quantityUnit":"pcs","unitPrice":2500,"discountPrice":0,"vatPercent":0,"amount":5000,"vatAmount":0},
  {"reference":"P2","name":"Product2","type":"PRODUCT","class":"ProductGroup1","description":"Product 2 description","quantity":5.00,"quantityUnit":"kg","unitPrice":1000,"vatPercent":0,"amount":5000,"vatAmount":0}]`;
const PAYER = `{"nationalIdentifier":{"socialSecurityNumber":"196003071161","countryCode":"NO"},"email":"a@shop.example","msisdn":"+4745612345"}`;

/** What differs between orders of the collection. */
export interface CollectionVariant {
  readonly operation?: string;
  readonly payer?: string;
  readonly more?: string;
  readonly items?: string;
  /** Where the shop is: its pages' origin. */
  readonly origin?: string;
}

/** The creation of a collection of requests: of 2.0, where `more` does not say otherwise. */
export function collectionOrder(
  payeeId: string,
  ref: string,
  {
    operation = 'Purchase',
    payer = PAYER,
    more = '',
    items = ITEMS,
    origin = 'https://shop.example',
  }: CollectionVariant = {},
): string {
  return `{"paymentorder":{"operation":"${operation}","amount":10000,"vatAmount":0,"currency":"NOK","description":"test description","language":"nb-NO","userAgent":"Mozilla/5.0","disablePaymentMenu":false,${more}
 "orderItems":${items},
 "urls":{"hostUrls":["${origin}/wiki/Host"],"completeUrl":"${origin}/ok","cancelUrl":"${origin}/no","callbackUrl":"${origin}/cb","termsOfServiceUrl":"${origin}/tos","logoUrl":""},
 "payeeInfo":{"payeeId":"${payeeId}","payeeReference":"${ref}","payeeName":"Shop"},
 "payer":${payer},"items":[{"creditcard":{"No3DSecureForStoredCards":true}}]}}`;
}

/** What an order is paid with, and what its lead part is a payment of. */
export const MEANS = [
  { by: 'a card', giftCard: 0, lead: 'creditcard' },
  { by: 'a gift card', giftCard: 10_000, lead: 'giftcard' },
  { by: 'a gift card and a card', giftCard: 4_000, lead: 'creditcard' },
] as const;
export type Means = (typeof MEANS)[number];

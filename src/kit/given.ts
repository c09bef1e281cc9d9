/** What a request is about: it is shown to the second person, who decides. */
export interface GivenObject {
  readonly kind: 'payment' | 'order' | 'gift-card' | 'product';
  readonly id: string;
}

/** An amount that a request gives away. */
export interface Given {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly object: GivenObject;
  /** The gift card that takes the money of another one. */
  readonly into?: string | undefined;
  /** Why, in the words of the person who asks. */
  readonly reason?: string | undefined;
}

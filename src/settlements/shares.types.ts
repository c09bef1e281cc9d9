/** The part of an agreement in a movement, as it stands on the side Issuer. */
export interface Share {
  readonly agreement: string;
  readonly amount: number;
}

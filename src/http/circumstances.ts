import type { EdgeRequest } from './route.types.ts';

/** Where a request came from, as it is stored with what it does; what nobody said is left out. */
export interface RequestCircumstances {
  /** Instant of the `Transmission-Time` header, else of receipt. */
  readonly transmissionTime?: string;
  readonly userAgent?: string;
  readonly payerAddress?: string;
}

/** Where a request came from. */
export function circumstancesOf({
  signature,
  userAgent,
  payerAddress,
}: Pick<EdgeRequest, 'signature' | 'userAgent' | 'payerAddress'>): RequestCircumstances {
  return {
    ...(signature !== undefined && { transmissionTime: signature.transmittedAt }),
    ...(userAgent !== undefined && { userAgent }),
    ...(payerAddress !== undefined && { payerAddress }),
  };
}

import type { Kontor } from '../kontor.types.ts';
import { HMAC_KEY_USE } from './hmac-keys/hmac-keys.ts';
import type { MerchantsService } from './merchants.types.ts';

/** Composes merchants: who calls, and for whom. */
export function composeMerchants(context: Kontor) {
  const { transact } = context.database.background;
  return {
    context,
    keyUses: [HMAC_KEY_USE],
    commands: { merchants: (): MerchantsService => ({ transact, merchants: context }) },
  };
}

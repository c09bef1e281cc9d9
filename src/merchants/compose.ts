import { randomSecret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';
import { HMAC_KEY_USE } from './hmac-keys/hmac-keys.ts';
import type { MerchantsContext, MerchantsService } from './merchants.types.ts';

/** Composes merchants: who calls, and for whom. */
export function composeMerchants(kontor: Kontor) {
  const context: MerchantsContext = { ...kontor, newSecret: randomSecret };
  const { transact } = kontor.database.background;
  return {
    context,
    keyUses: [HMAC_KEY_USE],
    commands: { merchants: (): MerchantsService => ({ transact, merchants: context }) },
  };
}

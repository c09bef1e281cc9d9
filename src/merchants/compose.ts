import type { Config } from '../config.ts';
import type { Database } from '../db/server/database.types.ts';
import { randomSecret } from '../kit/secret.ts';
import { HMAC_KEY_USE } from './hmac-keys/hmac-keys.ts';
import type { MerchantsContext, MerchantsService } from './merchants.types.ts';

/** What merchants and their credentials are composed of. */
export interface MerchantsParts extends Omit<MerchantsContext, 'mode' | 'newSecret'> {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'transact' | 'background'>;
}

/** Composes merchants: who calls, and for whom. */
export function composeMerchants({ config, database, keyRing, newId, cardPrefixes }: MerchantsParts) {
  const merchants: MerchantsContext = { mode: config.mode, keyRing, newId, cardPrefixes, newSecret: randomSecret };
  const { transact } = database.background;
  return {
    context: merchants,
    database,
    keyUses: [HMAC_KEY_USE],
    commands: { merchants: (): MerchantsService => ({ transact, merchants }) },
  };
}

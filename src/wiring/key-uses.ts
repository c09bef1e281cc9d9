import { SIGNING_SECRET_USE } from '../events/webhooks/signing-secret-use.ts';
import { GIFT_CARD_KEY_USE } from '../gift-cards/key-uses.ts';
import type { KeyUse } from '../keys/keys.types.ts';
import { HMAC_KEY_USE } from '../merchants/hmac-keys/hmac-key-use.ts';
import { PENDING_CHANGE_USE } from '../portal/approvals/key-use.ts';
import { PORTAL_KEY_USES } from '../portal-users/key-uses.ts';
import { INSTRUMENT_KEY_USES } from '../vault/key-uses.ts';

/** Every table whose rows use a key of the ring: what a rotation moves. */
export const KEY_USES: readonly KeyUse[] = [
  ...INSTRUMENT_KEY_USES,
  GIFT_CARD_KEY_USE,
  HMAC_KEY_USE,
  SIGNING_SECRET_USE,
  ...PORTAL_KEY_USES,
  PENDING_CHANGE_USE,
];

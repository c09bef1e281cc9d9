import { selectSwitchedWithin } from './keys.store.ts';
import type { KeyPurpose, KeyUse } from './keys.types.ts';

/** Days beside the period: for jobs that run each hour, and instances that hear of a rotation seconds later. */
const MARGIN_DAYS = 1;

/**
 * A use of keys whose digests end by themselves: what they are of is not stored, so a rotation cannot move them. They are found under both
 * keys until the last one has ended.
 *
 * @param days after which no digest is left, because a job ends them or because they are looked for no more
 */
export function endingUse(purpose: KeyPurpose, days: number): KeyUse {
  return {
    purpose,
    endsByItself: true,
    count: async (transaction, keyId) => Number(await selectSwitchedWithin(transaction, keyId, days + MARGIN_DAYS)),
    move: async () => 0,
  };
}

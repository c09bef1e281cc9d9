import type { KeyId } from '../../keys/keys.types.ts';

/** In the place of the key of an external card's number whose digest has ended: no number is this account's. */
export const NO_NUMBER_KEY = 'none' as KeyId;

/** Days from the last use of an external card to the end of its number's digest. A use puts the end off where fewer than `NUMBER_LEAST_DAYS` are left. */
export const NUMBER_DAYS = 45;
const NUMBER_LEAST_DAYS = 30;

/** Whether an account's digest is to be put off when its card is used. */
export const NUMBER_ENDS_SOON = `(
    kind = 'External' and number_ends_at < (select kontor_now()) + interval '${NUMBER_LEAST_DAYS} days'
  )`;

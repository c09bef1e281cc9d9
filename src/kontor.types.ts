import type { Config } from './config.ts';
import type { Database } from './db/server/database.types.ts';
import type { KeyRing } from './keys/keys.types.ts';
import type { CardPrefixes } from './kit/cards/card-number.ts';
import type { Secret } from './kit/secret.ts';

/**
 * What all slices share: made once, in `wiring/`, and handed on whole. The context of a slice is this, and what only that slice makes.
 * Flows, routes, commands and jobs open transactions with its database; a verb is given one, and opens none.
 */
export interface Kontor {
  readonly config: Config;
  readonly database: Database;
  readonly keyRing: KeyRing;
  /** A new UUID of version 7. */
  readonly newId: () => string;
  /** 256 random bits as 43 characters of `A-Za-z0-9`. */
  readonly newSecret: () => string;
  /** So many random bytes: seeds of second factors, recovery codes. */
  readonly newRandom: (bytes: number) => Secret<Buffer>;
  /** So many digits from the system's secure source. */
  readonly randomDigits: (count: number) => string;
  /** Beginnings of card numbers beside the schemes' own, for the scan of free text. */
  readonly cardPrefixes: () => CardPrefixes;
  /** Adds one that others may not have been told of yet. */
  readonly notePrefix: (prefix: string) => void;
}

import type { KeyId } from '../../keys/keys.types.ts';

/** Something that is known of a payer, sealed for its place. */
export interface SealedData {
  readonly sealed: Buffer;
  readonly sealedWith: KeyId;
}

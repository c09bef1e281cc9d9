import type { CardUpdate } from '../../../iso8583/messages.types.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import type { Secret } from '../../../kit/secret.ts';

/** What an acquirer's answer says of a card that it was asked about. It is kept in memory alone, until it is written. */
export interface FoundUpdate {
  readonly payeeId: PayeeId;
  readonly acquirerId: string;
  /** The number that was sent. */
  readonly number: Secret;
  readonly update: CardUpdate;
}

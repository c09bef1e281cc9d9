import type { TracedMessage } from '../../iso8583/messages.types.ts';

/** A message on a line to an acquirer, masked, as it is kept and shown. */
export interface TraceRow extends TracedMessage {
  /** UUID version 7: in the order in which messages passed. */
  readonly traceId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly acquirerId: string;
  /** As in `h2h.example.com:9100`. */
  readonly site: string;
  /** Whether we have sent it. */
  readonly isOurs: boolean;
  /** Messages before it that are not kept, because there were too many at once. */
  readonly leftOut: number;
}

/** A row with what it is found by. */
export interface KeptRow extends TraceRow {
  readonly retrievalReference: string | null;
  readonly actionCode: string | null;
}

/** Which messages are wanted: the last ones. */
export interface TraceList {
  readonly acquirerId: string | undefined;
  /** Field 37, which a payment has for life. */
  readonly reference: string | undefined;
  readonly last: number;
}

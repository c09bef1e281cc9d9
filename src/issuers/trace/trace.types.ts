import type { TracedMessage } from '../../iso8583/messages.types.ts';

/** A message to or from an acquirer or a directory server, masked, as it is kept and shown. */
export interface TraceRow extends TracedMessage {
  /** UUID version 7: in the order in which messages passed. */
  readonly traceId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Null of 3-D Secure. */
  readonly acquirerId: string | null;
  /** The card scheme whose directory server it is; null of acquirers, and where a message names no transaction that is known. */
  readonly scheme: string | null;
  /** Of 3-D Secure, as `TracedThreeDS` says them. */
  readonly serverTransactionId: string | null;
  readonly dsTransactionId: string | null;
  /** As in `h2h.example.com:9100`; `results` and `browser` where it came from there. */
  readonly site: string;
  /** Whether we have sent it. */
  readonly isOurs: boolean;
  /** Messages before it that are not kept, because there were too many at once. */
  readonly leftOut: number;
}

/** One that has just passed: what it is not about is left out. */
export type PassedTrace = TracedMessage & Pick<TraceRow, 'site' | 'isOurs'> & Partial<TracedOf>;

type TracedOf = Pick<TraceRow, 'acquirerId' | 'scheme' | 'serverTransactionId' | 'dsTransactionId'>;

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
  readonly scheme: string | undefined;
  /** UUID of an authentication, as we or the directory server name it. */
  readonly transaction: string | undefined;
  readonly last: number;
}

import type { Read } from '../../db/transaction.types.ts';
import type { ConnectionState, LineReason } from '../../iso8583/link/link.types.ts';
import type { AcquirerOperation, AcquirersSetup, LinesState } from '../../issuers/acquirers/acquirers.types.ts';

/** The process that answers, by what its machine calls it. */
export interface Instance {
  /** Of its machine or container. */
  readonly host: string;
  readonly processId: number;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
}

/** What the routes about acquirers are made with. */
export interface AcquirersOptions {
  readonly read: Read;
  readonly setup: AcquirersSetup;
  /** How the lines of this process are. */
  readonly lineStates: () => readonly LinesState[];
  readonly instance: Instance;
}

/** One connection of the answering instance. */
export interface ListedLine {
  /** Where it goes, as in `h2h.example.com:9100`. */
  readonly site: string;
  readonly state: ConnectionState;
  /** Since when it has been signed on; where it is not, since when it has not been. */
  readonly since: string;
  /** Null where no echo was needed yet. */
  readonly echoedAt: string | null;
  /** Why it is not there; null where it is. */
  readonly reason: LineReason | null;
  /** The socket's word, or the host's code; empty where there is none. */
  readonly detail: string;
}

/** An acquirer and its lines, as the answering instance has them. */
export interface ListedAcquirer {
  readonly acquirerId: string;
  readonly acquirerName: string;
  /** Host and port; null where that is of this process. */
  readonly address: string | null;
  readonly isEncrypted: boolean;
  readonly isTestHost: boolean;
  /** Seconds without a byte before an echo is asked for. */
  readonly echoSeconds: number;
  readonly operations: readonly AcquirerOperation[];
  readonly lines: readonly ListedLine[];
}

/** An agreement as operators see it. */
export interface ListedAgreement {
  readonly agreementId: string;
  readonly payeeId: string;
  /** Null where there is no such payee. */
  readonly payeeName: string | null;
  readonly acquirerId: string;
  readonly merchantId: string;
  readonly terminalIds: readonly string[];
  readonly currencies: readonly string[];
  readonly brands: readonly string[];
  readonly bins: readonly string[];
  readonly priority: number;
  /** `Closed`: for what follows payments that were made under it. */
  readonly state: 'Open' | 'Closed';
}

/** A take-back, or a forwarded cancel or capture, that its acquirer has not acknowledged. */
export interface UnacknowledgedExchange {
  readonly payeeId: string;
  readonly payeeName: string;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly acquirerId: string;
  readonly agreementId: string;
  readonly operation: AcquirerOperation;
  readonly amount: number;
  readonly currency: string;
  readonly state: 'REVERSING' | 'FORWARDING';
  readonly tries: number;
  readonly createdAt: string;
  readonly dueAt: string;
  /** By what the acquirer finds the question. */
  readonly merchantId: string;
  readonly terminalId: string;
  readonly stan: string;
  readonly sentAt: string;
  readonly retrievalReference: string;
}

/**
 * `Wait`: it is repeated by itself. `MendLine`: it was repeated often, and no line of the answering instance is there.
 * `AskAcquirer`: the acquirer answers, and does not acknowledge it.
 */
export type ExchangeAdvice = 'Wait' | 'MendLine' | 'AskAcquirer';

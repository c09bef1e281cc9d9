import type { AcquirersSetup, LinesState } from '../../issuers/acquirers/acquirers.types.ts';
import type { Instance, ListedExchange } from './acquirers.wire.ts';

/** Where cards are charged, and how the lines of this process to there are. */
export interface AcquirersShown {
  readonly setup: AcquirersSetup;
  /** How the lines of this process are. */
  readonly lineStates: () => readonly LinesState[];
  readonly instance: Instance;
}

/** A take-back, or a forwarded cancel or capture, that its acquirer has not acknowledged. */
export type UnacknowledgedExchange = Omit<ListedExchange, 'advice'>;

/**
 * `Wait`: it is repeated by itself. `MendLine`: it was repeated often, and no line of the answering instance is there.
 * `AskAcquirer`: the acquirer answers, and does not acknowledge it.
 */
export type ExchangeAdvice = ListedExchange['advice'];

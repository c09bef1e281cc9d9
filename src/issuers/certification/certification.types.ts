import type { TraceRow } from '../trace/trace.types.ts';
import type { Expectation, Outcome, PlanStep } from './plan.types.ts';

/** A message of a certification, masked. */
export type SeenMessage = Pick<TraceRow, 'at' | 'site' | 'isOurs' | 'type' | 'fields'> & {
  readonly acquirerId: string;
};

/** What came of a step. */
export interface StepOutcome {
  readonly outcome: Outcome | 'Kept';
  readonly actionCode?: string;
  readonly hasApprovalCode?: boolean;
  /** Where it was taken back. */
  readonly takenBack?: NonNullable<Expectation['takenBack']>;
}

/** A step that was carried out. */
export interface StepReport {
  readonly does: PlanStep['does'];
  readonly name?: string;
  readonly expected: Expectation;
  readonly came: StepOutcome;
  /** In words; empty where all is as expected. */
  readonly differences: readonly string[];
  readonly messages: readonly SeenMessage[];
}

/** A case that was carried out. */
export interface CaseReport {
  readonly name: string;
  readonly isAsExpected: boolean;
  readonly steps: readonly StepReport[];
}

/** Numbers and amounts of what a run has carried out on a day, as fields 74–77 and 86–89 of ISO 8583 count them. Minor units. */
export interface Totals {
  readonly salesNumber: number;
  readonly salesAmount: number;
  /** Sales that were taken back: they count as sales too. */
  readonly saleReversalsNumber: number;
  readonly saleReversalsAmount: number;
  readonly refundsNumber: number;
  readonly refundsAmount: number;
  readonly refundReversalsNumber: number;
  readonly refundReversalsAmount: number;
}

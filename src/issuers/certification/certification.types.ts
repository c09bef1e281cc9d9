import type { TraceRow } from '../trace/trace.types.ts';
import type { Expectation, Outcome, PlanStep } from './plan.types.ts';

/** A message of a certification, masked. */
export type SeenMessage = Omit<TraceRow, 'traceId' | 'leftOut'>;

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

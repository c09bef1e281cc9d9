import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_ANSWER_MS } from '../kit/limits.ts';
import type { SandboxOutcome } from './issuers.types.ts';
import type { Approved, IssuerHost, IssuerQuestion } from './questions.types.ts';

/** Milliseconds of a slow answer: long enough to be noticed, short enough to be in time. */
const SLOW_MS = SANDBOX_ANSWER_MS / 4;

/**
 * An acquirer at the far end of the sandbox: the outcome follows from the amount. It behaves as a real one may: answers
 * late, or never, and confirms every reversal.
 */
export function sandboxHost(outcomeOf: (amountMinor: number) => SandboxOutcome): IssuerHost {
  return {
    async ask(question, signal) {
      const outcome = outcomeOf(question.amount);
      switch (outcome.kind) {
        case 'Decline':
          return { outcome: 'Declined', ...outcome.decline };
        case 'ApproveSlowly':
          await pause(SLOW_MS, undefined, { signal });
          return approved(question);
        case 'ApproveTooLate':
          // Not cut short by the signal: a late answer comes whether or not a request still waits for it.
          await pause(SANDBOX_ANSWER_MS * 1.2);
          return approved(question);
        case 'NoAnswer':
          await pause(SANDBOX_ANSWER_MS * 10, undefined, { signal });
          throw new Error('the sandbox issuer does not answer');
        default:
          return { ...approved(question), approvalCode: question.attemptId.slice(-6).toUpperCase() };
      }
    },
    reverse: async () => ({ outcome: 'TakenBack' }),
  };
}

function approved({ exchange: { retrievalReference } }: IssuerQuestion): Approved {
  return { outcome: 'Approved', responseCode: '000', references: { retrievalReference } };
}

import { setTimeout as pause } from 'node:timers/promises';
import { ISSUER_ANSWER_MS } from '../kit/limits.ts';
import type { IssuerHost, SandboxOutcome } from './issuers.types.ts';

/** Milliseconds of a slow answer: long enough to be noticed, short enough to be in time. */
const SLOW_MS = ISSUER_ANSWER_MS / 4;

/**
 * An acquirer at the far end of the sandbox: the outcome follows from the amount. It behaves as a real one may: answers
 * late, or never, and confirms every reversal.
 */
export function sandboxHost(outcomeOf: (amountMinor: number) => SandboxOutcome): IssuerHost {
  return {
    async ask({ amount, attemptId }, signal) {
      const outcome = outcomeOf(amount);
      switch (outcome.kind) {
        case 'Decline':
          return { outcome: 'Declined', problem: outcome.problem };
        case 'ApproveSlowly':
          await pause(SLOW_MS, undefined, { signal });
          return { outcome: 'Approved' };
        case 'ApproveTooLate':
          // Not cut short by the signal: a late answer comes whether or not anybody still listens.
          await pause(ISSUER_ANSWER_MS * 1.2);
          return { outcome: 'Approved' };
        case 'NoAnswer':
          await pause(ISSUER_ANSWER_MS * 10, undefined, { signal });
          throw new Error('the sandbox issuer does not answer');
        default:
          return { outcome: 'Approved', approvalCode: attemptId.slice(-6).toUpperCase() };
      }
    },
    reverse: async () => undefined,
  };
}

import type { CardProblemCode } from '../kit/cards/card-problems.ts';
import type { SandboxOutcome } from './issuers.types.ts';

const DECLINES: Readonly<Record<number, CardProblemCode>> = {
  900313: 'acquirerinvalidamount',
  900334: 'acquirerpossiblefraud',
  900359: 'acquirerpossiblefraud',
  900343: 'acquirercardstolen',
  900354: 'acquirercardexpired',
  900351: 'carddeclined',
  900362: 'carddeclined',
  900361: 'acquirerinsufficientfunds',
  900391: 'acquirergatewayerror',
};

/** The outcome of an amount in minor units; every other amount is approved. */
export function sandboxOutcome(amountMinor: number): SandboxOutcome {
  const problem = DECLINES[amountMinor];
  if (problem !== undefined) return { kind: 'Decline', problem };
  if (amountMinor === 900304) return { kind: 'NoAnswer' };
  if (amountMinor === 900305) return { kind: 'ApproveSlowly' };
  if (amountMinor === 900306) return { kind: 'ApproveTooLate' };
  return { kind: 'Approve' };
}

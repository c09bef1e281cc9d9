import type { SandboxDecline, SandboxOutcome } from './issuers.types.ts';

/** As an acquirer of ISO 8583:1993 says them. */
const DECLINES: Readonly<Record<number, SandboxDecline>> = {
  900313: { problem: 'acquirerinvalidamount', responseCode: '110', retry: { advice: 'NewData' } },
  900334: { problem: 'acquirerpossiblefraud', responseCode: '102', retry: { advice: 'Never' } },
  900343: { problem: 'acquirercardstolen', responseCode: '209', retry: { advice: 'Never' } },
  900351: { problem: 'carddeclined', responseCode: '100', retry: { advice: 'Later' } },
  900354: { problem: 'acquirercardexpired', responseCode: '101', retry: { advice: 'NewData' } },
  900359: { problem: 'acquirerpossiblefraud', responseCode: '202', retry: { advice: 'Never' } },
  900361: { problem: 'acquirerinsufficientfunds', responseCode: '116', retry: { advice: 'Later' } },
  900362: { problem: 'carddeclined', responseCode: '104', retry: { advice: 'Later' } },
  900391: { problem: 'acquirergatewayerror', responseCode: '907', retry: { advice: 'Later' } },
};

/** The outcome of an amount in minor units; every other amount is approved. */
export function sandboxOutcome(amountMinor: number): SandboxOutcome {
  const decline = DECLINES[amountMinor];
  if (decline !== undefined) return { kind: 'Decline', decline };
  if (amountMinor === 900304) return { kind: 'NoAnswer' };
  if (amountMinor === 900305) return { kind: 'ApproveSlowly' };
  if (amountMinor === 900306) return { kind: 'ApproveTooLate' };
  return { kind: 'Approve' };
}

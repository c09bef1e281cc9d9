import type { Read } from '../../db/transaction.types.ts';
import type { Secret } from '../../kit/secret.ts';
import type { AcquirersFile } from '../acquirers/acquirers.types.ts';
import { indicatorsOf } from '../indicators.rules.ts';
import { findEnrolment } from './enrolled-ranges.ts';
import type { AskedTerms, AuthenticationTerms, Look, ThreeDS } from './three-ds.types.ts';

/**
 * Looks whether the payer of a card has to authenticate.
 *
 * @param asked.isMandate whether the payment makes a token that is charged later without its payer
 */
export async function lookAtCard(
  threeDS: Pick<ThreeDS, 'termsFor' | 'server'> | undefined,
  read: Read,
  { number, isMandate, ...asked }: AskedTerms & { readonly number: Secret; readonly isMandate: boolean },
): Promise<Look> {
  const terms = termsOf(threeDS, asked);
  if (terms === undefined) return { is: 'NotMeant' };
  const enrolment = await findEnrolment(read, asked.brand, number);
  if (enrolment.is !== 'NotEnrolled') return { is: 'Needed' };
  if (terms.withoutShift === 'decline' || (isMandate && terms.refusesMandates)) return { is: 'Impossible' };
  return { is: 'NotEnrolled', shown: { eci: indicatorsOf(asked.brand).none, liabilityShift: 'Merchant' } };
}

/** The terms of payees by the agreements of a file. */
export function termsOfFile({ acquirers }: Pick<AcquirersFile, 'acquirers'>): ThreeDS['termsFor'] {
  const byId = new Map(acquirers.map((acquirer) => [acquirer.id, acquirer]));
  return ({ agreement, brand }) => {
    const merchant = agreement.threeDS[brand];
    const acquirer = byId.get(agreement.acquirer);
    if (merchant === undefined || acquirer === undefined) return undefined;
    return { merchant, agreement, withoutShift: acquirer.withoutShift, refusesMandates: true };
  };
}

/** A payee's terms under an agreement, for a brand that has a directory server. */
export function termsOf(
  threeDS: Pick<ThreeDS, 'termsFor' | 'server'> | undefined,
  asked: AskedTerms,
): AuthenticationTerms | undefined {
  const hasServer = threeDS?.server.directoryServers.some(({ scheme }) => scheme === asked.brand);
  return hasServer === true ? threeDS?.termsFor(asked) : undefined;
}

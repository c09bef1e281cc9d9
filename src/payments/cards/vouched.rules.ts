import type { Exemption } from '../../issuers/acquirers/acquirers.types.ts';
import type { Look } from '../../issuers/authentication/three-ds.types.ts';
import { indicatorsOf } from '../../issuers/indicators.rules.ts';
import type { IssuerRoute } from '../../issuers/issuers.types.ts';
import type { AuthenticationResult } from '../../issuers/questions.types.ts';
import { inputError } from '../../kit/errors.ts';

// What a payee vouches for when it sends a card, so that its payer does not authenticate here.

/** One of both, or neither. */
export interface Vouched {
  /** Of 3-D Secure elsewhere. Its value lives as long as the request. */
  readonly authentication?: AuthenticationResult | undefined;
  readonly exemption?: Exemption | undefined;
}

/**
 * What is known of a payer whom the payee vouches for; undefined where it does not.
 *
 * @throws Refusal `inputerror` where there is both, or the indicator is not what the brand's scheme has for the status
 */
export function lookAtVouched({ authentication, exemption }: Vouched, brand: string | undefined): Look | undefined {
  const { full, attempted, exempted } = indicatorsOf(brand ?? '');
  if (authentication === undefined) {
    return exemption && { is: 'Exempted', shown: { eci: exempted, liabilityShift: 'Merchant' } };
  }
  if (exemption !== undefined) throw inputError('transaction.exemption', 'must not be there beside an authentication');
  const { eci, transStatus } = authentication;
  const isFull = transStatus === 'Y';
  const own = isFull ? full : attempted;
  if (eci !== own) {
    throw inputError('transaction.authentication.eci', `must be ${own} for this brand and the status ${transStatus}`);
  }
  return { is: 'External', shown: { authenticationStatus: isFull ? 'Y' : 'A', eci, liabilityShift: 'Issuer' } };
}

/**
 * The ways for a card whose exemption is asked for: acquirers that take it, the one to be asked first.
 *
 * @throws Refusal `inputerror` where acquirers could charge the card and none of them takes it
 */
export function routesWith(exemption: Exemption | undefined, routes: readonly IssuerRoute[]): readonly IssuerRoute[] {
  if (exemption === undefined) return routes;
  const taking = routes.filter(({ issuer }) => issuer.exemptions.includes(exemption));
  if (taking.length > 0 || routes.length === 0) return taking;
  throw inputError('transaction.exemption', "must be one that the card's acquirer takes");
}

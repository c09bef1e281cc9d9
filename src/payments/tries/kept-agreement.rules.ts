import type { AskedTerms, AuthenticationTerms } from '../../issuers/authentication/three-ds.types.ts';
import type { IssuerRoute } from '../../issuers/issuers.types.ts';

// A payer authenticates for one merchant: the agreement that the directory server was told of charges the card too.

/**
 * The routes of a card whose payer authenticates, the agreement of that first. None where it is there no more: then nothing is
 * charged, for another merchant has no proof.
 *
 * @param agreementId null where the authentication does not say: then the acquirer that was chosen for the try counts
 */
export function routesKeeping(
  routes: readonly IssuerRoute[],
  { agreementId, issuerId }: { readonly agreementId: string | null; readonly issuerId: string | null },
): readonly IssuerRoute[] {
  const kept = routes.find(({ issuer, agreement }) =>
    agreementId === null ? issuer.issuerId === issuerId : agreement.id === agreementId,
  );
  return kept === undefined ? [] : [kept, ...routes.filter((route) => route !== kept)];
}

/** Where a try can go on whose acquirer was not asked. */
export interface RoutesElsewhere {
  /** With the same proof: the directory server knows the payee by the same names there. */
  readonly withProof: readonly IssuerRoute[];
  /** Once its payer has authenticated anew. */
  readonly anew: readonly IssuerRoute[];
}

/** Sorts the routes behind the first one, under whose agreement the payer has authenticated. */
export function routesElsewhere(
  [kept, ...others]: readonly IssuerRoute[],
  termsOf: (agreement: AskedTerms['agreement']) => AuthenticationTerms | undefined,
): RoutesElsewhere {
  const known = kept && termsOf(kept.agreement);
  const routes = others.filter(({ issuer }) => issuer.issuerId !== kept?.issuer.issuerId);
  const isSame = ({ agreement }: IssuerRoute) => {
    const merchant = termsOf(agreement)?.merchant;
    return (
      merchant !== undefined &&
      merchant.acquirerBin === known?.merchant.acquirerBin &&
      merchant.merchantId === known.merchant.merchantId &&
      merchant.requestorId === known.merchant.requestorId
    );
  };
  return {
    withProof: routes.filter(isSame),
    anew: routes.filter((route) => !isSame(route) && termsOf(route.agreement) !== undefined),
  };
}

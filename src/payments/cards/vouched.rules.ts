import type { Exemption } from '../../issuers/acquirers/acquirers.types.ts';
import type { Look } from '../../issuers/authentication/three-ds.types.ts';
import { indicatorsOf } from '../../issuers/indicators.rules.ts';
import type { Issuer, IssuerRoute } from '../../issuers/issuers.types.ts';
import type { AuthenticationResult } from '../../issuers/questions.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { sha256 } from '../../kit/secret.ts';
import type { TokenType } from '../../tokens/tokens.types.ts';

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
 * Refuses what a payee says of a payer who authenticates, or need not, of a mail or telephone order: its payer is not on the web.
 *
 * @throws Refusal `inputerror`
 */
export function refuseVouched(vouched: Vouched): void {
  for (const member of ['authentication', 'exemption'] as const) {
    if (vouched[member] !== undefined) {
      throw inputError(
        `transaction.${member}`,
        'must not be there for a mail or telephone order: it is not authenticated',
      );
    }
  }
}

/** Whether a payment makes a token that the payee charges without the payer, who agrees to that now. */
export function makesMandate(tokenTypes: readonly TokenType[]): boolean {
  return tokenTypes.some((type) => type !== 'Payment');
}

/**
 * The reference under which a proof from elsewhere is used up, once and for ever. The id at the directory server is random, so
 * its digest says nothing of it.
 */
export function referenceOfProof({ authentication }: Vouched): string | undefined {
  const id = authentication?.dsTransactionId;
  return id === undefined ? undefined : `Proof:${sha256(id.toLowerCase()).toString('hex')}`;
}

/**
 * The routes for a card whose payer the payee does not want authenticated: those whose agreement allows it, if any does. Where none
 * does, the payer authenticates, whatever other agreements of the payee allow.
 */
export function routesWithout3DSecure(routes: readonly IssuerRoute[]): {
  readonly routes: readonly IssuerRoute[];
  readonly isAllowed: boolean;
} {
  const allowing = routes.filter(({ agreement }) => agreement.allowNo3DSecure);
  return allowing.length > 0 ? { routes: allowing, isAllowed: true } : { routes, isAllowed: false };
}

/** A payment whose exemption is asked for. */
export interface Exempted {
  readonly exemption: Exemption | undefined;
  /** Minor units. */
  readonly amount: number;
  readonly currency: Currency;
  /** Of the tokens that an approval makes. */
  readonly tokenTypes: readonly TokenType[];
}

/**
 * The routes for a card whose exemption is asked for: acquirers that take it for this amount, the one to be asked first.
 *
 * @throws Refusal `inputerror` if the payment makes a token that is charged without its payer: the law exempts no such agreement
 * @throws Refusal `inputerror` if acquirers could charge the card and none of them takes the exemption for this amount
 */
export function routesWith(
  { exemption, amount, currency, tokenTypes }: Exempted,
  routes: readonly IssuerRoute[],
): readonly IssuerRoute[] {
  if (exemption === undefined) return routes;
  if (makesMandate(tokenTypes)) {
    throw inputError(
      'transaction.exemption',
      'must not be there if the payment makes a token that is charged without its payer: the payer must authenticate',
    );
  }
  const taking = routes.filter(({ issuer }) => issuer.exemptions.includes(exemption));
  if (taking.length === 0 && routes.length > 0) {
    throw inputError('transaction.exemption', "must be one that the card's acquirer takes");
  }
  const fitting = taking.filter(({ issuer }) => amount <= limitOf(issuer, exemption, currency));
  if (fitting.length > 0 || taking.length === 0) return fitting;
  throw inputError(
    'transaction.exemption',
    "must be for an amount within the acquirer's limit for it in this currency: without it the payer authenticates",
  );
}

/** The largest amount that may go exempted, in minor units: none if the law has a limit and the file names none in this currency. */
function limitOf({ exemptionLimits }: Issuer, exemption: Exemption, currency: Currency): number {
  const limit = exemptionLimits[exemption]?.[currency] ?? LEGAL_LIMITS[exemption]?.[currency];
  return limit ?? (LEGAL_LIMITS[exemption] === undefined ? Number.POSITIVE_INFINITY : 0);
}

/** Of Regulation (EU) 2018/389: article 16, and the highest threshold of the annex to article 18. */
const LEGAL_LIMITS: Partial<Record<Exemption, Readonly<Record<string, number>>>> = {
  LowValue: { EUR: 30_00 },
  RiskAnalysis: { EUR: 500_00 },
};

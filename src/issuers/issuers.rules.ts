import { AssertionFailure, assert } from '../kit/assert.ts';
import { groupBy } from '../kit/group-by.ts';
import type { Secret } from '../kit/secret.ts';
import type { TransactionOperation } from '../ledger/ledger.types.ts';
import type { Acquirer, Agreement } from './acquirers/acquirers.types.ts';
import { readyFirst, routesFor } from './acquirers/routing.rules.ts';
import type { Issuer, Issuers } from './issuers.types.ts';
import type { IssuerHost } from './questions.types.ts';

/** Prefix of the numbers of our own stored-value accounts: of ISO/IEC 7812's national range for Norway, so no scheme's. */
export const OWN_PREFIX = '957801';

const SEVEN_DAYS_SECONDS = 7 * 24 * 60 * 60;

/** Our own ledger as an issuer: stored value. */
export const LEDGER_ISSUER: Issuer = {
  issuerId: 'ledger',
  issuerName: 'Kontor',
  acquirerId: 'kontor',
  acquirerName: 'Kontor',
  settlementProvided: false,
  holdSeconds: SEVEN_DAYS_SECONDS,
  prefixes: [OWN_PREFIX],
  host: undefined,
  limits: { sendMs: 0, answerMs: 0 },
  operations: [],
  captures: 'many',
  needCard: [],
  failoverCodes: [],
  forwardHours: 0,
  exemptions: [],
  exemptionLimits: {},
  agreementsOf: () => [],
  isReady: () => true,
};

/** A line to an acquirer, as issuers need it. */
export interface AcquirerLine {
  readonly host: IssuerHost;
  readonly isReady: () => boolean;
}

/** An acquirer as an issuer. */
export function acquirerIssuer(acquirer: Acquirer, line: AcquirerLine, agreements: readonly Agreement[]): Issuer {
  const { id, name, holdSeconds, sendMs, answerMs, operations, captures, failoverCodes, needCard } = acquirer;
  const { exemptions, exemptionLimits, forwardHours } = acquirer;
  const own = agreements.filter((agreement) => agreement.acquirer === id);
  const byPayee = groupBy(own, ({ payeeId }) => payeeId);
  return {
    ...line,
    issuerId: id,
    issuerName: name,
    acquirerId: id,
    acquirerName: name,
    settlementProvided: true,
    holdSeconds,
    prefixes: [...new Set(own.flatMap(({ bins }) => bins))],
    limits: { sendMs, answerMs },
    operations,
    captures,
    needCard,
    failoverCodes,
    forwardHours,
    exemptions,
    exemptionLimits,
    agreementsOf: (payeeId) => byPayee.get(payeeId) ?? [],
  };
}

/** The issuers of an installation as one table. Their ids must differ. */
export function issuerTable(issuers: readonly Issuer[]): Issuers {
  const byId = new Map(issuers.map((issuer) => [issuer.issuerId, issuer]));
  assert(byId.size === issuers.length, 'each issuer has an id of its own');
  const external = issuers.filter(({ host }) => host !== undefined);
  const own = issuers.filter(({ host }) => host === undefined).flatMap(({ prefixes }) => prefixes);
  const isOwn = (number: Secret) => own.some((prefix) => number.reveal().startsWith(prefix));
  const routesOf: Issuers['routesOf'] = (payeeId, wanted) => {
    if (wanted.number !== undefined && isOwn(wanted.number)) return [];
    const routes = external.flatMap((issuer) =>
      issuer.agreementsOf(payeeId).map((agreement) => ({ issuer, agreement, operations: issuer.operations })),
    );
    return readyFirst(routesFor(routes, wanted), ({ issuer }) => issuer.isReady());
  };
  return {
    all: issuers,
    externalPrefixes: external.flatMap(({ prefixes }) => prefixes),
    routesOf,
    hasRoute: (payeeId, wanted) => routesOf(payeeId, wanted).length > 0,
    named: (issuerId) => byId.get(issuerId) ?? gone(issuerId),
  };
}

/** Whether an issuer can be asked for a step: our own ledger carries all of them out. */
export function offers({ host, operations }: Issuer, operation: TransactionOperation): boolean {
  return host === undefined || operations.includes(operation);
}

/** An issuer of old payments that is configured no more: a start makes sure that none of them waits for it. */
function gone(issuerId: string): Issuer {
  return {
    ...LEDGER_ISSUER,
    issuerId,
    issuerName: issuerId,
    acquirerId: issuerId,
    acquirerName: issuerId,
    prefixes: [],
    host: { ask: notThere, reverse: notThere },
    isReady: () => false,
  };
}

const notThere = (): never => {
  throw new AssertionFailure('an issuer without agreements is asked nothing');
};

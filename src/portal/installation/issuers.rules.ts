import type { Issuer } from '../../issuers/issuers.types.ts';
import type { IssuerBacklog, IssuerState, IssuerTally, ListedIssuer } from './installation.types.ts';

const NEVER_ASKED = { answered: 0, unanswered: 0, latestAnsweredAt: null, latestUnansweredAt: null };
const NO_BACKLOG = { waiting: 0, toTakeBack: 0, oldestAt: null };

/** What is known of the issuers of an installation, by their ids. */
export interface KnownOfIssuers {
  readonly tallies: readonly IssuerTally[];
  readonly backlogs: readonly IssuerBacklog[];
  /** First digits of the payees' own cards, which our ledger decides on. */
  readonly ownPrefixes: readonly string[];
}

/** An issuer with how it does. */
export function describeIssuer(issuer: Issuer, { tallies, backlogs, ownPrefixes }: KnownOfIssuers): ListedIssuer {
  const { host, prefixes, issuerId, issuerName, acquirerId, acquirerName, settlementProvided, holdSeconds } = issuer;
  const terms = { issuerId, issuerName, acquirerId, acquirerName, settlementProvided, holdSeconds };
  const tally = tallies.find((one) => one.issuerId === issuerId) ?? { ...NEVER_ASKED, issuerId };
  const backlog = backlogs.find((one) => one.issuerId === issuerId) ?? { ...NO_BACKLOG, issuerId };
  const isOwn = host === undefined;
  return {
    ...terms,
    ...tally,
    ...backlog,
    kind: isOwn ? 'Ledger' : 'Elsewhere',
    state: isOwn ? 'Own' : stateOf(tally),
    prefixes: [...new Set(isOwn ? [...prefixes, ...ownPrefixes] : prefixes)].sort(),
  };
}

function stateOf({ latestAnsweredAt, latestUnansweredAt }: IssuerTally): IssuerState {
  if (latestAnsweredAt === null && latestUnansweredAt === null) return 'Idle';
  return (latestUnansweredAt ?? '') > (latestAnsweredAt ?? '') ? 'NotAnswering' : 'Answering';
}

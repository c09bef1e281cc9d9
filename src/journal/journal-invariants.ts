import { absenceFromAudit, nounOf, numberingOfEvents } from './invariants.store.ts';
import type { Invariant, Journaled } from './invariants.types.ts';

/** That no event of a row is missing, and none is there twice. */
export function eventsAreNumbered(journaled: Journaled): Invariant {
  return {
    holds: `The events of each ${nounOf(journaled.kind)} are numbered without gaps up to the latest one.`,
    searches: [numberingOfEvents(journaled)],
  };
}

/** That the audit trail names the actor who made a row. */
export function makersAreKnown(journaled: Journaled): Invariant {
  return {
    holds: `The actor who made a ${nounOf(journaled.kind)} is in the audit trail.`,
    searches: [absenceFromAudit(journaled)],
  };
}

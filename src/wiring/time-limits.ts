import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import { type Finding, ok } from '../kit/findings.ts';
import { HANDLER_TIMEOUT_MS } from '../kit/limits.ts';

/**
 * How long things take at most, in milliseconds, where an installation has such acquirers and directory servers. Who is further inside
 * gives up first and knows why: database, directory server or acquirer, request, then proxy and client.
 */
export interface TimeLimits {
  /** A request that changes something. It holds no connection to the database while it waits, and delays no other request. */
  readonly changeMs: number;
  /** A stopping service lets the requests under way finish. */
  readonly drainMs: number;
  /** The end of the process: the drain, and what comes after it. */
  readonly endMs: number;
}

/** Beside the wait for others, in which a request stores what it asks and what was answered. */
const STORING_MS = 5_000;
/** For downloads, where no acquirer takes longer. */
const LEAST_DRAIN_MS = 25_000;
/** For jobs, lines and connections to close. */
const CLOSING_MS = 10_000;
/** One that fails over asks a second one. */
const ACQUIRERS_ASKED = 2;

/** The limits: long enough for the slowest directory server and the two slowest acquirers after it. */
export function timeLimitsOf({ acquirers, threeDS }: Pick<AcquirersSetup, 'threeDS'> & Waits): TimeLimits {
  const directoryMs = Math.max(0, ...(threeDS?.directoryServers ?? []).map(({ answerMs }) => answerMs));
  const acquirersMs = acquirers
    .map(({ sendMs, answerMs }) => sendMs + answerMs)
    .sort((a, b) => b - a)
    .slice(0, ACQUIRERS_ASKED)
    .reduce((sum, wait) => sum + wait, 0);
  const changeMs = Math.max(HANDLER_TIMEOUT_MS, STORING_MS + directoryMs + acquirersMs);
  const drainMs = Math.max(LEAST_DRAIN_MS, changeMs);
  return { changeMs, drainMs, endMs: drainMs + CLOSING_MS };
}

/** What counts of each acquirer. */
interface Waits {
  readonly acquirers: readonly { readonly sendMs: number; readonly answerMs: number }[];
}

/** Says how long those around the service must wait for it. */
export function waitFindings(setup: AcquirersSetup): readonly Finding[] {
  const { changeMs, endMs } = timeLimitsOf(setup);
  const seconds = (ms: number) => Math.ceil(ms / 1_000);
  return [
    ok(
      `A request may take ${seconds(changeMs)} s: a proxy must wait longer for its answer. A stop may take ${seconds(endMs)} s: ` +
        'what ends the service (TimeoutStopSec of systemd) must wait longer too.',
    ),
  ];
}

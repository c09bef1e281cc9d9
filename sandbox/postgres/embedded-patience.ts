import { setTimeout as sleep } from 'node:timers/promises';
import { EMBEDDED_POLL_MS } from '../../src/kit/limits.ts';
import type { NoClaim } from './embedded-claim.ts';
import { EmbeddedFailure } from './embedded-failure.ts';
import type { EmbeddedPaths } from './embedded-paths.ts';

/** Milliseconds for the embedded PostgreSQL to answer, and for the remains of a killed one to be gone. */
const EMBEDDED_START_MS = 20_000;
/** Milliseconds that a server which says that it is recovering may take: it may have 2 GB of log to replay. */
const EMBEDDED_RECOVERY_MS = 600_000;
/** Milliseconds before waiting for such a server is worth a line in the log. */
const EMBEDDED_QUIET_MS = 1_000;
/** Milliseconds that a killed owner's session may live on in the server before the directory counts as taken. */
const EMBEDDED_OWNER_MS = 2_000;
/** Milliseconds before a server that failed to start because of the one before it is started again. */
const EMBEDDED_RETRY_MS = 200;

/**
 * How long a start bears each reason for not having a claim. A server that works on something gets much more time than
 * one that says nothing.
 *
 * @returns a function that waits a moment before the next try
 * @throws EmbeddedFailure from that function when time is up
 */
export function createPatience(paths: EmbeddedPaths, log: (line: string) => void): (refusal: NoClaim) => Promise<void> {
  const begunAt = Date.now();
  let answeredAt = begunAt;
  let ownedAt: number | undefined;
  let announced = false;
  return async (refusal) => {
    const now = Date.now();
    if (refusal.reason !== 'silent') answeredAt = now;
    if (refusal.reason === 'owned') {
      ownedAt ??= now;
      if (now - ownedAt > EMBEDDED_OWNER_MS) throw takenBy(refusal.by, paths);
    }
    if (refusal.reason === 'silent' && now - answeredAt > EMBEDDED_START_MS) {
      throw failedStart(paths, 'does not answer', String(refusal.cause ?? ''));
    }
    if (now - begunAt > EMBEDDED_RECOVERY_MS) throw failedStart(paths, 'takes too long to be ready');
    const isLong = now - begunAt > EMBEDDED_QUIET_MS;
    if (isLong && !announced && refusal.reason !== 'owned') {
      log('Still waiting for PostgreSQL: it recovers, or the one before it is not gone yet.');
      announced = true;
    }
    await sleep(isLong ? EMBEDDED_RETRY_MS : EMBEDDED_POLL_MS);
  };
}

/** @param said by the server in its log, or by the system; may be empty */
export function failedStart(paths: EmbeddedPaths, what: string, said = ''): EmbeddedFailure {
  return new EmbeddedFailure(`PostgreSQL ${what}. Its log is ${paths.log}.\n${said}`.trimEnd());
}

function takenBy(owner: string, { dataDir }: EmbeddedPaths): EmbeddedFailure {
  return new EmbeddedFailure(
    `Another Kontor (${owner}) already serves from ${dataDir}. Stop it first, or set KONTOR_DATA_DIR to a directory of its ` +
      'own for this one.',
  );
}

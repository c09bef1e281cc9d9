import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { dial } from '../iso8583/link/dial.adapter.ts';
import { messageMac } from '../iso8583/mac.adapter.ts';
import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import { ACQUIRER_FILES } from '../issuers/acquirers/file/acquirer-files.adapter.ts';
import { loadAcquirers } from '../issuers/acquirers/file/load-acquirers.ts';
import type { LinesParts } from '../issuers/acquirers/reach-acquirer.ts';
import type { Instance } from '../portal/installation/acquirers.wire.ts';

const NONE: AcquirersSetup = {
  path: undefined,
  acquirers: [],
  agreements: [],
  threeDS: undefined,
  dialects: new Map(),
};

/**
 * Where an installation charges cards.
 *
 * @throws Trouble where the file cannot be used
 */
export async function acquirersOf({ acquirersFile }: Pick<Config, 'acquirersFile'>): Promise<AcquirersSetup> {
  if (acquirersFile === undefined) return (await import('../../sandbox/sandbox.ts')).SANDBOX_ACQUIRERS;
  return readAcquirers(acquirersFile) ?? NONE;
}

/** A file of acquirers: the settings', or another one. Paths in it are taken from where it lies. */
export function readAcquirers(place: NonNullable<Config['acquirersFile']>): AcquirersSetup | undefined {
  const folder = dirname(place.path);
  return loadAcquirers({ ...place, fileAt: (path) => resolve(folder, path) }, ACQUIRER_FILES);
}

/** This process, for those who look at its lines. */
export const INSTANCE: Instance = {
  host: hostname(),
  processId: process.pid,
  startedAt: new Date(performance.timeOrigin).toISOString(),
};

const RANDOM_PARTS = 1_000_000;

/** What lines are opened with on this machine. */
export const LINES_PARTS: LinesParts = {
  dial,
  makeMac: messageMac,
  files: ACQUIRER_FILES,
  now: () => new Date(),
  // For pauses.
  random: () => randomInt(RANDOM_PARTS) / RANDOM_PARTS,
  pause: (durationMs) => pause(durationMs),
};

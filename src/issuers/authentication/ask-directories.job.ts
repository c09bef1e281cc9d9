import type { Background } from '../../kit/work/background.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { DirectoryServer } from '../acquirers/acquirers.types.ts';
import { prepareCards } from './directory.flow.ts';
import type { DirectoryFlows } from './three-ds.types.ts';

/** Milliseconds between two looks whether a directory server is to be asked; it is not asked each time. */
const LOOK_INTERVAL_MS = 10 * 60_000;

/** Asking directory servers. */
interface Asking {
  /** The first look at each, which never rejects. */
  readonly first: Promise<unknown>;
  /** Stops it, and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Looks now, and then again and again, whether it is time to ask a directory server for its cards: each for itself, so that one
 * that does not answer delays no other's.
 */
export function startAskingDirectories(
  flows: DirectoryFlows,
  background: Background,
  intervalMs = LOOK_INTERVAL_MS,
): Asking {
  const { directoryServers } = flows.server;
  const looks = directoryServers.map((directory) => () => askDirectory(flows, directory));
  const first = Promise.all(looks.map((look) => background.attempt('ask-directories', look)));
  const stops = looks.map((look) => background.repeat('ask-directories', intervalMs, look));
  return {
    first,
    stop: async () => {
      await Promise.all([first, ...stops.map((stop) => stop())]);
    },
  };
}

/**
 * Asks a directory server whose cards are to be asked for.
 *
 * @throws Trouble where it has not told them
 */
export async function askDirectory(flows: DirectoryFlows, directory: DirectoryServer): Promise<void> {
  const failure = await prepareCards(flows, directory);
  if (failure !== undefined) {
    throw new Trouble(`The directory server of ${directory.scheme} has not told its cards: ${failure}.`);
  }
}

import type { Background } from '../../kit/work/background.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { prepareCards } from './directory.flow.ts';
import type { DirectoryFlows } from './three-ds.types.ts';

/** Milliseconds between two looks whether a directory server is to be asked; it is not asked each time. */
const LOOK_INTERVAL_MS = 10 * 60_000;

/** Asking directory servers. */
interface Asking {
  /** The first look, which never rejects. */
  readonly first: Promise<unknown>;
  /** Stops it, and waits for the round under way. */
  stop(): Promise<void>;
}

/** Looks now, and then again and again, whether it is time to ask a directory server for its cards. */
export function startAskingDirectories(
  flows: DirectoryFlows,
  background: Background,
  intervalMs = LOOK_INTERVAL_MS,
): Asking {
  const first = background.attempt('ask-directories', () => askDirectories(flows));
  const stop = background.repeat('ask-directories', intervalMs, () => askDirectories(flows));
  return {
    first,
    stop: async () => {
      await Promise.all([first, stop()]);
    },
  };
}

/**
 * Asks those directory servers whose cards are to be asked for.
 *
 * @throws Trouble that names those which have not told them
 */
export async function askDirectories(flows: DirectoryFlows): Promise<void> {
  const asked = await Promise.all(
    flows.server.directoryServers.map(async (directory) => {
      const failure = await prepareCards(flows, directory);
      return failure === undefined ? [] : [`${directory.scheme}: ${failure}`];
    }),
  );
  const failures = asked.flat();
  if (failures.length > 0) throw new Trouble(`Directory servers have not told their cards: ${failures.join('; ')}.`);
}

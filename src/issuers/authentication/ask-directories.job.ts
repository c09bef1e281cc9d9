import type { Background } from '../../kit/work/background.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { prepareCards } from './directory.flow.ts';
import type { DirectoryFlows } from './three-ds.types.ts';

/** Milliseconds between two looks whether a directory server is to be asked; it is not asked each time. */
const LOOK_INTERVAL_MS = 10 * 60_000;

/**
 * Looks again and again whether it is time to ask a directory server for its cards. The first look comes after the interval.
 *
 * @returns stops it, and waits for the round under way
 */
export function startAskingDirectories(
  flows: DirectoryFlows,
  background: Background,
  intervalMs = LOOK_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('ask-directories', intervalMs, () => askDirectories(flows));
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

import { setTimeout as pause } from 'node:timers/promises';
import type { FuzzClient } from './fuzz-client.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { FuzzSite } from './fuzz-site.ts';
import { tableDigests, tablesThatDiffer } from './routes-digest.ts';

/** A table that a refused request has written, and the request. */
export interface Written {
  readonly table: string;
  readonly request: FuzzRequest;
}

/** Times that a table must differ to be believed: jobs write too, but not each time. */
const TIMES = 3;

interface Parts {
  readonly site: FuzzSite;
  readonly client: FuzzClient;
}

/**
 * Sends requests that were refused once more, and looks whether any table is another than before. Those that are taken
 * this time, because something has changed meanwhile, are left out.
 *
 * @returns what was written, by the first request that alone does it
 */
export async function writtenByRefused(parts: Parts, refused: readonly FuzzRequest[]): Promise<Written[]> {
  const still = await stillRefused(parts, refused);
  const tables = await tablesWritten(parts, still);
  const written: Written[] = [];
  for (const table of tables) {
    const request = await findCulprit(parts, still, table);
    if (request !== undefined) written.push({ table, request });
  }
  return written;
}

async function stillRefused({ client }: Parts, requests: readonly FuzzRequest[]): Promise<FuzzRequest[]> {
  const outcomes = await client.sendAll(requests);
  return outcomes.filter(({ answer }) => (answer?.status ?? 200) >= 400).map(({ request }) => request);
}

/** Tables that differ each time that the requests are sent, and stay as they are while nothing is. */
async function tablesWritten(parts: Parts, requests: readonly FuzzRequest[]): Promise<string[]> {
  let suspects: string[] | undefined;
  let refused = requests;
  for (let time = 0; time < TIMES && refused.length > 0; ) {
    const startedAt = performance.now();
    const before = await tableDigests(parts.site.database);
    const still = await stillRefused(parts, refused);
    const after = await tableDigests(parts.site.database);
    // What was taken may write: the others are looked at without it.
    if (still.length < refused.length) {
      refused = still;
      continue;
    }
    time++;
    const differing = tablesThatDiffer(before, after);
    suspects = differing.filter((table) => suspects?.includes(table) ?? true);
    if (suspects.length === 0) return [];
    const elapsedMs = performance.now() - startedAt;
    await pause(elapsedMs);
    const idle = tablesThatDiffer(after, await tableDigests(parts.site.database));
    suspects = suspects.filter((table) => !idle.includes(table));
  }
  return suspects ?? [];
}

/** Halves the requests until one is left that writes the table by itself. */
async function findCulprit(
  parts: Parts,
  requests: readonly FuzzRequest[],
  table: string,
): Promise<FuzzRequest | undefined> {
  const [first] = requests;
  if (requests.length <= 1) return first;
  const half = requests.slice(0, Math.ceil(requests.length / 2));
  const isHere = (await tablesWritten(parts, half)).includes(table);
  return findCulprit(parts, isHere ? half : requests.slice(half.length), table);
}

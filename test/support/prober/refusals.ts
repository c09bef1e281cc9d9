import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from '../database/database.ts';
import { tableDigests, tablesThatDiffer } from './routes-digest.ts';

/** Times that a table must differ to be believed: jobs write too, but not each time. */
const TIMES = 3;
/** A wrong password or code is in the audit trail (PCI DSS 4.0.1, 10.2.1.4) and counted, a card's on its account. */
export const REFUSALS_ARE_NOTED = [
  'signIn',
  'reauthenticate',
  'confirmSecondFactor',
  'preDeposit',
  'askAccountBalance',
];

/** Where requests are sent, and what may not be written by them. */
interface Parts<Request> {
  readonly database: Pick<TestDatabase, 'asAdmin'>;
  /** Sends requests, and says which of them were refused. */
  readonly refusedOf: (requests: readonly Request[]) => Promise<Request[]>;
}

/**
 * Sends requests that were refused once more, and looks whether any table is another than before. Those that are taken
 * this time, because something has changed meanwhile, are left out.
 *
 * @returns tables that were written, each by the first request that alone does it
 */
export async function writtenByRefused<Request>(
  parts: Parts<Request>,
  refused: readonly Request[],
): Promise<{ table: string; request: Request }[]> {
  const still = await parts.refusedOf(refused);
  const tables = await tablesWritten(parts, still);
  const written: { table: string; request: Request }[] = [];
  for (const table of tables) {
    const request = await findCulprit(parts, still, table);
    if (request !== undefined) written.push({ table, request });
  }
  return written;
}

/** Tables that differ each time that the requests are sent, and stay as they are while nothing is. */
async function tablesWritten<Request>(
  { database, refusedOf }: Parts<Request>,
  requests: readonly Request[],
): Promise<string[]> {
  let suspects: string[] | undefined;
  let refused = requests;
  for (let time = 0; time < TIMES && refused.length > 0; ) {
    const startedAt = performance.now();
    const before = await tableDigests(database);
    const still = await refusedOf(refused);
    const after = await tableDigests(database);
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
    const idle = tablesThatDiffer(after, await tableDigests(database));
    suspects = suspects.filter((table) => !idle.includes(table));
  }
  return suspects ?? [];
}

/** Halves the requests until one is left that writes the table by itself. */
async function findCulprit<Request>(
  parts: Parts<Request>,
  requests: readonly Request[],
  table: string,
): Promise<Request | undefined> {
  const [first] = requests;
  if (requests.length <= 1) return first;
  const half = requests.slice(0, Math.ceil(requests.length / 2));
  const isHere = (await tablesWritten(parts, half)).includes(table);
  return findCulprit(parts, isHere ? half : requests.slice(half.length), table);
}

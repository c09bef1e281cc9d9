import type { Read, Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { type Actor, namingActor } from '../../kit/caller.ts';
import { csvLine, endOfPart } from '../../kit/csv.ts';
import { inputError } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { ACTIVITY_EXPORT_LINES, PAGE_ACTIVITY } from '../../kit/limits.ts';
import { reachOf } from '../newest-first.rules.ts';
import { selectActivity } from './activity.store.ts';
import type { Activity, ActivityFilter, ActivityPage } from './activity.types.ts';

/**
 * What was done with a payee's things, the newest first.
 *
 * @param cursor what the page before said under `next`; undefined for the first one
 * @throws Refusal `inputerror` for a cursor that is none
 */
export async function listActivity(
  read: Read,
  filter: ActivityFilter,
  cursor: string | undefined,
): Promise<ActivityPage> {
  if (cursor !== undefined && !isUuid(cursor)) throw inputError('cursor', 'must be the next of the page before');
  const reach = reachOf(filter.period, cursor?.toLowerCase());
  const { rows } = await selectActivity(read, filter, { reach, limit: PAGE_ACTIVITY + 1 });
  const entries = rows.slice(0, PAGE_ACTIVITY).map(namingActor);
  return { entries, next: rows.length > PAGE_ACTIVITY ? (entries.at(-1)?.activityId ?? null) : null };
}

/** The same as a table to keep, page by page as it is sent, up to a number of lines: then its last line says that it is not all. */
export async function* activityTable(read: Read, filter: ActivityFilter): AsyncIterable<string> {
  const heading = ['time', 'actor', 'name', 'action', 'object', 'id', 'session', 'details'];
  yield csvLine(heading);
  let cursor: string | null | undefined;
  let lines = 0;
  while (cursor !== null && lines < ACTIVITY_EXPORT_LINES) {
    const { entries, next } = await listActivity(read, filter, cursor);
    yield entries.map(lineOf).join('');
    lines += entries.length;
    cursor = next;
  }
  if (cursor !== null) yield endOfPart(lines, heading.length);
}

function lineOf({ happenedAt, actor, actorName, action, objectKind, objectId, sessionId, details }: Activity): string {
  const cells = [happenedAt, actor, actorName ?? '', action, objectKind, objectId, sessionId ?? ''];
  return csvLine([...cells, JSON.stringify(details)]);
}

/** Writes down that a user looks at the audit trail, or takes it with them (PCI DSS 4.0.1, 10.2.1.3). */
export async function noteActivityRead(
  transaction: Transaction,
  { payeeId, actor, action }: { payeeId: PayeeId; actor: Actor; action: 'list-activity' | 'export-activity' },
): Promise<void> {
  await writeAudit(transaction, [{ payeeId, actor, action, objectId: payeeId }]);
}

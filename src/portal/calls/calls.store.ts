import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Statement, Transaction } from '../../db/transaction.types.ts';
import { FORGOTTEN_CALLS, PORTAL_SEARCH_ROWS, STORY_ROWS } from '../../kit/portal-limits.ts';
import type { Found } from '../newest-first.types.ts';
import type { CallDetails, CallList, LoggedCall, MaskedCall, SkippedCalls } from './calls.types.ts';

/** Minutes for which a payee is told of calls that were left out. */
const SKIPPED_CALLS_MINUTES = 60;

const INSERT_CALLS = overRows<MaskedCall>({
  name: 'portal-insert-calls',
  columns: {
    call_id: ['uuid', 'callId'],
    happened_at: ['timestamptz', 'at'],
    session_id: ['uuid', 'sessionId'],
    method: ['text', 'method'],
    route: ['text', 'route'],
    operation_id: ['text', 'operationId'],
    status: ['integer', 'status'],
    duration_ms: ['integer', 'durationMs'],
    credential: ['text', 'credential'],
    problem: ['text', 'problem'],
    resource_id: ['uuid', 'resourceId'],
    address: ['text', 'address'],
    headers: ['jsonb', ({ headers }) => JSON.stringify(headers)],
    request_body: ['jsonb', ({ requestBody }) => JSON.stringify(requestBody)],
    answer_body: ['jsonb', ({ answerBody }) => JSON.stringify(answerBody)],
  },
  text: ({ names, values, rows }) => `
    insert into api_call (${names})
    select ${values} from ${rows}`,
});

/** Adds calls of any payees. */
export async function insertCalls(transaction: Transaction, calls: readonly MaskedCall[]): Promise<number> {
  const { count } = await transaction.run(INSERT_CALLS, INSERT_CALLS.values(calls));
  return count;
}

const ADD_SKIPPED = overRows<SkippedCalls>({
  name: 'portal-add-skipped-calls',
  columns: {
    calls: ['bigint', 'count'],
  },
  text: ({ payee, rows }) => `
    insert into api_call_gap as g (payee_id, minute, calls)
    select ${payee}, date_trunc('minute', kontor_now()), v.calls
    from ${rows}
    on conflict (payee_id, minute) do update set calls = g.calls + excluded.calls`,
});

/** Counts calls that were left out, by payee and minute. */
export async function addSkipped(transaction: Transaction, skipped: readonly SkippedCalls[]): Promise<void> {
  await transaction.run(ADD_SKIPPED, ADD_SKIPPED.values(skipped));
}

const COLUMNS = `
  c.call_id as "callId", c.happened_at as at, c.session_id as "sessionId", c.method, c.route,
  c.operation_id as "operationId", c.status, c.duration_ms as "durationMs", c.credential, c.problem,
  c.resource_id as "resourceId"`;

const IN_REACH = 'c.payee_id = $1::uuid and c.call_id >= $2::uuid and c.call_id < $3::uuid';
const IN_PERIOD = 'c.happened_at >= $4::timestamptz and c.happened_at < $5::timestamptz';

/** Calls, newest first: those of a route or with a status are looked for one after the other, up to a limit. */
export const CALLS: Statement = {
  name: 'portal-select-calls',
  text: `
    select ${COLUMNS} from (
      select * from api_call c where ${IN_REACH} order by c.call_id desc limit ${PORTAL_SEARCH_ROWS}
    ) c
    where ${IN_PERIOD} and ($7::text is null or c.route = $7) and c.status between $8::integer and $9::integer
    order by c.call_id desc limit $6::integer`,
};

/** The last call that such a search looks at; no row where the list ends before. */
export const CALLS_STOP: Statement = {
  name: 'portal-select-calls-stop',
  text: `
    select c.call_id as id from api_call c where ${IN_REACH}
    order by c.call_id desc offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
};

/** Calls with a session id: one, where programs make their own. */
export const CALLS_OF_SESSION: Statement = {
  name: 'portal-select-calls-of-session',
  text: `
    with found as materialized (select * from api_call where payee_id = $1::uuid and session_id = $2::uuid)
    select ${COLUMNS} from found c order by c.call_id desc limit $3::integer`,
};

/** Calls about a resource, and those in which its changes were made; oldest first. */
export const CALLS_OF_RESOURCE: Statement = {
  name: 'portal-select-calls-of-resource',
  text: `
    with found as materialized (
      select * from api_call where payee_id = $1::uuid and resource_id = $2::uuid
      union
      select one.* from unnest($3::uuid[]) s (session_id)
      cross join lateral (
        select * from api_call where payee_id = $1::uuid and session_id = s.session_id limit 5
      ) one
    )
    select * from (select ${COLUMNS} from found c order by c.call_id desc limit ${STORY_ROWS}) latest
    order by "callId"`,
};

/** One call with what was kept of its bodies. */
export const ONE_CALL: Statement = {
  name: 'portal-select-call',
  text: `
    select ${COLUMNS}, c.address, c.headers, c.request_body as "requestBody", c.answer_body as "answerBody"
    from api_call c where c.payee_id = $1::uuid and c.call_id = $2::uuid`,
};

const SKIPPED: Statement = {
  name: 'portal-select-skipped-calls',
  text: `
    select coalesce(sum(calls), 0)::bigint as calls from api_call_gap
    where payee_id = $1::uuid and minute > kontor_now() - make_interval(mins => ${SKIPPED_CALLS_MINUTES})`,
};

/** Calls of a list, with the place where a search stopped. */
export async function selectCalls(read: Read, list: CallList): Promise<Found<LoggedCall>> {
  const { payeeId, reach, period, limit, route, sessionId, status } = list;
  if (sessionId !== undefined) {
    const { rows } = await read<LoggedCall>(CALLS_OF_SESSION, [payeeId, sessionId, limit]);
    return { rows, stoppedAt: undefined };
  }
  const [from, to] = status ?? [0, 999];
  const values = [payeeId, reach.from, reach.below, period.from, period.to, limit, route ?? null, from, to];
  const { rows } = await read<LoggedCall>(CALLS, values);
  if (rows.length >= limit) return { rows, stoppedAt: undefined };
  return { rows, stoppedAt: (await read<{ id: string }>(CALLS_STOP, values.slice(0, 3))).rows[0]?.id };
}

/** Calls about a resource, and those in which its changes were made. */
export async function selectResourceCalls(
  read: Read,
  { payeeId, resourceId }: { readonly payeeId: string; readonly resourceId: string },
  sessionIds: readonly string[],
): Promise<readonly LoggedCall[]> {
  return (await read<LoggedCall>(CALLS_OF_RESOURCE, [payeeId, resourceId, sessionIds])).rows;
}

/** One call, or undefined. */
export async function selectCall(read: Read, payeeId: string, callId: string): Promise<CallDetails | undefined> {
  return (await read<CallDetails>(ONE_CALL, [payeeId, callId])).rows[0];
}

/** Calls of a payee that were left out lately. */
export async function selectSkipped(read: Read, payeeId: string): Promise<number> {
  return (await read<{ calls: number }>(SKIPPED, [payeeId])).rows[0]?.calls ?? 0;
}

/** The payee after another one of those that have calls; undefined where there is none. */
export async function selectNextCaller(read: Read, after: string): Promise<string | undefined> {
  const { rows } = await read<{ payeeId: string }>(
    {
      name: 'portal-select-next-caller',
      text: `
        select payee_id as "payeeId" from api_call where payee_id > $1::uuid order by payee_id limit 1`,
    },
    [after],
  );
  return rows[0]?.payeeId;
}

/** Deletes some calls of a payee that are older than so many hours, or beyond so many; how many. */
export async function deleteOldCalls(
  transaction: Transaction,
  payeeId: string,
  { hours, most }: { readonly hours: number; readonly most: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-delete-old-calls',
      text: `
        delete from api_call c
        using (
          (select call_id from api_call
           where payee_id = $1::uuid
             and call_id < (lpad(to_hex(floor(extract(epoch from kontor_now()) * 1000)::bigint - $2::bigint * 3600000), 12, '0')
               || '70000000000000000000')::uuid
           order by call_id limit ${FORGOTTEN_CALLS})
          union
          (select call_id from api_call
           where payee_id = $1::uuid
             and call_id < (
               select call_id from api_call where payee_id = $1::uuid order by call_id desc offset $3::integer limit 1
             )
           order by call_id limit ${FORGOTTEN_CALLS})
        ) old
        where c.payee_id = $1::uuid and c.call_id = old.call_id`,
    },
    [payeeId, hours, most],
  );
  return count;
}

/** Deletes counts of calls left out that no list shows any more. */
export async function deleteOldGaps(transaction: Transaction): Promise<void> {
  await transaction.run(
    {
      name: 'portal-delete-old-gaps',
      text: `
        delete from api_call_gap where minute < (select kontor_now()) - make_interval(mins => ${SKIPPED_CALLS_MINUTES})`,
    },
    [],
  );
}

import type { Read } from '../../db/transaction.types.ts';
import { inputError, notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { readSlice } from '../newest-first.rules.ts';
import type { AskedPage, Page } from '../newest-first.types.ts';
import { pageOf } from '../page.rules.ts';
import { selectCall, selectCalls, selectSkipped } from './calls.store.ts';
import type { CallDetails, CallList, LoggedCall } from './calls.types.ts';

/** A list of calls as a request asks for it. */
export interface AskedCalls extends AskedPage {
  readonly route?: string | undefined;
  /** A status, or a class of them as in `4xx`. */
  readonly status?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** A page of calls, and how many were left out lately. */
export interface CallPage extends Page<LoggedCall> {
  readonly skipped: number;
}

/**
 * A page of the calls that a payee's programs have made, the newest first.
 *
 * @throws Refusal `inputerror`
 */
export async function listCalls(read: Read, payeeId: PayeeId, asked: AskedCalls): Promise<CallPage> {
  const slice = readSlice(asked);
  const list: CallList = {
    ...slice,
    payeeId,
    route: asked.route,
    sessionId: readSessionId(asked.sessionId),
    status: readStatus(asked.status),
    limit: slice.limit + 1,
  };
  const [found, skipped] = await Promise.all([selectCalls(read, list), selectSkipped(read, payeeId)]);
  return { ...pageOf([found], slice.limit, ({ callId }) => callId), skipped };
}

function readSessionId(text: string | undefined): string | undefined {
  if (text !== undefined && !isUuid(text)) throw inputError('sessionId', 'must be a UUID');
  return text?.toLowerCase();
}

function readStatus(text: string | undefined): CallList['status'] {
  if (text === undefined) return undefined;
  const [, first, rest] = /^([1-5])(xx|\d\d)$/.exec(text) ?? [];
  if (first === undefined) throw inputError('status', 'must be a status as in 404, or a class as in 4xx');
  return rest === 'xx' ? [Number(first) * 100, Number(first) * 100 + 99] : [Number(text), Number(text)];
}

/**
 * One call with what was kept of its bodies.
 *
 * @throws Refusal `notfound`
 */
export async function getCall(read: Read, payeeId: PayeeId, id: string): Promise<CallDetails> {
  const call = isUuid(id) ? await selectCall(read, payeeId, id.toLowerCase()) : undefined;
  if (call === undefined) throw notFound();
  return call;
}

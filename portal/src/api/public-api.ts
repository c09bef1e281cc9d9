import { type HmacKey, signRequest } from '../../../client/hmac.ts';
import { askForPassword, change } from './portal-api.ts';
import { Problem, readAnswer, send } from './problem.ts';
import type { SessionCredentials } from './types.ts';

/** An operation that an answer lists: what can be done next, and where. */
export interface Operation {
  readonly method: string;
  readonly href: string;
  readonly rel: string;
}

/** New credentials are asked for this long before the old ones end, so that none ends under way. */
const RENEW_BEFORE_MS = 60_000;

/** In the memory of the page alone, by payee. They end with the session. */
let known = new Map<string, Promise<SessionCredentials>>();

/** Forgets the credentials: the session is over, or it may more than before. */
export function forgetCredentials(): void {
  known = new Map();
}

async function credentialsOf(payeeId: string, isChange: boolean): Promise<SessionCredentials> {
  const kept = known.get(payeeId);
  if (kept !== undefined && Date.parse((await kept).expiresAt) - Date.now() > RENEW_BEFORE_MS) return kept;
  const made = change<SessionCredentials>('POST', `/payees/${payeeId}/session-credentials`, {}, isChange);
  known.set(payeeId, made);
  made.catch(() => known.delete(payeeId));
  return made;
}

export interface PublicRequest {
  readonly payeeId: string;
  readonly method: string;
  /** Absolute as in an answer, or a path. */
  readonly href: string;
  readonly body?: object;
  /** Makes repeating safe where the body has no reference of its own. */
  readonly idempotencyKey?: string;
}

/**
 * A request to the public API with the session's own credentials: a client like any other.
 *
 * @throws Problem
 */
export async function request<Answer>({ payeeId, method, href, body, idempotencyKey }: PublicRequest): Promise<Answer> {
  // Links name the service as its settings do; the page may have been opened by another of its names.
  const address = new URL(href, location.origin);
  const path = `${address.pathname}${address.search}`;
  const text = body === undefined ? '' : JSON.stringify(body);
  const attempt = async () => {
    const { accessToken, hmac } = await credentialsOf(payeeId, method !== 'GET');
    return await send(path, {
      method,
      credentials: 'omit',
      headers: {
        accept: 'application/json, application/problem+json',
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(address.pathname.startsWith('/api/payments')
          ? await signature(hmac, { method, path: address.pathname, body: text })
          : {}),
      },
      ...(body === undefined ? {} : { body: text }),
    });
  };
  let answer = await attempt();
  if (answer.status === 401) {
    known.delete(payeeId);
    answer = await attempt();
  }
  if (answer.status === 403 && (await asksForPassword(answer.clone())) && (await askForPassword())) {
    forgetCredentials();
    answer = await attempt();
  }
  // Nothing was done yet, so whoever asked does not go on as if it were.
  if (answer.status === 202) throw new Problem(202, { type: 'awaitingapproval' });
  return await readAnswer<Answer>(answer);
}

/** Whether what is asked for is so much that the service wants the password again. */
const asksForPassword = (answer: Response): Promise<boolean> =>
  readAnswer(answer).then(
    () => false,
    (problem: Problem) => problem.asksForPassword,
  );

/** What a request below `/api/payments` carries beside the access token. */
async function signature(
  hmac: HmacKey,
  request: { readonly method: string; readonly path: string; readonly body: string },
): Promise<Record<string, string>> {
  const transmissionTime = new Date().toISOString();
  const signed = await signRequest(hmac, { ...request, nonce: crypto.randomUUID(), transmissionTime });
  return { hmac: signed, 'transmission-time': transmissionTime };
}

/** The operation of this name, where the answer offers it. */
export const operationOf = (operations: readonly Operation[] | undefined, rel: string): Operation | undefined =>
  operations?.find((operation) => operation.rel === rel);

import { addressOf } from '../../../client/address.ts';
import { type HmacKey, signRequest } from '../../../client/hmac.ts';
import type { AnswerOf } from './endpoints.types.ts';
import { createSessionCredentials } from './operations.generated.ts';
import { Problem, readAnswer, send } from './problem.ts';
import { noteSessionEnd } from './session-end.ts';

/** What the page keeps of the session beside the cookie, which it cannot see. */
const state = {
  csrfToken: '',
  onSignedOut: () => {},
  reauthenticate: async () => false,
};

/** Every change carries the session's token, so that no other page can make one. */
export function keepCsrfToken(token: string): void {
  state.csrfToken = token;
}

/** Called when the service says that the session is over. */
export function onSignedOut(listener: () => void): void {
  state.onSignedOut = listener;
}

/** Asks the person for the password; answers whether it was given and right. */
export function onPasswordNeeded(ask: () => Promise<boolean>): void {
  state.reauthenticate = ask;
}

interface Asked {
  readonly method: string;
  /** Absolute as in an answer, or a path. */
  readonly address: string;
  readonly body?: unknown;
  /** In place of a body. */
  readonly file?: Blob | undefined;
  /** Of the answer, where the API has several. */
  readonly version?: string | undefined;
}

/** What all requests have in common. A change has a body, if an empty one. */
function requestOf({ method, body, version }: Asked) {
  const isChange = method !== 'GET';
  const json = version === undefined ? 'application/json' : `application/json;version=${version}`;
  const accept = { accept: `${json}, application/problem+json` };
  return {
    headers: isChange ? { ...accept, 'content-type': 'application/json' } : accept,
    body: isChange ? JSON.stringify(body ?? {}) : undefined,
  };
}

/**
 * A request to the portal's own API. Where it wants the password, that is asked for, and the request made again.
 *
 * @param isChange false where the person asked for no change: what a page needs to read is made, too
 * @throws Problem
 */
export async function askService<Answer>(asked: Asked, isChange = asked.method !== 'GET'): Promise<Answer> {
  try {
    return await askServiceOnce<Answer>(asked, isChange);
  } catch (error) {
    if (!(error instanceof Problem && error.asksForPassword && (await state.reauthenticate()))) throw error;
    return await askServiceOnce<Answer>(asked, isChange);
  }
}

async function askServiceOnce<Answer>(asked: Asked, isChange: boolean): Promise<Answer> {
  const { method, address, file } = asked;
  const { headers, body } = requestOf(asked);
  const answer = await send(address, {
    method,
    credentials: 'same-origin',
    headers: {
      ...headers,
      ...(body !== undefined && { 'csrf-token': state.csrfToken }),
      ...(file !== undefined && { 'content-type': 'text/csv' }),
    },
    ...(body !== undefined && { body: file ?? body }),
  });
  try {
    return await readAnswer<Answer>(answer);
  } catch (error) {
    if (isSessionOver(error, address)) {
      noteSessionEnd(error, isChange);
      state.onSignedOut();
    }
    throw error;
  }
}

/**
 * Whether the service says that the user is not signed in; to a user who signs in, that is how it says that they may
 * not.
 */
function isSessionOver(error: unknown, address: string): error is Problem {
  return error instanceof Problem && error.status === 401 && address !== '/portal/api/session';
}

/** New credentials are asked for this long before the old ones end, so that none ends under way. */
const RENEW_BEFORE_MS = 60_000;

type Credentials = AnswerOf<typeof createSessionCredentials>;

/** In the memory of the page alone, by payee. They end with the session. */
let known = new Map<string, Promise<Credentials>>();

/** Forgets the credentials: the session is over, or it may more than before. */
export function forgetCredentials(): void {
  known = new Map();
}

async function credentialsOf(payeeId: string, isChange: boolean): Promise<Credentials> {
  const kept = known.get(payeeId);
  if (kept !== undefined && Date.parse((await kept).expiresAt) - Date.now() > RENEW_BEFORE_MS) return kept;
  const made = askService<Credentials>(addressOf(createSessionCredentials, { params: { payeeId } }), isChange);
  known.set(payeeId, made);
  made.catch(() => known.delete(payeeId));
  return made;
}

interface AskedOfPublic extends Asked {
  readonly payeeId: string;
  readonly idempotencyKey?: string | undefined;
}

/**
 * A request to the public API with the session's own credentials: a client like any other.
 *
 * @throws Problem
 */
export async function askPublic<Answer>(asked: AskedOfPublic): Promise<Answer> {
  const { payeeId, method, idempotencyKey } = asked;
  // Links name the service as its settings do; the page may have been opened by another of its names, and stays there.
  const { pathname: path, search } = new URL(asked.address, 'https://service.invalid');
  const { headers, body } = requestOf(asked);
  const attempt = async () => {
    const { accessToken, hmac } = await credentialsOf(payeeId, method !== 'GET');
    return await send(path + search, {
      method,
      credentials: 'omit',
      headers: {
        ...headers,
        authorization: `Bearer ${accessToken}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(path.startsWith('/api/payments') && (await signature(hmac, { method, path, body: body ?? '' }))),
      },
      ...(body !== undefined && { body }),
    });
  };
  let answer = await attempt();
  if (answer.status === 401) {
    known.delete(payeeId);
    answer = await attempt();
  }
  if (answer.status === 403 && (await wantsPassword(method, answer)) && (await state.reauthenticate())) {
    forgetCredentials();
    answer = await attempt();
  }
  // Nothing was done yet, so the caller does not go on as if it were.
  if (answer.status === 202) throw new Problem(202, { type: 'awaitingapproval' });
  return await readAnswer<Answer>(answer);
}

/**
 * Whether the service refused for want of the password: it says so where much money is given away, and credentials of a
 * session whose password was not just given cannot change webhooks.
 */
async function wantsPassword(method: string, answer: Response): Promise<boolean> {
  if (method !== 'GET' && answer.headers.get('www-authenticate')?.includes('scope="webhooks"')) return true;
  return readAnswer(answer.clone()).then(
    () => false,
    (problem: Problem) => problem.asksForPassword,
  );
}

/** What a request below `/api/payments` carries beside the access token. */
async function signature(
  hmac: HmacKey,
  request: { readonly method: string; readonly path: string; readonly body: string },
): Promise<Record<string, string>> {
  const transmissionTime = new Date().toISOString();
  const signed = await signRequest(hmac, { ...request, nonce: crypto.randomUUID(), transmissionTime });
  return { hmac: signed, 'transmission-time': transmissionTime };
}

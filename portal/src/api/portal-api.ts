import { Problem, readAnswer, send } from './problem.ts';
import { noteSessionEnd } from './session-end.ts';

/** What the page keeps of the session beside the cookie, which it cannot see. */
const state = {
  csrfToken: '',
  onSignedOut: () => {},
  reauthenticate: undefined as (() => Promise<boolean>) | undefined,
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

/** Asks for the password; false where the person would rather not. */
export const askForPassword = async (): Promise<boolean> => (await state.reauthenticate?.()) ?? false;

type Query = Readonly<Record<string, string | number | undefined>>;

/** An address with what of the query is set. */
export function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).filter((entry): entry is [string, string | number] => {
    const value = entry[1];
    return value !== undefined && value !== '';
  });
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

/** Reads from the portal's own API. The path stands below `/portal/api`. */
export const get = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  call<Answer>('GET', withQuery(path, query), { isChange: false });

/**
 * Changes something by the portal's own API; asks for the password and repeats the request where the service wants it.
 *
 * @param isChange false where the person asked for no change: what a page needs to read is made, too
 */
export async function change<Answer>(
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  isChange = true,
): Promise<Answer> {
  try {
    return await call<Answer>(method, path, { body, isChange });
  } catch (error) {
    const problem = error as Problem;
    if (!problem.asksForPassword || !(await askForPassword())) throw error;
    return await call<Answer>(method, path, { body, isChange });
  }
}

/** The same without asking for the password: for the requests that give it. */
export const post = <Answer>(path: string, body: object): Promise<Answer> =>
  call<Answer>('POST', path, { body, isChange: true });

interface Sent {
  readonly body?: object;
  readonly isChange: boolean;
}

async function call<Answer>(method: string, path: string, { body, isChange }: Sent): Promise<Answer> {
  const answer = await send(`/portal/api${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json, application/problem+json',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'csrf-token': state.csrfToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  try {
    return await readAnswer<Answer>(answer);
  } catch (error) {
    if (isSessionOver(error, path)) {
      noteSessionEnd(error, isChange);
      state.onSignedOut();
    }
    throw error;
  }
}

/** Whether the service says that nobody is signed in; where somebody signs in, that is how it says that they may not. */
function isSessionOver(error: unknown, path: string): error is Problem {
  return error instanceof Problem && error.status === 401 && path !== '/session';
}

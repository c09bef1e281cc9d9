import type { Role } from '../../../src/kit/portal-user.ts';
import { Secret } from '../../../src/kit/secret.ts';
import { holdToDocument } from '../prober/documented-answers.ts';
import type { TestService } from '../service.ts';

/** A person's browser: it keeps its cookie, and sends what a page of ours would. */
export interface Browser {
  /** As it was last sent; undefined where there is none. */
  cookie: string | undefined;
  csrfToken: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PortalAnswer>;
  post(path: string, body?: object, headers?: Readonly<Record<string, string | null>>): Promise<PortalAnswer>;
  patch(path: string, body: object): Promise<PortalAnswer>;
  /** Sends what a page would, but for the headers that are given; `null` leaves one out. */
  send(method: string, path: string, options?: SendOptions): Promise<PortalAnswer>;
  /** Signs in, and takes note of the session. */
  signIn(credentials: Readonly<Record<string, string>>): Promise<PortalAnswer>;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: object;
}

export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

/** What `sandbox.json` says of the portal. */
export interface SandboxPortal {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly operator: { readonly email: string; readonly password: string };
}

/**
 * Opens a browser that has never been here.
 *
 * @param origin of its pages, where a proxy has another address than the service behind it
 */
export function openBrowser(baseUrl: string, origin = new URL(baseUrl).origin): Browser {
  const browser: Browser = {
    cookie: undefined,
    csrfToken: '',
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body = {}, headers = {}) => send('POST', path, { headers: { ...changing(), ...headers }, body }),
    patch: (path, body) => send('PATCH', path, { headers: changing(), body }),
    send: (method, path, { headers = {}, body } = {}) =>
      send(method, path, { headers: { ...changing(), ...headers }, ...(body !== undefined && { body }) }),
    signIn: (credentials) => browser.post('/portal/api/session', credentials),
  };
  const changing = () => ({
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    'csrf-token': browser.csrfToken,
  });
  const send = async (
    method: string,
    path: string,
    { headers, body }: { headers: Readonly<Record<string, string | null>>; body?: object },
  ): Promise<PortalAnswer> => {
    const { cookie } = browser;
    const sent = Object.entries({ ...(cookie !== undefined && { cookie }), ...headers });
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: Object.fromEntries(sent.filter((entry): entry is [string, string] => entry[1] !== null)),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
    if (isJson) holdToDocument({ method, path }, answer);
    takeNote(browser, answer);
    return answer;
  };
  return browser;
}

function takeNote(browser: Browser, { headers, body }: PortalAnswer): void {
  const [set] = headers.getSetCookie();
  if (set !== undefined) browser.cookie = set.includes('Max-Age=0') ? undefined : set.split(';', 1)[0];
  const csrfToken = body.csrfToken ?? body.session?.csrfToken;
  if (csrfToken !== undefined) browser.csrfToken = csrfToken;
}

/** A browser in which the sandbox's administrator, or its operator, is signed in. */
export async function signedIn(
  kontor: Pick<TestService, 'baseUrl' | 'portal'>,
  as: 'administrator' | 'operator' = 'administrator',
): Promise<Browser> {
  const { email, password } = as === 'operator' ? kontor.portal.operator : kontor.portal;
  const browser = openBrowser(kontor.baseUrl);
  const { status } = await browser.signIn({ email, password });
  if (status !== 200) throw new Error(`The sandbox's ${as} could not sign in: ${status}`);
  return browser;
}

/** Of all whom `signedInAs` makes. */
export const PASSWORD = 'plenty of fish in the fjord';

/** A browser in which a person of this role is signed in: a new person of the demo payee, or the sandbox's operator. */
export async function signedInAs(
  kontor: Pick<TestService, 'baseUrl' | 'portal' | 'payeeId'>,
  role: Role,
): Promise<Browser> {
  if (role === 'operator') return signedIn(kontor, 'operator');
  const administrator = await signedIn(kontor);
  const email = `${role}-${crypto.randomUUID()}@example.com`;
  const { body } = await administrator.post(`/portal/api/payees/${kontor.payeeId}/users`, {
    email,
    name: 'Ada Example',
    role,
  });
  const browser = openBrowser(kontor.baseUrl);
  const invitation = new URL(body.invitation.link).hash.slice(1);
  const { status } = await browser.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
  if (status !== 200) throw new Error(`A new ${role} could not sign in: ${status}`);
  return browser;
}

/** The seed in Base32, as an app reads it. */
export function seedOf(secret: string): Secret<Buffer> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return new Secret(Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))));
}

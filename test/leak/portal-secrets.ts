import type { Sought } from '../support/prober/scanner.ts';
import { openBrowser, type SandboxPortal } from '../support/shop/portal.ts';

const WRONG_PASSWORD = 'a-wrong-passw0rd-of-this-test-alone';
const CHOSEN_PASSWORD = 'a-chosen-passw0rd-of-this-test-alone';

/**
 * Signs in rightly and wrongly, invites a person, sets up a second factor and makes credentials. What the answers show, they
 * show this once and on purpose; it may be nowhere else.
 */
export async function attackPortal(
  { baseUrl, payeeId }: { readonly baseUrl: string; readonly payeeId: string },
  user: Pick<SandboxPortal, 'email' | 'password'>,
): Promise<Sought[]> {
  const browser = openBrowser(baseUrl);
  const { email, password } = user;
  await browser.signIn({ email, password: WRONG_PASSWORD });
  await browser.signIn({ email, password: CHOSEN_PASSWORD, code: `${WRONG_PASSWORD}`.slice(0, 20) });
  await browser.signIn({ email, password });
  const here = `/portal/api/payees/${payeeId}`;
  const invited = await browser.post(`${here}/users`, { email: 'leak@example.com', name: 'Leak', role: 'support' });
  const invitation = new URL(invited.body.invitation.link).hash.slice(1);
  const own = openBrowser(baseUrl);
  await own.post('/portal/api/invitations/accept', { invitation, password: WRONG_PASSWORD.slice(0, 5) });
  await own.post('/portal/api/invitations/accept', { invitation, password: CHOSEN_PASSWORD });
  const factor = (await own.post('/portal/api/account/second-factor')).body;
  await own.post('/portal/api/account/second-factor/confirm', { code: '000000' });
  const credentials = (await own.post(`${here}/session-credentials`)).body;
  const made = (await browser.post(`${here}/access-tokens`, { name: 'Leak', scopes: ['events'] })).body;
  await own.post('/portal/api/session/end', { everywhere: true }, { 'csrf-token': 'not-the-token' });
  const values: Readonly<Record<string, string>> = {
    "a portal user's password": password,
    'a wrong password': WRONG_PASSWORD,
    'a chosen password': CHOSEN_PASSWORD,
    "an administrator's cookie": cookieValue(browser.cookie),
    "a user's cookie": cookieValue(own.cookie),
    'a token against forged requests': own.csrfToken,
    'an invitation': invitation,
    'the seed of a second factor': factor.secret,
    "a page's access token": credentials.accessToken,
    "a page's HMAC secret": credentials.hmac.secret,
    'an access token from the portal': made.accessToken,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value, kind: 'secret' }));
}

function cookieValue(cookie: string | undefined): string {
  return cookie?.split('=')[1] ?? 'none';
}

import { type Browser, openBrowser } from '../shop/portal.ts';
import type { Sender } from './fuzz-requests.ts';
import type { FuzzSite } from './fuzz-site.ts';
import type { Operation } from './operations.ts';

/** People who are signed in to the portal while it is fuzzed. */
export interface FuzzPeople {
  sender(operation: Operation, pick: number): Sender;
  /** A person who can sign in, and whom no other test needs. */
  readonly user: { readonly email: string; readonly password: string };
  /** Ids that requests may not be aimed at: of what the fuzzer itself needs. */
  readonly reserved: ReadonlySet<string>;
  /** Lets those sign in again whose session has ended, or whose password was given too long ago. */
  refresh(): Promise<void>;
}

interface Person {
  browser: Browser;
  email: string;
  readonly password: string;
  /** Undefined: the sandbox has made them, and nothing may happen to them. */
  readonly role: string | undefined;
  signedInAt: number;
}

const PASSWORD = 'plenty of fish in the fjord';
const ROLES = ['finance', 'support', 'integrator', 'administrator'];
/** Operations with which people change or end their own way in. */
const OWN_ACCOUNT = ['signOut', 'changeOwnPassword', 'beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes'];
/** Sooner than the password has to be given again. */
const SIGN_IN_AGAIN_MS = 200_000;

/** Signs the sandbox's people in, and invites one of each role. */
export async function openPeople({ baseUrl, sandbox }: FuzzSite): Promise<FuzzPeople> {
  const here = `/portal/api/payees/${sandbox.payeeId}`;
  let invited = 0;
  const signIn = async (person: Person): Promise<boolean> => {
    const browser = openBrowser(baseUrl);
    const { status } = await browser.signIn({ email: person.email, password: person.password });
    if (status !== 200) return false;
    person.browser = browser;
    person.signedInAt = performance.now();
    return true;
  };
  const invite = async (person: Person): Promise<void> => {
    person.email = `fuzz-${++invited}@example.com`;
    const answer = await administrator.browser.post(`${here}/users`, {
      email: person.email,
      name: 'Fuzz',
      role: person.role,
    });
    const invitation = new URL(answer.body.invitation.link).hash.slice(1);
    await openBrowser(baseUrl).post('/portal/api/invitations/accept', { invitation, password: person.password });
    if (!(await signIn(person))) throw new Error('Who was invited could not sign in.');
  };
  const { portal } = sandbox;
  const newPerson = (role: string): Person => ({
    browser: openBrowser(baseUrl),
    email: '',
    password: PASSWORD,
    role,
    signedInAt: 0,
  });
  const known = ({ email, password }: { email: string; password: string }): Person => ({
    ...newPerson(''),
    email,
    password,
    role: undefined,
  });
  const administrator = known(portal);
  const operator = known(portal.operator);
  const others = ROLES.map(newPerson);
  await Promise.all([signIn(administrator), signIn(operator)]);
  for (const person of others) await invite(person);
  const reserved = new Set([sandbox.accessToken, sandbox.hmac.user, sandbox.oauth.clientId]);
  for (const list of ['users', 'access-tokens', 'oauth-clients', 'hmac-keys']) {
    const { text } = await administrator.browser.get(`${here}/${list}`);
    // Those of the sandbox: others come later.
    for (const [, id = ''] of text.matchAll(/"\w*Id":"([^"]+)"/g)) if (id !== sandbox.payeeId) reserved.add(id);
  }
  const all = [administrator, administrator, operator, operator, ...others];
  // A person who signs in again and again keeps the password that the fuzzer knows.
  const user = others[1] ?? administrator;
  const changing = others.filter((person) => person !== user);
  const at = (people: readonly Person[], pick: number) => people[pick % people.length] ?? administrator;
  return {
    user,
    reserved,
    sender: ({ id }, pick) => {
      // Who may stop a payee would stop the one that all is sent for, and no person could sign in any more.
      const isNoOperators = id === 'reauthenticate' || id === 'changePayeeState';
      const { browser } = isNoOperators ? user : at(OWN_ACCOUNT.includes(id) ? changing : all, pick);
      return { cookie: browser.cookie ?? '', csrfToken: browser.csrfToken };
    },
    refresh: async () => {
      for (const person of [administrator, operator, ...others]) {
        const isFresh = performance.now() - person.signedInAt < SIGN_IN_AGAIN_MS;
        if (isFresh && (await person.browser.get('/portal/api/session')).status === 200) continue;
        if (await signIn(person)) continue;
        if (person.role === undefined) throw new Error(`${person.email} cannot sign in any more.`);
        await invite(person);
      }
    },
  };
}

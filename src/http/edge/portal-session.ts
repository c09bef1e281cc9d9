import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { parseAddress } from '../../kit/addresses/address.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import { type AccessFault, credentialOf, type SessionEnd } from '../../kit/portal-user.ts';
import { base62, equalDigests, sha256 } from '../../kit/secret.ts';
import type { EdgeOptions, Run } from './edge.types.ts';

/**
 * The cookie's name. With the prefix a browser takes it over TLS only, for this very host and for all paths, so that no
 * neighbouring host can plant one. The sandbox may speak clear text, where browsers refuse the prefix.
 */
function cookieName(isSecure: boolean): string {
  return isSecure ? '__Host-sid' : 'kontor-sid';
}

/** The value of `Set-Cookie` that keeps a session, or with undefined the one that ends it. */
export function setCookie(isSecure: boolean, value: string | undefined): string {
  const end = value === undefined ? '; Max-Age=0' : '';
  return `${cookieName(isSecure)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${end}`;
}

/** The session's cookie of a request; undefined where there is none, or more than one: it cannot be told whose is whose. */
function readCookie(header: string | undefined, isSecure: boolean): string | undefined {
  const start = `${cookieName(isSecure)}=`;
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  const [only] = found;
  return found.length === 1 ? only?.slice(start.length) : undefined;
}

/**
 * What a page sends back with each change, made from the cookie: a page that lacks the one cannot make the other, and
 * nothing has to be stored.
 */
export function csrfTokenOf(cookie: string): string {
  return base62(createHmac('sha256', cookie).update('csrf-token').digest(), 43);
}

/** Makes the step that finds out by cookie who is signed in. */
export function findingVisitor({ portal }: Pick<EdgeOptions, 'portal'>): Run {
  return async (edge) => {
    const cookie = readCookie(edge.request.headers.cookie, portal.isSecure());
    const user = cookie === undefined ? undefined : await portal.findUser(cookie);
    if (cookie === undefined) throw notSignedIn(undefined);
    if (user === undefined) throw notSignedIn(await portal.findSessionEnd(cookie));
    edge.visitor = { cookie, user };
    edge.caller = { payeeId: user.payeeId, credential: credentialOf(user), scopes: NO_SCOPES };
  };
}

const NO_SCOPES: ReadonlySet<never> = new Set();

/** Makes the step that asks whether who is signed in may use an operation. */
export function checkingAccess({ portal }: Pick<EdgeOptions, 'portal'>): Run<'portal'> {
  return ({ request, served, visitor }) => {
    if (visitor === undefined) throw notSignedIn(undefined);
    checkCsrfToken(request, visitor.cookie);
    const fault = portal.accessFault(served.route.operationId, visitor.user);
    if (fault !== undefined) throw forbidden(fault, FAULTS[fault]);
  };
}

const FAULTS: Readonly<Record<AccessFault, string>> = {
  role: 'Your role does not allow this.',
  'second-factor': 'Set up your second factor first.',
  reauthentication: 'Give your password again: this needs one that was given a moment ago.',
};

/** Refuses a change that does not carry the token of its session (OWASP ASVS 5, 3.5.1). */
function checkCsrfToken({ method, headers }: FastifyRequest, cookie: string): void {
  if (!isChange(method)) return;
  const sent = headers['csrf-token'];
  if (typeof sent === 'string' && equalDigests(sha256(sent), sha256(csrfTokenOf(cookie)))) return;
  throw forbidden('csrf-token', 'A change must carry the token of its session in the header Csrf-Token.');
}

/**
 * Makes the step that refuses a change that another site's page sends. A browser says with each where it comes from, and no page can make it
 * lie; a request that says nothing is of no browser, and has no business here.
 */
export function checkingOrigin({ baseUrl }: Pick<EdgeOptions, 'baseUrl'>): Run {
  return ({ request }) => checkOrigin(request, baseUrl());
}

function checkOrigin({ method, headers }: FastifyRequest, baseUrl: string): void {
  if (!isChange(method)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwnSite = site === undefined || site === 'same-origin';
  const isOwnOrigin = origin === undefined || sameOrigin(origin, baseUrl);
  if ((origin !== undefined || site !== undefined) && isOwnSite && isOwnOrigin) return;
  throw forbidden('origin', 'A change must come from a page of this service.');
}

/** 401 of the portal: there is no challenge that a browser could answer. */
function notSignedIn(why: SessionEnd | undefined): Refusal {
  const problems = why === undefined ? [] : [{ name: why, description: ENDINGS[why] }];
  return new Refusal('unauthorized', 'You are not signed in, or the session is over: sign in.', { problems });
}

const ENDINGS: Readonly<Record<SessionEnd, string>> = {
  idle: 'The session was not used for a while.',
  expired: 'The session had lasted as long as a session may.',
  'signed-out': 'The session was ended from elsewhere.',
  password: 'The password was changed.',
  'second-factor': 'The second factor was replaced.',
  role: 'The role was changed.',
  disabled: 'The user was disabled.',
  suspended: 'The operator has stopped the payee.',
};

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** This machine has several names, and one set of cookies for each: they are one place here. */
function sameOrigin(origin: string, baseUrl: string): boolean {
  const [theirs, ours] = [parseAddress(origin), new URL(baseUrl)];
  if (theirs === undefined) return false;
  if (theirs.origin === ours.origin) return true;
  const isSame = theirs.protocol === ours.protocol && theirs.port === ours.port;
  return isSame && isLoopbackName(theirs.hostname) && isLoopbackName(ours.hostname);
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

import { prefersJson } from '../../http/body/negotiate.ts';
import { readFields } from '../../http/pages/form.ts';
import type { OpenAnswer, OpenRoute } from '../../http/route.types.ts';
import { Secret } from '../../kit/secret.ts';
import {
  askOnPage,
  beginOnPage,
  type Followed,
  finishOnPage,
  leadToBank,
  leadToMethod,
  noteReturned,
  waitingIn,
} from '../tries/authenticate-payer.flow.ts';
import { drawLead, returnedPage } from './bank-pages.http.ts';
import { browserOf, methodCompleted } from './browser.rules.ts';
import type { OpenedPage } from './page.types.ts';
import { addressOf, type PageRoutesOptions } from './page-context.http.ts';
import { pageAnswer } from './page-shell.http.ts';
import { afterTry, go, json, meet, type PageVisit, payerOf, redirect } from './page-visit.http.ts';
import { troublePage } from './unknown-page.http.ts';

/** Where banks send browsers back to: after a look at them, and from a challenge. The same for all, so that it says nothing. */
const METHOD_DONE = '/3ds/method';
const CHALLENGE_DONE = '/3ds/challenge';

/** What a form of ours has as `threeDSSessionData` where the script shows the challenge. */
const IN_FRAME = 'frame';
/** The page of a payment, as `addressOf` writes it. */
const PAGE_ADDRESS = /^\/pay\/([0-9a-f-]{36})\/([\w-]{20,200})(\/frame)?(?:\?language=([a-zA-Z-]{2,10}))?$/;

/** Routes that browsers come back to from their banks. They are told nothing that counts: results come from directory servers. */
export function bankRoutes(options: PageRoutesOptions): OpenRoute[] {
  const at = (path: string, handle: OpenRoute['handle']): OpenRoute => ({
    method: 'POST',
    path,
    limit: 'page',
    handle,
    explain: (request, status) => troublePage(options.assets(), request, status),
  });
  return [
    at(METHOD_DONE, () => returnedPage(options.assets())),
    at(CHALLENGE_DONE, (request) => {
      const fields = readFields(request);
      noteReturned(options, decoded(fields.get('cres')));
      const address = PAGE_ADDRESS.exec(decoded(fields.get('threeDSSessionData')));
      if (address === null) return returnedPage(options.assets());
      // Without a script the whole window was at the bank: it goes on here.
      const [, payeeId = '', secret = '', frame, language] = address;
      const query = language === undefined ? {} : { language };
      const visit = {
        ...request,
        params: { payeeId, secret },
        query,
        headers: { ...request.headers, accept: 'text/html' },
      };
      const isFramed = frame !== undefined;
      return meet(
        options,
        { request: visit, isFramed, method: 'POST', isBanks: true },
        { handle: (found) => finishWith(found, EMPTY) },
      );
    }),
  ];
}

const EMPTY: ReadonlyMap<string, string> = new Map();

/** What follows a try whose payer has to authenticate: the script does it step by step, and without one it goes to the bank. */
export async function beginAuthentication(
  visit: PageVisit,
  page: OpenedPage,
  fields: ReadonlyMap<string, string>,
): Promise<OpenAnswer> {
  const found = { ...visit, context: { ...visit.context, page } };
  if (!prefersJson(visit.request)) return askWith(found, fields);
  const waiting = waitingIn(page);
  const authentication = waiting && (await beginOnPage(visit.options, { page, waiting }));
  return nextStep(found, authentication?.state === 'Method');
}

function nextStep({ context }: PageVisit, hasMethod: boolean): OpenAnswer {
  return json({
    outcome: 'Authenticate',
    ...(hasMethod && { method: addressOf(context, '/method') }),
    authenticate: addressOf(context, '/authenticate'),
    finish: addressOf(context, '/finish'),
    attempt: context.attempt,
  });
}

/** Leads a browser to the bank that wants to know it again, in a frame that is not seen. */
export async function showMethod(visit: PageVisit): Promise<OpenAnswer> {
  const { options, context } = visit;
  const { page } = context;
  const waiting = waitingIn(page);
  const notificationUrl = `${options.baseUrl()}${METHOD_DONE}`;
  const lead = waiting && (await leadToMethod(options, { page, waiting }, notificationUrl));
  if (lead === undefined) return redirect(addressOf(context));
  return pageAnswer(context, drawLead(context, lead.url, { threeDSMethodData: encoded(lead.message) }));
}

/** Asks the bank. A page that was loaded again begins with what there is to do. */
export async function authenticate(visit: PageVisit): Promise<OpenAnswer> {
  const fields = readFields(visit.request);
  const waiting = waitingIn(visit.context.page);
  // The script has not been told yet whether the bank wants to see the browser first.
  if (waiting !== undefined && prefersJson(visit.request) && !fields.has('method')) {
    return beginAuthentication(visit, visit.context.page, fields);
  }
  return askWith(visit, fields);
}

async function askWith(visit: PageVisit, fields: ReadonlyMap<string, string>): Promise<OpenAnswer> {
  const { options, context, request } = visit;
  const { page } = context;
  const waiting = waitingIn(page);
  if (waiting === undefined) return afterTry(visit, page, fields);
  const payer = payerOf(visit);
  const { accept, 'accept-language': acceptLanguage, 'user-agent': userAgent } = request.headers;
  const followed = await askOnPage(options, {
    ...payer,
    waiting,
    cvc: cvcIn(fields),
    browser: browserOf(fields, {
      accept: textOf(accept),
      acceptLanguage: textOf(acceptLanguage),
      userAgent: textOf(userAgent),
      address: payer.address,
      language: context.locale,
    }),
    completed: (methodUrl) => methodCompleted(fields, methodUrl),
    notificationUrl: `${options.baseUrl()}${CHALLENGE_DONE}`,
    requestorUrl: options.baseUrl(),
  });
  return tell(visit, followed, fields);
}

function tell(
  visit: PageVisit,
  followed: Followed,
  fields: ReadonlyMap<string, string>,
): Promise<OpenAnswer> | OpenAnswer {
  const { context, request } = visit;
  switch (followed.is) {
    case 'Challenge':
      if (!prefersJson(request)) return redirect(addressOf(context, '/challenge'));
      return json({ outcome: 'Challenge', url: addressOf(context, '/challenge'), attempt: context.attempt });
    case 'Waiting':
      return go(visit, addressOf(context));
    default:
      // A soft decline: the issuer wants to see the payer after all.
      return followed.page.state === 'authentication'
        ? beginAuthentication(visit, followed.page, fields)
        : afterTry(visit, followed.page, fields);
  }
}

/** Leads a payer to the bank's challenge: in a frame where the script says how large, else the whole window. */
export async function showChallenge(visit: PageVisit): Promise<OpenAnswer> {
  const { options, context, request } = visit;
  const { page } = context;
  const waiting = waitingIn(page);
  const size = request.query['size'];
  const lead = waiting && (await leadToBank(options, { page, waiting }, size === '05' ? '05' : '03'));
  if (lead === undefined) return redirect(addressOf(context));
  const isInFrame = size === '03' || size === '05';
  const threeDSSessionData = encodedText(isInFrame ? IN_FRAME : addressOf(context));
  return pageAnswer(context, drawLead(context, lead.url, { creq: encoded(lead.message), threeDSSessionData }));
}

/** Goes on once the browser has come back, or where the payer has closed the challenge. */
export function finish(visit: PageVisit): Promise<OpenAnswer> {
  return finishWith(visit, readFields(visit.request));
}

async function finishWith(visit: PageVisit, fields: ReadonlyMap<string, string>): Promise<OpenAnswer> {
  const { options, context } = visit;
  const { page } = context;
  const waiting = waitingIn(page);
  if (waiting === undefined) return go(visit, addressOf(context));
  const isClosed = fields.has('closed');
  const followed = await finishOnPage(options, { ...payerOf(visit), waiting, cvc: cvcIn(fields), isClosed });
  // What has no script was at the bank as a whole window: its answer must not be drawn at the address for banks.
  if (followed.is === 'Over' && !prefersJson(visit.request) && followed.page.state === 'declined') {
    return redirect(addressOf(context));
  }
  return tell(visit, followed, fields);
}

/** As the payer has typed it; what is none is left out. */
function cvcIn(fields: ReadonlyMap<string, string>): Secret | undefined {
  const cvc = (fields.get('cvc') ?? '').trim();
  return /^\d{3,4}$/.test(cvc) ? new Secret(cvc) : undefined;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

function encoded(message: Readonly<Record<string, unknown>>): string {
  return encodedText(JSON.stringify(message));
}

/** Base64 for addresses, without padding (RFC 4648, section 5). */
function encodedText(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function decoded(text: string | undefined): string {
  return Buffer.from(text ?? '', 'base64url').toString('utf8');
}

import { KontorUnreachable, problemOf } from './problems.ts';

/** How a client shows who it is: with an access token, or with credentials that it gets one for. */
export type Credentials =
  | { readonly accessToken: string }
  | {
      readonly clientId: string;
      readonly clientSecret: string;
      /** Scopes parted by blanks. Default: all that the client has. */
      readonly scope?: string;
      /** Default: `/oauth/token` below the base address. */
      readonly tokenUrl?: string;
    };

/** Gives the value of the `Authorization` header. */
export interface Authorization {
  header(): Promise<string | undefined>;
  /**
   * Has a new token fetched next time, unless that has been done already.
   *
   * @param refused the value that the service did not take
   * @returns false where there can be no other
   */
  renew(refused: string): boolean;
}

/** Seconds before its end at which a token is not used any more: longer than a request takes. */
const MARGIN_SECONDS = 60;

/** What a token is asked for with. */
export interface TokenRequests {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** @param credentials undefined where something else, as a cookie, says who it is */
export function authorization(credentials: Credentials | undefined, requests: TokenRequests): Authorization {
  if (credentials === undefined) return { header: async () => undefined, renew: () => false };
  if ('accessToken' in credentials) {
    const header = `Bearer ${credentials.accessToken}`;
    return { header: async () => header, renew: () => false };
  }
  // Requests that need a token at the same time wait for the same one.
  let header: Promise<string> | undefined;
  let endsAtMs = 0;
  let current: string | undefined;
  return {
    header: () => {
      if (header !== undefined && Date.now() < endsAtMs) return header;
      endsAtMs = Number.POSITIVE_INFINITY;
      header = askForToken(credentials, requests).then(
        ({ access_token, expires_in }) => {
          endsAtMs = Date.now() + (expires_in - MARGIN_SECONDS) * 1000;
          current = `Bearer ${access_token}`;
          return current;
        },
        (error: unknown) => {
          endsAtMs = 0;
          throw error;
        },
      );
      return header;
    },
    renew: (refused) => {
      // Of requests at the same time, the first one that is refused has a new token fetched for all.
      if (refused === current) {
        current = undefined;
        endsAtMs = 0;
      }
      return true;
    },
  };
}

async function askForToken(
  { clientId, clientSecret, scope, tokenUrl }: Exclude<Credentials, { readonly accessToken: string }>,
  { baseUrl, fetch, timeoutMs }: TokenRequests,
): Promise<TokenAnswer> {
  const url = tokenUrl ?? `${baseUrl}/oauth/token`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw new KontorUnreachable(`No access token could be had from ${url}.`, { cause });
  });
  const body = (await response.json().catch(() => undefined)) as Partial<TokenAnswer> | undefined;
  if (response.ok && typeof body?.access_token === 'string' && typeof body.expires_in === 'number') {
    return body as TokenAnswer;
  }
  const problem = problemOf(response, asProblem(body));
  // A proxy that answers in place of the service: what the token was for was not sent.
  if (response.ok || OF_PROXIES.includes(response.status)) {
    throw new KontorUnreachable(`No access token could be had from ${url}.`, { cause: problem });
  }
  throw problem;
}

const OF_PROXIES = [502, 503, 504];

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
  /** An error of OAuth 2 instead (RFC 6749). */
  readonly error?: string;
  readonly error_description?: string;
}

function asProblem(answer: Partial<TokenAnswer> | undefined): object {
  const { error = '', error_description = '' } = answer ?? {};
  return { type: `oauth/errordetail/${error}`, title: 'The access token was refused', detail: error_description };
}

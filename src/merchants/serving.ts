import { startForgetting } from '../db/forgetting.ts';
import { stopAll } from '../kit/work/background.ts';
import { accessTokenRoutes } from './access-tokens/access-tokens.http.ts';
import { startTokenUseJob } from './access-tokens/token-use.job.ts';
import { forgetStale } from './attempts/forget-stale.ts';
import { startNotingRefused } from './attempts/refused-callers.job.ts';
import type { composeMerchants } from './compose.ts';
import { tellExpiring } from './expiry/tell-expiring.ts';
import { type HmacCheckOptions, hmacCheckRoute } from './hmac-keys/hmac-check.http.ts';
import { hmacKeyRoutes } from './hmac-keys/hmac-keys.http.ts';
import type { BackgroundContext, CredentialRoutesOptions } from './merchants.types.ts';
import { type OAuthOptions, oauthRoutes } from './oauth/oauth.http.ts';
import { oauthClientRoutes } from './oauth/oauth-clients.http.ts';
import { payeeRoutes } from './payees/payees.http.ts';

/** Milliseconds between two looks for credentials that end in 30 days: an hour, a day is what counts. */
const TELLING_INTERVAL_MS = 3_600_000;

type Merchants = ReturnType<typeof composeMerchants>;

type Given = Pick<OAuthOptions, 'baseUrl' | 'isExempt' | 'noteRefused'> &
  Pick<HmacCheckOptions, 'signatures'> &
  Pick<CredentialRoutesOptions, 'grantableBy'>;

/** Who calls, and for whom: credentials, and how programs get them. */
export function routes(
  { context: merchants, database }: Merchants,
  { baseUrl, isExempt, noteRefused, signatures, grantableBy }: Given,
) {
  const credentials = { transact: database.background.transact, merchants, grantableBy, baseUrl };
  return {
    openRoutes: oauthRoutes({ transact: database.transact, merchants, baseUrl, isExempt, noteRefused }),
    portalRoutes: [
      ...accessTokenRoutes(credentials),
      ...oauthClientRoutes(credentials),
      ...hmacKeyRoutes(credentials),
      hmacCheckRoute({ signatures, cardPrefixes: merchants.cardPrefixes, baseUrl }),
      ...payeeRoutes(credentials),
    ],
  };
}

/** Notes who calls and who was refused, and tells of credentials that end. */
export function startJobs({ context: { mode } }: Merchants, given: BackgroundContext) {
  const tokenUse = startTokenUseJob(given);
  const refused = startNotingRefused({ ...given, mode, now: () => performance.now() });
  const stopForgetting = startForgetting(given, {
    work: 'forget-stale',
    forget: async (transaction) => (await forgetStale(transaction)).more,
  });
  const stopTelling = given.background.repeat('tell-expiring', TELLING_INTERVAL_MS, () => given.transact(tellExpiring));
  return {
    noteTokenUse: tokenUse.note,
    noteKeyUse: tokenUse.noteKey,
    noteRefused: refused.note,
    stop: stopAll([tokenUse.stop, refused.stop, stopForgetting, stopTelling]),
  };
}

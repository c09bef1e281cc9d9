import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import { randomSecret } from '../kit/secret.ts';
import type { HmacCheckOptions } from './hmac-keys/hmac-check.http.ts';
import { HMAC_KEY_USE } from './hmac-keys/hmac-keys.ts';
import type {
  BackgroundContext,
  CredentialRoutesOptions,
  MerchantsContext,
  MerchantsService,
} from './merchants.types.ts';
import type { OAuthOptions } from './oauth/oauth.http.ts';

/** Milliseconds between two looks for credentials that end in 30 days: an hour, a day is what counts. */
const TELLING_INTERVAL_MS = 3_600_000;

/** What merchants and their credentials are composed of. */
export interface MerchantsParts extends Omit<MerchantsContext, 'mode' | 'newSecret'> {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'transact' | 'background'>;
}

type Given = Pick<OAuthOptions, 'baseUrl' | 'isExempt' | 'noteRefused'> &
  Pick<HmacCheckOptions, 'signatures'> &
  Pick<CredentialRoutesOptions, 'grantableBy'>;

/** Composes merchants: who calls, and for whom. */
export function composeMerchants({ config, database, keyRing, newId, cardPrefixes }: MerchantsParts) {
  const merchants: MerchantsContext = { mode: config.mode, keyRing, newId, cardPrefixes, newSecret: randomSecret };
  const { transact } = database.background;
  return {
    context: merchants,
    keyUses: [HMAC_KEY_USE],
    routes: async ({ baseUrl, isExempt, noteRefused, signatures, grantableBy }: Given) => {
      const [{ oauthRoutes }, tokens, clients, keys, check, payees] = await Promise.all([
        import('./oauth/oauth.http.ts'),
        import('./access-tokens/access-tokens.http.ts'),
        import('./oauth/oauth-clients.http.ts'),
        import('./hmac-keys/hmac-keys.http.ts'),
        import('./hmac-keys/hmac-check.http.ts'),
        import('./payees/payees.http.ts'),
      ]);
      const credentials = { transact, merchants, grantableBy, baseUrl };
      return {
        openRoutes: oauthRoutes({ transact: database.transact, merchants, baseUrl, isExempt, noteRefused }),
        portalRoutes: [
          ...tokens.accessTokenRoutes(credentials),
          ...clients.oauthClientRoutes(credentials),
          ...keys.hmacKeyRoutes(credentials),
          check.hmacCheckRoute({ signatures, cardPrefixes, baseUrl }),
          ...payees.payeeRoutes(credentials),
        ],
      };
    },
    startJobs: async (given: BackgroundContext) => {
      const [{ startTokenUseJob }, { startNotingRefused }, { forgetStale }, { tellExpiring }] = await Promise.all([
        import('./access-tokens/token-use.job.ts'),
        import('./attempts/refused-callers.job.ts'),
        import('./attempts/forget-stale.ts'),
        import('./expiry/tell-expiring.ts'),
      ]);
      const tokenUse = startTokenUseJob(given);
      const refused = startNotingRefused({ ...given, mode: config.mode, now: () => performance.now() });
      const stop = startForgetting(given, {
        work: 'forget-stale',
        forget: async (transaction) => (await forgetStale(transaction)).more,
      });
      const stopTelling = given.background.repeat('tell-expiring', TELLING_INTERVAL_MS, () =>
        given.transact(tellExpiring),
      );
      return {
        noteTokenUse: tokenUse.note,
        noteKeyUse: tokenUse.noteKey,
        noteRefused: refused.note,
        stop: async () => {
          await Promise.all([tokenUse.stop(), refused.stop(), stop(), stopTelling()]);
        },
      };
    },
    commands: { merchants: (): MerchantsService => ({ transact, merchants }) },
  };
}

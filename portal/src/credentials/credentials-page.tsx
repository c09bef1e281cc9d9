import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { HmacChecker } from './hmac-checker.tsx';
import { HmacKeys } from './hmac-keys.tsx';
import { OAuthClients } from './oauth-clients.tsx';

/** What programs sign in and sign with. */
export function CredentialsPage() {
  const { t } = useWords();
  const { can } = useSession();
  const tabs = [
    { id: 'tokens', title: t('accessTokens'), content: <AccessTokens />, needs: 'listAccessTokens' },
    { id: 'clients', title: t('oauthClients'), content: <OAuthClients />, needs: 'listOAuthClients' },
    { id: 'keys', title: t('hmacKeys'), content: <HmacKeys />, needs: 'listHmacKeys' },
    { id: 'checker', title: t('hmacChecker'), content: <HmacChecker />, needs: 'checkHmac' },
  ] as const;
  return (
    <Page title={t('credentials')} text={t('credentialsText')}>
      <Tabs label={t('credentials')} tabs={tabs.filter(({ needs }) => can(needs))} />
    </Page>
  );
}

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { OAuthClient } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { createOAuthClient, listOAuthClients, revokeOAuthClient } from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { CredentialBadge } from './credential-badge.tsx';
import { isChosen, NameAndScopes, NOTHING_CHOSEN } from './name-and-scopes.tsx';

type NewOAuthClient = AnswerOf<typeof createOAuthClient>;

/** Programs that get their access tokens by OAuth 2. To rotate one, make another and revoke the old one. */
export function OAuthClients() {
  const { t, day } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listOAuthClients, { payeeId });
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<NewOAuthClient>();
  const [revoked, setRevoked] = useState<OAuthClient>();
  return (
    <>
      <div className="actions">
        {can('createOAuthClient') && (
          <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setIsCreating(true)}>
            {t('createOAuthClient')}
          </Button>
        )}
      </div>
      <Table
        label={t('oauthClients')}
        rows={data?.oauthClients}
        error={error}
        rowKey={({ clientId }) => clientId}
        empty={<Empty title={t('noOAuthClients')} text={t('noOAuthClientsText')} />}
        columns={[
          { title: t('name'), cell: ({ name }) => <strong>{name}</strong> },
          { title: t('state'), cell: ({ state }) => <CredentialBadge state={state} /> },
          { title: t('id'), cell: ({ clientId }) => <Copyable text={clientId} /> },
          { title: t('scopes'), cell: ({ scopes }) => <span className="mono">{scopes.join(' ')}</span> },
          { title: t('created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t('lastUsed'), cell: ({ lastUsedOn }) => (lastUsedOn === null ? t('never') : day(lastUsedOn)) },
          { title: t('expires'), cell: ({ expiresAt }) => expiresAt !== null && <Time at={expiresAt} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: (client) =>
              (client.state === 'Active' || client.state === 'Expiring') &&
              can('revokeOAuthClient') && (
                <Button small onPress={() => setRevoked(client)} aria-label={`${t('revoke')} ${client.name}`}>
                  {t('revoke')}
                </Button>
              ),
          },
        ]}
      />
      {isCreating && <CreateClient scopes={data?.scopes ?? []} onClose={() => setIsCreating(false)} onMade={setMade} />}
      {revoked !== undefined && (
        <Confirm
          title={t('revoke')}
          text={t('revokeText', { name: revoked.name })}
          submit={t('revoke')}
          act={() => call(revokeOAuthClient, { payeeId, clientId: revoked.clientId })}
          onClose={() => setRevoked(undefined)}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={t('oauthClient')}
          secrets={[
            ['client_id', made.clientId],
            ['client_secret', made.clientSecret],
            ['token_url', made.tokenUrl],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function CreateClient(props: {
  readonly scopes: readonly string[];
  readonly onClose: () => void;
  readonly onMade: (made: NewOAuthClient) => void;
}) {
  const { scopes, onClose, onMade } = props;
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const submit = async () => {
    if (!isChosen(chosen)) return 'stay';
    onMade(await call(createOAuthClient, { payeeId, body: chosen }));
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={t('createOAuthClient')}
      submit={t('create')}
      onSubmit={submit}
      done={null}
      onClose={onClose}
      isReady={isChosen(chosen)}
      wide
    >
      <NameAndScopes value={chosen} onChange={setChosen} scopes={scopes} />
    </FormDialog>
  );
}

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AccessToken } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import {
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
  rotateAccessToken,
} from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { CredentialBadge } from './credential-badge.tsx';
import { isChosen, NameAndScopes, NOTHING_CHOSEN } from './name-and-scopes.tsx';

type NewAccessToken = AnswerOf<typeof createAccessToken>;
type Open = { readonly what: 'create' } | { readonly what: 'rotate' | 'revoke'; readonly token: AccessToken };

/** The access tokens of the payee: made here, shown once, rotated with an overlap. */
export function AccessTokens() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listAccessTokens, { payeeId });
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<NewAccessToken>();
  const close = () => setOpen(undefined);
  const create = can('createAccessToken') && (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setOpen({ what: 'create' })}>
      {t('createAccessToken')}
    </Button>
  );
  return (
    <>
      <div className="actions">{create}</div>
      <Table
        label={t('accessTokens')}
        rows={data?.accessTokens}
        error={error}
        rowKey={({ accessTokenId }) => accessTokenId}
        columns={useColumns((what, token) => setOpen({ what, token }))}
        empty={<Empty title={t('noAccessTokens')} text={t('noAccessTokensText')} />}
      />
      {open?.what === 'create' && <CreateToken scopes={data?.scopes ?? []} onClose={close} onMade={setMade} />}
      {open?.what === 'rotate' && <RotateToken token={open.token} onClose={close} onMade={setMade} />}
      {open?.what === 'revoke' && (
        <Confirm
          title={t('revoke')}
          text={t('revokeText', { name: open.token.name })}
          submit={t('revoke')}
          act={() => call(revokeAccessToken, { payeeId, accessTokenId: open.token.accessTokenId })}
          onClose={close}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={t('accessToken')}
          secrets={[
            [t('accessToken'), made.accessToken],
            ['curl', `curl -H 'Authorization: Bearer ${made.accessToken}' ${location.origin}/events`],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function useColumns(onOpen: (what: 'rotate' | 'revoke', token: AccessToken) => void): readonly Column<AccessToken>[] {
  const { t, day } = useWords();
  const { can } = useSession();
  return [
    { title: t('name'), cell: ({ name }) => <strong>{name}</strong> },
    { title: t('state'), cell: ({ state }) => <CredentialBadge state={state} /> },
    { title: t('scopes'), cell: ({ scopes }) => <span className="mono">{scopes.join(' ')}</span> },
    { title: t('created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: t('lastUsed'), cell: ({ lastUsedOn }) => (lastUsedOn === null ? t('never') : day(lastUsedOn)) },
    { title: t('expires'), cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      title: t('actions'),
      align: 'end',
      cell: (token) =>
        token.state === 'Active' &&
        can('revokeAccessToken') && (
          <RowMenu
            label={t('actionsFor', { name: token.name })}
            items={[
              { title: t('rotate'), onAction: () => onOpen('rotate', token) },
              { title: t('revoke'), onAction: () => onOpen('revoke', token) },
            ]}
          />
        ),
    },
  ];
}

interface MakeProps {
  readonly onClose: () => void;
  readonly onMade: (made: NewAccessToken) => void;
}

function CreateToken({ scopes, onClose, onMade }: MakeProps & { readonly scopes: readonly string[] }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const [expiresIn, setExpiresIn] = useState('90d');
  const submit = async () => {
    if (!isChosen(chosen)) return 'stay';
    onMade(await call(createAccessToken, { payeeId, body: { ...chosen, expiresIn } }));
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={t('createAccessToken')}
      submit={t('create')}
      onSubmit={submit}
      done={null}
      onClose={onClose}
      isReady={isChosen(chosen)}
      wide
    >
      <NameAndScopes value={chosen} onChange={setChosen} scopes={scopes} />
      <ExpiryField value={expiresIn} onChange={setExpiresIn} />
    </FormDialog>
  );
}

function ExpiryField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { t } = useWords();
  return (
    <SelectField
      label={t('expires')}
      choices={[
        { id: '90d', label: t('inDays', { count: 90 }) },
        { id: '12m', label: t('inMonths', { count: 12 }) },
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

function RotateToken({ token, onClose, onMade }: MakeProps & { readonly token: AccessToken }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [overlap, setOverlap] = useState('24h');
  const [expiresIn, setExpiresIn] = useState('90d');
  const submit = async () => {
    const { accessTokenId } = token;
    onMade(await call(rotateAccessToken, { payeeId, accessTokenId, body: { overlap, expiresIn } }));
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('rotate')} submit={t('rotate')} onSubmit={submit} done={null} onClose={onClose}>
      <p>{t('rotateText', { name: token.name })}</p>
      <OverlapField value={overlap} onChange={setOverlap} />
      <ExpiryField value={expiresIn} onChange={setExpiresIn} />
    </FormDialog>
  );
}

/** How long the old credential works beside the new one. */
export function OverlapField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { t } = useWords();
  return (
    <SelectField
      label={t('overlap')}
      choices={[
        { id: '24h', label: t('forHours', { count: 24 }) },
        { id: '7d', label: t('forDays', { count: 7 }) },
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { HmacKey } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { createHmacKey, listHmacKeys, revokeHmacKey, rotateHmacKey } from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { OverlapField } from './access-tokens.tsx';
import { CredentialBadge } from './credential-badge.tsx';

type NewHmacKey = AnswerOf<typeof createHmacKey>;
type Open = { readonly what: 'create' } | { readonly what: 'rotate' | 'revoke'; readonly user: string };

/** The keys that requests below `/api/payments` are signed with. */
export function HmacKeys() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listHmacKeys, { payeeId });
  const [open, setOpen] = useState<Open>();
  const [made, setMade] = useState<NewHmacKey>();
  const close = () => setOpen(undefined);
  return (
    <>
      <div className="actions">
        {can('createHmacKey') && (
          <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setOpen({ what: 'create' })}>
            {t('createHmacKey')}
          </Button>
        )}
      </div>
      <Table
        label={t('hmacKeys')}
        rows={data?.hmacKeys}
        error={error}
        rowKey={({ user }) => user}
        empty={<Empty title={t('noHmacKeys')} text={t('noHmacKeysText')} />}
        columns={useColumns((what, user) => setOpen({ what, user }))}
      />
      {(open?.what === 'create' || open?.what === 'rotate') && (
        <MakeKey rotated={open.what === 'rotate' ? open.user : undefined} onClose={close} onMade={setMade} />
      )}
      {open?.what === 'revoke' && (
        <Confirm
          title={t('revoke')}
          text={t('revokeText', { name: open.user })}
          submit={t('revoke')}
          act={() => call(revokeHmacKey, { payeeId, user: open.user })}
          onClose={close}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={t('hmacKey')}
          secrets={[
            ['user', made.user],
            ['secret', made.secret],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function useColumns(onOpen: (what: 'rotate' | 'revoke', user: string) => void): readonly Column<HmacKey>[] {
  const { t, day } = useWords();
  const { can } = useSession();
  return [
    { title: t('id'), cell: ({ user }) => <Copyable text={user} /> },
    { title: t('state'), cell: ({ state }) => <CredentialBadge state={state} /> },
    { title: t('created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: t('lastUsed'), cell: ({ lastUsedOn }) => (lastUsedOn === null ? t('never') : day(lastUsedOn)) },
    { title: t('expires'), cell: ({ expiresAt }) => expiresAt !== null && <Time at={expiresAt} /> },
    {
      title: t('actions'),
      align: 'end',
      cell: ({ user, state }) =>
        (state === 'Active' || state === 'Expiring') &&
        can('revokeHmacKey') && (
          <RowMenu
            label={t('actionsFor', { name: user })}
            items={[
              { title: t('rotate'), onAction: () => onOpen('rotate', user) },
              { title: t('revoke'), onAction: () => onOpen('revoke', user) },
            ]}
          />
        ),
    },
  ];
}

function MakeKey(props: {
  /** The key that the new one takes over from. */
  readonly rotated: string | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: NewHmacKey) => void;
}) {
  const { rotated, onClose, onMade } = props;
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [overlap, setOverlap] = useState('24h');
  const submit = async () => {
    onMade(
      rotated === undefined
        ? await call(createHmacKey, { payeeId })
        : await call(rotateHmacKey, { payeeId, user: rotated, body: { overlap } }),
    );
    await reload();
    return undefined;
  };
  const title = rotated === undefined ? t('createHmacKey') : t('rotate');
  return (
    <FormDialog
      title={title}
      submit={rotated === undefined ? t('create') : t('rotate')}
      onSubmit={submit}
      done={null}
      onClose={onClose}
    >
      {rotated === undefined ? (
        <p>{t('createHmacKeyText')}</p>
      ) : (
        <>
          <p>{t('rotateText', { name: rotated })}</p>
          <OverlapField value={overlap} onChange={setOverlap} />
        </>
      )}
    </FormDialog>
  );
}

import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { User } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { disableUser, enableUser, listUsers, renewInvitation } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Page } from '../parts/page.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { ChangeUser, InviteUser } from './user-dialogs.tsx';

type Act = 'change' | 'disable' | 'enable' | 'invitation';
type Open = { readonly what: 'invite' } | { readonly what: Act; readonly user: User } | undefined;

/** The people who may sign in for the payee. */
export function PeoplePage() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listUsers, { payeeId });
  const [open, setOpen] = useState<Open>();
  const [link, setLink] = useState<string>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('people')}
      text={t('peopleText')}
      actions={
        can('inviteUser') && (
          <Button kind="primary" icon={<UserPlus size={16} aria-hidden />} onPress={() => setOpen({ what: 'invite' })}>
            {t('invite')}
          </Button>
        )
      }
    >
      <Table
        label={t('people')}
        rows={data?.users}
        error={error}
        rowKey={({ userId }) => userId}
        empty={<Empty title={t('noPeople')} />}
        columns={useColumns((what, user) => setOpen({ what, user }))}
      />
      {open?.what === 'invite' && <InviteUser onClose={close} onInvited={setLink} />}
      {open?.what === 'change' && <ChangeUser user={open.user} onClose={close} />}
      {(open?.what === 'disable' || open?.what === 'enable') && (
        <Confirm
          title={t(open.what)}
          text={t(open.what === 'disable' ? 'disableUserText' : 'enableUserText', { name: open.user.name })}
          submit={t(open.what)}
          act={() => call(open.what === 'disable' ? disableUser : enableUser, { payeeId, userId: open.user.userId })}
          onClose={close}
        />
      )}
      {open?.what === 'invitation' && (
        <Confirm
          title={t('newInvitation')}
          text={t('newInvitationText', { name: open.user.name })}
          submit={t('invite')}
          act={async () => {
            const { invitation } = await call(renewInvitation, { payeeId, userId: open.user.userId });
            setLink(invitation.link);
          }}
          onClose={close}
        />
      )}
      {link !== undefined && (
        <SecretDialog
          title={t('invitation')}
          text={t('invitationOnce')}
          secrets={[[t('invitation'), link]]}
          onClose={() => setLink(undefined)}
        />
      )}
    </Page>
  );
}

const TONES = { Invited: 'warn', Active: 'good', Closed: 'bad', Disabled: 'neutral' } as const;
const STATES = { Invited: 'invited', Active: 'Active', Closed: 'closedUser', Disabled: 'disabled' } as const;

function useColumns(onOpen: (what: Act, user: User) => void): readonly Column<User>[] {
  const { t } = useWords();
  const { can, session } = useSession();
  return [
    {
      title: t('name'),
      cell: ({ name, email }) => (
        <>
          <strong>{name}</strong>
          <br />
          <span className="soft">{email}</span>
        </>
      ),
    },
    { title: t('role'), cell: ({ role }) => t(role) },
    { title: t('state'), cell: ({ state }) => <Badge tone={TONES[state]}>{t(STATES[state])}</Badge> },
    { title: t('secondFactor'), cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'yes' : 'no') },
    {
      title: t('lastSignIn'),
      align: 'end',
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? t('never') : <Time at={lastSignInAt} />),
    },
    {
      title: t('actions'),
      align: 'end',
      cell: (user) =>
        user.userId !== session.userId &&
        can('changeUser') && (
          <RowMenu
            label={t('actionsFor', { name: user.name })}
            items={[
              { title: t('edit'), onAction: () => onOpen('change', user) },
              ...(user.state === 'Disabled'
                ? [{ title: t('enable'), onAction: () => onOpen('enable', user) }]
                : [{ title: t('disable'), onAction: () => onOpen('disable', user) }]),
              { title: t('newInvitation'), onAction: () => onOpen('invitation', user) },
            ]}
          />
        ),
    },
  ];
}

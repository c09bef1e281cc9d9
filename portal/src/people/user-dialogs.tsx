import { useState } from 'react';
import type { User } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { changeUser, inviteUser } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

type Role = User['role'];

/** The payee that stands for the installation itself: its people are operators. */
const INSTALLATION = '00000000-0000-0000-0000-000000000000';

const ROLE_HELP = {
  administrator: 'administratorHelp',
  finance: 'financeHelp',
  support: 'supportHelp',
  integrator: 'integratorHelp',
  operator: 'operatorHelp',
} as const;

interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (link: string) => void;
}

export function InviteUser({ onClose, onInvited }: InviteProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(payeeId === INSTALLATION ? 'operator' : 'support');
  const submit = async () => {
    const { invitation } = await call(inviteUser, { payeeId, body: { name, email, role } });
    onInvited(invitation.link);
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('invite')} submit={t('invite')} onSubmit={submit} done={null} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
      <Field label={t('email')} type="email" value={email} onChange={setEmail} maxLength={254} isRequired />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}

interface ChangeProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function ChangeUser({ user, onClose }: ChangeProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role);
  const submit = async () => {
    await call(changeUser, { payeeId, userId: user.userId, body: { name, role } });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('edit')} submit={t('save')} onSubmit={submit} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}

function RoleField({ role, onChange }: { readonly role: Role; readonly onChange: (role: Role) => void }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const roles: readonly Role[] =
    payeeId === INSTALLATION ? ['operator'] : ['administrator', 'finance', 'support', 'integrator'];
  return (
    <SelectField
      label={t('role')}
      choices={roles.map((id) => ({ id, label: t(id) }))}
      value={role}
      onChange={onChange}
      help={t(ROLE_HELP[role])}
    />
  );
}

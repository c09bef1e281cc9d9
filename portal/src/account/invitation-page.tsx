import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { acceptInvitation, readInvitation } from '../api/operations.generated.ts';
import { Problem } from '../api/problem.ts';
import { useRead } from '../api/queries.ts';
import { Entrance } from '../app/entrance.tsx';
import { useSetSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { NewPasswordField } from '../parts/secret-fields.tsx';
import { useWords } from '../words/words.tsx';

/** Where an invitation's link leads. Its token stands behind the `#`, which browsers do not send. */
export function InvitationPage() {
  const { t } = useWords();
  const invitation = location.hash.slice(1);
  const { data, error } = useRead(readInvitation, { body: { invitation } });
  const isOver = error instanceof Problem && error.status === 404;
  return (
    <Entrance title={t('invitationTitle')}>
      {isOver ? <p>{t('invitationOver')}</p> : <ProblemNote error={error} />}
      {data !== undefined && <Accept invitation={invitation} read={data} />}
    </Entrance>
  );
}

interface AcceptProps {
  readonly invitation: string;
  readonly read: AnswerOf<typeof readInvitation>;
}

function Accept({ invitation, read }: AcceptProps) {
  const { t } = useWords();
  const setSession = useSetSession();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const accept = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    try {
      const { session } = await call(acceptInvitation, { body: { invitation, password } });
      setSession(session ?? null);
      await navigate({ to: '/', hash: '' });
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Form className="stack-small" onSubmit={(event) => void accept(event)}>
      <p>{t('invitationText', { name: read.name, payee: read.payeeName, role: t(read.role) })}</p>
      {/* For password managers: whose password this is. */}
      <Field label={t('email')} type="email" value={read.email} autoComplete="username" isReadOnly />
      <NewPasswordField value={password} onChange={setPassword} />
      <ProblemNote error={error} />
      <Button type="submit" kind="primary">
        {t('setPassword')}
      </Button>
    </Form>
  );
}

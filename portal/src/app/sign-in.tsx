import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { call } from '../api/call.ts';
import { signIn } from '../api/operations.generated.ts';
import { Problem } from '../api/problem.ts';
import { useSessionEnd } from '../api/session-end.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { CodeField } from '../parts/secret-fields.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { Entrance } from './entrance.tsx';
import { useSetSession } from './session.tsx';

/** E-mail and password, and then the code where the account has a second factor. */
export function SignIn() {
  const { t } = useWords();
  const setSession = useSetSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const result = await call(signIn, { body: { email, password, ...(code === '' ? {} : { code }) } });
      if (result.next === 'none') setSession(result.session ?? null);
      else setAsksCode(true);
    } catch (failure) {
      setError(failure);
    }
    setIsBusy(false);
  };
  return (
    <Entrance title={t('signIn')}>
      <WhyAgain />
      <Form className="stack-small" onSubmit={(event) => void enter(event)}>
        {asksCode ? (
          <CodeField value={code} onChange={setCode} />
        ) : (
          <>
            <Field
              label={t('email')}
              type="email"
              value={email}
              onChange={setEmail}
              autoComplete="username"
              isRequired
              autoFocus
            />
            <Field
              label={t('password')}
              type="password"
              value={password}
              onChange={setPassword}
              autoComplete="current-password"
              isRequired
            />
          </>
        )}
        <SignInProblem error={error} />
        <Button type="submit" kind="primary" isDisabled={isBusy}>
          {isBusy ? t('working') : t('signIn')}
        </Button>
        {asksCode && (
          <Button kind="quiet" onPress={() => setAsksCode(false)}>
            {t('back')}
          </Button>
        )}
      </Form>
    </Entrance>
  );
}

const ENDINGS: Readonly<Record<string, WordKey>> = {
  idle: 'endedIdle',
  expired: 'endedExpired',
  'signed-out': 'endedElsewhere',
  password: 'endedPassword',
  'second-factor': 'endedSecondFactor',
  role: 'endedRole',
  disabled: 'endedDisabled',
  suspended: 'endedSuspended',
};

/** Why a user who was signed in has to do it again, and what became of what they were doing. */
function WhyAgain() {
  const { t } = useWords();
  const end = useSessionEnd();
  if (end === undefined) return null;
  return (
    <div className="note" data-tone="warn" role="status">
      {/* Without a cookie the service knows nothing: another tab of the same browser has signed out. */}
      <strong>{t(ENDINGS[end.reason ?? 'signed-out'] ?? 'endedElsewhere')}</strong>
      {end.lostChange && <p>{t('endedUndone')}</p>}
    </div>
  );
}

/** The same words for an unknown address and a wrong password: the service does not tell them apart either. */
function SignInProblem({ error }: { readonly error: unknown }) {
  const { t } = useWords();
  if (!(error instanceof Problem) || error.status !== 401) return <ProblemNote error={error} />;
  return (
    <div className="note" data-tone="bad" role="alert">
      {t('signInWrong')}
    </div>
  );
}

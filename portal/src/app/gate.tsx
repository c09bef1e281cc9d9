import { SecondFactor } from '../account/second-factor.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useWords } from '../words/words.tsx';
import { Entrance } from './entrance.tsx';
import { SessionProvider, useSessionQuery } from './session.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** A user who is not signed in signs in here, and then sees what the address is about. */
export function Gate() {
  const { t } = useWords();
  const { data: session, error } = useSessionQuery();
  if (error !== null) {
    return (
      <Entrance title={t('signIn')}>
        <ProblemNote error={error} />
      </Entrance>
    );
  }
  if (session === undefined) return null;
  if (session === null) return <SignIn />;
  return (
    <SessionProvider session={session}>
      {session.secondFactor === 'missing' ? (
        <Entrance title={t('secondFactor')}>
          <p>{t('secondFactorMissing')}</p>
          <SecondFactor />
        </Entrance>
      ) : (
        <Shell />
      )}
    </SessionProvider>
  );
}

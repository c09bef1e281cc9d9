import { useState } from 'react';
import type { Session } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { changeOwnPassword, renewRecoveryCodes, signOut } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { NewPasswordField } from '../parts/secret-fields.tsx';
import { useWords } from '../words/words.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The person's own account: password, second factor, sessions. */
export function AccountPage() {
  const { t, exact } = useWords();
  const { session, setSession } = useSession();
  const [isChanging, setIsChanging] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const signOutEverywhere = async () => {
    await call(signOut, { body: { everywhere: true } });
    setSession(null);
  };
  return (
    <Page title={t('yourAccount')}>
      <div className="stack">
        <section className="card stack-small">
          <Facts
            facts={[
              [t('name'), session.name],
              [t('email'), session.email],
              [t('role'), t(session.role)],
              [t('sessionEnds'), exact(session.expiresAt)],
            ]}
          />
          <div className="actions">
            <Button onPress={() => setIsChanging(true)}>{t('changePassword')}</Button>
            <Button onPress={() => void signOutEverywhere()}>{t('signOutEverywhere')}</Button>
          </div>
          {isChanged && (
            <div className="note" data-tone="good" role="status">
              {t('passwordChanged')}
            </div>
          )}
        </section>
        <section className="card stack-small">
          <h2>{t('secondFactor')}</h2>
          <p className="soft">
            {session.secondFactor === 'on'
              ? t('secondFactorOn', { codes: session.recoveryCodesLeft })
              : t('secondFactorOff')}
          </p>
          {session.secondFactor === 'on' ? <NewRecoveryCodes /> : <SecondFactor />}
        </section>
      </div>
      {isChanging && (
        <ChangePassword
          onClose={() => setIsChanging(false)}
          onChanged={(changed) => {
            setSession(changed);
            setIsChanged(true);
          }}
        />
      )}
    </Page>
  );
}

function ChangePassword(props: { readonly onClose: () => void; readonly onChanged: (session: Session) => void }) {
  const { t } = useWords();
  const [newPassword, setNewPassword] = useState('');
  const submit = async () => {
    const { session } = await call(changeOwnPassword, { body: { newPassword } });
    if (session !== undefined) props.onChanged(session);
    return undefined;
  };
  return (
    <FormDialog title={t('changePassword')} submit={t('save')} onSubmit={submit} onClose={props.onClose}>
      <p className="soft">{t('changePasswordHelp')}</p>
      <NewPasswordField value={newPassword} onChange={setNewPassword} />
    </FormDialog>
  );
}

function NewRecoveryCodes() {
  const { t } = useWords();
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  const renew = async () => {
    setError(undefined);
    try {
      setCodes((await call(renewRecoveryCodes, {})).recoveryCodes);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <ProblemNote error={error} />
      <div>
        <Button onPress={() => void renew()}>{t('newRecoveryCodes')}</Button>
      </div>
      {codes !== undefined && (
        <SecretDialog
          title={t('recoveryCodes')}
          text={t('recoveryCodesHelp')}
          secrets={[[t('recoveryCodes'), codes.join('\n')]]}
          onClose={() => setCodes(undefined)}
        />
      )}
    </>
  );
}

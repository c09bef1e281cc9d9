import { useState } from 'react';
import { change } from '../api/portal-api.ts';
import type { ConfirmedSecondFactor, NewSecondFactor } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWords } from '../words/words.tsx';

/** Sets up an authenticator app, and shows the recovery codes once. */
export function SecondFactor() {
  const { t } = useWords();
  const { setSession } = useSession();
  const [factor, setFactor] = useState<NewSecondFactor>();
  const [confirmed, setConfirmed] = useState<ConfirmedSecondFactor>();
  const [error, setError] = useState<unknown>();
  const begin = async () => {
    setError(undefined);
    try {
      setFactor(await change<NewSecondFactor>('POST', '/account/second-factor', {}));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <ProblemNote error={error} />
      <div>
        <Button onPress={() => void begin()}>{t('setUpApp')}</Button>
      </div>
      {factor !== undefined && (
        <ConfirmFactor factor={factor} onClose={() => setFactor(undefined)} onConfirmed={setConfirmed} />
      )}
      {confirmed !== undefined && (
        <SecretDialog
          title={t('recoveryCodes')}
          text={t('recoveryCodesHelp')}
          secrets={[[t('recoveryCodes'), confirmed.recoveryCodes.join('\n')]]}
          onClose={() => setSession(confirmed.session ?? null)}
        />
      )}
    </>
  );
}

function ConfirmFactor(props: {
  readonly factor: NewSecondFactor;
  readonly onClose: () => void;
  readonly onConfirmed: (confirmed: ConfirmedSecondFactor) => void;
}) {
  const { factor, onClose, onConfirmed } = props;
  const { t } = useWords();
  const [code, setCode] = useState('');
  const submit = async () => {
    onConfirmed(await change<ConfirmedSecondFactor>('POST', '/account/second-factor/confirm', { code }));
    return undefined;
  };
  return (
    <FormDialog title={t('setUpApp')} submit={t('confirm')} onSubmit={submit} done={null} onClose={onClose}>
      <p>{t('setUpAppHelp')}</p>
      <Copyable text={factor.secret} />
      <a href={factor.uri}>{t('openInApp')}</a>
      <Field label={t('code')} value={code} onChange={setCode} autoComplete="one-time-code" isRequired autoFocus />
    </FormDialog>
  );
}

import { useState } from 'react';
import { change } from '../api/portal-api.ts';
import type { Session } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWords } from '../words/words.tsx';

interface NewFactor {
  readonly secret: string;
  readonly uri: string;
}
interface Confirmed {
  readonly recoveryCodes: readonly string[];
  readonly session: Session;
}

/** Sets up an authenticator app, and shows the recovery codes once. */
export function SecondFactor() {
  const { t } = useWords();
  const { setSession } = useSession();
  const [factor, setFactor] = useState<NewFactor>();
  const [confirmed, setConfirmed] = useState<Confirmed>();
  const [error, setError] = useState<unknown>();
  const begin = async () => {
    setError(undefined);
    try {
      setFactor(await change<NewFactor>('POST', '/account/second-factor', {}));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <ProblemNote error={error} />
      <div>
        <Button kind="primary" onPress={() => void begin()}>
          {t('setUpApp')}
        </Button>
      </div>
      {factor !== undefined && (
        <ConfirmFactor factor={factor} onClose={() => setFactor(undefined)} onConfirmed={setConfirmed} />
      )}
      {confirmed !== undefined && (
        <SecretDialog
          title={t('recoveryCodes')}
          text={t('recoveryCodesHelp')}
          secrets={[[t('recoveryCodes'), confirmed.recoveryCodes.join('\n')]]}
          onClose={() => setSession(confirmed.session)}
        />
      )}
    </>
  );
}

function ConfirmFactor(props: {
  readonly factor: NewFactor;
  readonly onClose: () => void;
  readonly onConfirmed: (confirmed: Confirmed) => void;
}) {
  const { factor, onClose, onConfirmed } = props;
  const { t } = useWords();
  const [code, setCode] = useState('');
  const submit = async () => {
    onConfirmed(await change<Confirmed>('POST', '/account/second-factor/confirm', { code }));
    return undefined;
  };
  return (
    <FormDialog title={t('setUpApp')} submit={t('confirm')} onSubmit={submit} onClose={onClose}>
      <p>{t('setUpAppHelp')}</p>
      <Copyable text={factor.secret} />
      <a href={factor.uri}>{t('openInApp')}</a>
      <Field label={t('code')} value={code} onChange={setCode} autoComplete="one-time-code" isRequired autoFocus />
    </FormDialog>
  );
}

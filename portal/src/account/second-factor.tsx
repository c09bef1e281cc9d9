import { useState } from 'react';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { beginSecondFactor, confirmSecondFactor } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useWords } from '../words/words.tsx';

type NewFactor = AnswerOf<typeof beginSecondFactor>;
type ConfirmedFactor = AnswerOf<typeof confirmSecondFactor>;

/** Sets up an authenticator app, and shows the recovery codes once. */
export function SecondFactor() {
  const { t } = useWords();
  const { setSession } = useSession();
  const [factor, setFactor] = useState<NewFactor>();
  const [confirmed, setConfirmed] = useState<ConfirmedFactor>();
  const [error, setError] = useState<unknown>();
  const begin = async () => {
    setError(undefined);
    try {
      setFactor(await call(beginSecondFactor, {}));
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
  readonly factor: NewFactor;
  readonly onClose: () => void;
  readonly onConfirmed: (confirmed: ConfirmedFactor) => void;
}) {
  const { factor, onClose, onConfirmed } = props;
  const { t } = useWords();
  const [code, setCode] = useState('');
  const submit = async () => {
    onConfirmed(await call(confirmSecondFactor, { body: { code } }));
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

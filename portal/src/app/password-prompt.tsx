import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { reauthenticate } from '../api/operations.generated.ts';
import { onPasswordNeeded } from '../api/send.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { CodeField } from '../parts/secret-fields.tsx';
import { useWords } from '../words/words.tsx';
import { useSession } from './session.tsx';

/** Asks for the password where the service wants it before it does something; the request that asked then goes on. */
export function PasswordPrompt() {
  const { t } = useWords();
  const { setSession } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const settle = useRef<(isGiven: boolean) => void>(() => {});
  useEffect(() => {
    onPasswordNeeded(
      () =>
        new Promise<boolean>((resolve) => {
          settle.current = resolve;
          setPassword('');
          setCode('');
          setAsksCode(false);
          setIsOpen(true);
        }),
    );
  }, []);
  if (!isOpen) return null;
  const submit = async (): Promise<'stay' | undefined> => {
    const body = { password, ...(code === '' ? {} : { code }) };
    const result = await call(reauthenticate, { body });
    if (result.next === 'second-factor') {
      setAsksCode(true);
      return 'stay';
    }
    setSession(result.session ?? null);
    settle.current(true);
    return undefined;
  };
  return (
    <FormDialog
      title={t('confirmItIsYou')}
      submit={t('confirm')}
      onSubmit={submit}
      done={null}
      onClose={() => {
        setIsOpen(false);
        settle.current(false);
      }}
    >
      <p className="soft">{t('confirmItIsYouHelp')}</p>
      <Field
        label={t('password')}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isRequired
        autoFocus
      />
      {asksCode && <CodeField value={code} onChange={setCode} />}
    </FormDialog>
  );
}

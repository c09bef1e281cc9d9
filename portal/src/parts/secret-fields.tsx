import { useWords } from '../words/words.tsx';
import { Field } from './fields.tsx';

interface SecretFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The code of a person's app, or a recovery code. */
export function CodeField(props: SecretFieldProps) {
  const { t } = useWords();
  return <Field {...props} label={t('code')} help={t('codeHelp')} autoComplete="one-time-code" isRequired autoFocus />;
}

/** A password that is chosen, within the bounds that the service has. */
export function NewPasswordField(props: SecretFieldProps) {
  const { t } = useWords();
  return (
    <Field
      {...props}
      label={t('newPassword')}
      help={t('newPasswordHelp')}
      type="password"
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      isRequired
      autoFocus
    />
  );
}

import { CheckboxList, Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

/** What a credential is called, and what it may do. */
export interface NameAndScopesValue {
  readonly name: string;
  readonly scopes: readonly string[];
}

export const NOTHING_CHOSEN: NameAndScopesValue = { name: '', scopes: [] };

/** Whether both are there: a credential that may do nothing is none. */
export function isChosen(
  value: NameAndScopesValue,
): value is NameAndScopesValue & { readonly scopes: [string, ...string[]] } {
  return value.name !== '' && value.scopes.length > 0;
}

interface NameAndScopesProps {
  readonly value: NameAndScopesValue;
  readonly onChange: (value: NameAndScopesValue) => void;
  /** All that can be given. */
  readonly scopes: readonly string[];
}

/** The fields that an access token and an OAuth client have in common. */
export function NameAndScopes({ value, onChange, scopes }: NameAndScopesProps) {
  const { t } = useWords();
  return (
    <>
      <Field
        label={t('name')}
        help={t('tokenNameHelp')}
        value={value.name}
        onChange={(name) => onChange({ ...value, name })}
        maxLength={100}
        isRequired
        autoFocus
      />
      <CheckboxList
        label={t('scopes')}
        choices={scopes.map((id) => ({ id, label: id }))}
        values={value.scopes}
        onChange={(chosen) => onChange({ ...value, scopes: chosen })}
      />
    </>
  );
}

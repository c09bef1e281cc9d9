import { useSession } from '../app/session.tsx';
import { useWords } from '../words/words.tsx';
import type { Days } from './days.ts';
import { Field } from './fields.tsx';

interface DayFieldsProps {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  /** Whose days they are, where they are not the payee's. */
  readonly whose?: string;
}

/** Days from and to, where the payee is, which is said beside them. */
export function DayFields({ days, onChange, whose }: DayFieldsProps) {
  const { t } = useWords();
  const { timeZone } = useSession();
  const help = whose ?? t('daysIn', { zone: timeZone.replaceAll('_', ' ') });
  const set = (name: 'from' | 'to', value: string) => {
    const { [name]: _, ...rest } = days;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      <Field
        label={t('from')}
        help={help}
        type="date"
        value={days.from ?? ''}
        onChange={(value) => set('from', value)}
      />
      <Field label={t('to')} help={help} type="date" value={days.to ?? ''} onChange={(value) => set('to', value)} />
    </>
  );
}

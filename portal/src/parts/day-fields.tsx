import { useSession } from '../app/session.tsx';
import { useWords } from '../words/words.tsx';
import type { Days } from './days.ts';
import { Field } from './fields.tsx';

/** Days from and to, where the payee is, which is said beside them. */
export function DayFields({ days, onChange }: { readonly days: Days; readonly onChange: (days: Days) => void }) {
  const { t } = useWords();
  const { timeZone } = useSession();
  const help = t('daysIn', { zone: timeZone.replaceAll('_', ' ') });
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

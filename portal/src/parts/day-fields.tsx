import { useWords } from '../words/words.tsx';
import type { Days } from './days.ts';
import { Field } from './fields.tsx';

export function DayFields({ days, onChange }: { readonly days: Days; readonly onChange: (days: Days) => void }) {
  const { t } = useWords();
  const set = (name: 'from' | 'to', value: string) => {
    const { [name]: _, ...rest } = days;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      <Field label={t('from')} type="date" value={days.from ?? ''} onChange={(value) => set('from', value)} />
      <Field label={t('to')} type="date" value={days.to ?? ''} onChange={(value) => set('to', value)} />
    </>
  );
}

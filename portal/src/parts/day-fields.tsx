import { useId } from 'react';
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

/** Days from and to, where the payee is, which is said below them, so that fields beside them stand on one line. */
export function DayFields({ days, onChange, whose }: DayFieldsProps) {
  const { t } = useWords();
  const { timeZone } = useSession();
  const noteId = useId();
  const field = (name: 'from' | 'to') => (
    <Field
      label={t(name)}
      aria-describedby={noteId}
      type="date"
      value={days[name] ?? ''}
      onChange={(value) => {
        const { [name]: _, ...rest } = days;
        onChange(value === '' ? rest : { ...rest, [name]: value });
      }}
    />
  );
  return (
    <div className="filter-group">
      {field('from')}
      {field('to')}
      <span id={noteId} className="filter-note">
        {whose ?? t('daysIn', { zone: timeZone.replaceAll('_', ' ') })}
      </span>
    </div>
  );
}

import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';
import { type Filters, narrowed } from './filters.ts';

const KINDS = ['Purchase', 'Authorize', 'Verify', 'Recur', 'UnscheduledPurchase', 'Deposit', 'Credit'] as const;
const ANY = 'any';

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** What the list is narrowed by. Fields act when their form is sent, choices at once. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useWords();
  const [search, setSearch] = useState(filters.search ?? '');
  const [amountFrom, setAmountFrom] = useState(filters.amountFrom ?? '');
  const [amountTo, setAmountTo] = useState(filters.amountTo ?? '');
  useEffect(() => {
    setSearch(filters.search ?? '');
    setAmountFrom(filters.amountFrom ?? '');
    setAmountTo(filters.amountTo ?? '');
  }, [filters]);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const text = search.trim();
    if (text !== '' && text !== filters.search) onChange(narrowed(filters, { search: text }));
    else if (amountFrom !== '' || amountTo !== '') onChange(narrowed(filters, { amountFrom, amountTo }));
    else onChange(narrowed(filters, { search: '', amountFrom: '', amountTo: '' }));
  };
  return (
    <form className="filters" onSubmit={apply}>
      <Field
        label={t('search')}
        type="search"
        value={search}
        onChange={setSearch}
        placeholder={t('paymentSearchHelp')}
        maxLength={100}
      />
      <SelectField
        label={t('family')}
        choices={[
          { id: ANY, label: t('all') },
          { id: 'card', label: t('card') },
          { id: 'account', label: t('account') },
        ]}
        value={filters.family ?? ANY}
        onChange={(family) => onChange(narrowed(filters, { family: family === ANY ? undefined : family }))}
      />
      <SelectField
        label={t('kind')}
        choices={[{ id: ANY, label: t('all') }, ...KINDS.map((id) => ({ id, label: t(`kind${id}`) }))]}
        value={filters.kind ?? ANY}
        onChange={(kind) => onChange(narrowed(filters, { kind: kind === ANY ? undefined : kind }))}
      />
      <Field
        label={t('from')}
        type="date"
        value={filters.from ?? ''}
        onChange={(from) => onChange(narrowed(filters, { from }))}
      />
      <Field
        label={t('to')}
        type="date"
        value={filters.to ?? ''}
        onChange={(to) => onChange(narrowed(filters, { to }))}
      />
      <Field label={t('amountFrom')} inputMode="decimal" value={amountFrom} onChange={setAmountFrom} />
      <Field label={t('amountTo')} inputMode="decimal" value={amountTo} onChange={setAmountTo} />
      <Button type="submit" icon={<Search size={16} aria-hidden />}>
        {t('search')}
      </Button>
    </form>
  );
}

import { ListFilter, Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { Checkbox, Field, SelectField } from '../parts/fields.tsx';
import { PlaceFields } from '../parts/place.tsx';
import { useWords } from '../words/words.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { type Filters, narrowed, SEARCHED_STATES } from './filters.ts';
import { ReasonField } from './reason-field.tsx';

const KINDS = ['Purchase', 'Authorize', 'Verify', 'Recur', 'UnscheduledPurchase', 'Deposit', 'Credit'] as const;
const ANY = 'any';

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** What the list is narrowed by. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useWords();
  const { search, ...chosen } = filters;
  return (
    <FilterFrame
      search={search}
      help={t('paymentSearchHelp')}
      onSearch={(text) => onChange(narrowed(filters, { search: text }))}
      isNarrowed={Object.keys(chosen).length > 0}
    >
      <Choices filters={filters} onChange={onChange} />
      <AmountFilter filters={filters} onChange={(amounts) => onChange(narrowed(filters, { ...amounts }))} />
    </FilterFrame>
  );
}

interface FilterFrameProps extends SearchFormProps {
  /** Whether it is narrowed by more than the search. */
  readonly isNarrowed: boolean;
  readonly children: ReactNode;
}

/** A search, and filters below. Fields act when their form is sent, choices at once. On a phone they open when asked for. */
export function FilterFrame({ isNarrowed, children, ...search }: FilterFrameProps) {
  const { t } = useWords();
  const [isOpen, setIsOpen] = useState(isNarrowed);
  return (
    <>
      <div className="filters">
        <SearchForm {...search} />
        <div className="on-phone">
          <Button
            icon={<ListFilter size={16} aria-hidden />}
            aria-expanded={isOpen}
            onPress={() => setIsOpen((isOpenNow) => !isOpenNow)}
          >
            {t('filters')}
          </Button>
        </div>
      </div>
      <div className="filters" data-closed={isOpen ? undefined : true}>
        {children}
      </div>
    </>
  );
}

function Choices({ filters, onChange }: FilterBarProps) {
  const { t } = useWords();
  const { from, to } = filters;
  const choose = (name: 'family' | 'state' | 'kind') => (value: string) =>
    onChange(narrowed(filters, { [name]: value === ANY ? undefined : value }));
  return (
    <>
      <div className="filter-group">
        <SelectField
          label={t('family')}
          choices={[
            { id: ANY, label: t('all') },
            { id: 'card', label: t('card') },
            { id: 'account', label: t('account') },
          ]}
          value={filters.family ?? ANY}
          onChange={choose('family')}
        />
        <SelectField
          label={t('state')}
          choices={[{ id: ANY, label: t('all') }, ...SEARCHED_STATES.map((id) => ({ id, label: t(`payment${id}`) }))]}
          value={filters.state ?? ANY}
          onChange={choose('state')}
        />
        <SelectField
          label={t('kind')}
          choices={[{ id: ANY, label: t('all') }, ...KINDS.map((id) => ({ id, label: t(`kind${id}`) }))]}
          value={filters.kind ?? ANY}
          onChange={choose('kind')}
        />
        <ReasonField problem={filters.problem} onChange={(problem) => onChange(narrowed(filters, { problem }))} />
      </div>
      <DayFields
        days={{ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }}
        onChange={(days) => onChange(narrowed(filters, { from: days.from, to: days.to }))}
      />
      <Checkbox
        isSelected={filters.legs === 'also'}
        onChange={(isOn) => onChange(narrowed(filters, { legs: isOn ? 'also' : undefined }))}
      >
        {t('alsoLegs')}
      </Checkbox>
      <div className="filter-group">
        <PlaceFields place={filters} onChange={(change) => onChange(narrowed(filters, change))} />
      </div>
    </>
  );
}

interface SearchFormProps {
  readonly search: string | undefined;
  /** What may be typed. */
  readonly help: string;
  readonly onSearch: (search: string) => void;
}

/** A search by what names something. */
function SearchForm({ search: current = '', help, onSearch }: SearchFormProps) {
  const { t } = useWords();
  const [search, setSearch] = useState(current);
  useEffect(() => setSearch(current), [current]);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onSearch(search.trim());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: react-aria has no field for the element `search`.
    <form className="filter-group search-form" role="search" onSubmit={apply}>
      <Field label={t('search')} type="search" value={search} onChange={setSearch} placeholder={help} maxLength={100} />
      <Button type="submit" icon={<Search size={16} aria-hidden />}>
        {t('search')}
      </Button>
    </form>
  );
}

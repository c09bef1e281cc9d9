import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { exportMovements, listMovements } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { daysOf } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { isNarrowedBy, NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { EntryLines } from './entry-lines.tsx';
import { FIGURES, type MovementFilters } from './movement-filters.ts';

const ANY = 'any';

/** What a figure is called on the first screen. */
const WORDS = { volume: 'volume', spent: 'valueSpent', sold: 'valueSold', sales: 'salesLessRefunds' } as const;

interface CurrencyFieldProps {
  readonly currency: string | undefined;
  readonly onChange: (currency: string) => void;
}

/** A code of three letters; it narrows the list once it has them. */
function CurrencyField({ currency = '', onChange }: CurrencyFieldProps) {
  const { t } = useWords();
  const [text, setText] = useState(currency);
  return (
    <Field
      label={t('currency')}
      value={text}
      onChange={(typed) => {
        const code = typed.toUpperCase();
        setText(code);
        if (code === '' || /^[A-Z]{3}$/.test(code)) onChange(code);
      }}
      maxLength={3}
      autoComplete="off"
      className="field field-code"
    />
  );
}

/** What was booked, the newest first; the entries of each sum to zero. */
export function MovementList() {
  const { t } = useWords();
  const { payeeId, timeZone } = useSession();
  const { tab: _tab, from, to, ...filters } = useSearch({ from: '/gate/ledger' });
  const navigate = useNavigate();
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const show = (next: MovementFilters) => void navigate({ to: '/ledger', search: next, replace: true });
  const chosen = { payeeId, query: { ...filters, ...daysOf(days, timeZone) } };
  const list = useList(listMovements, chosen);
  return (
    <div>
      <div className="filters">
        <SelectField
          label={t('figure')}
          choices={[{ id: ANY, label: t('all') }, ...FIGURES.map((id) => ({ id, label: t(WORDS[id]) }))]}
          value={filters.figure ?? ANY}
          onChange={(id) => {
            const { figure: _figure, ...rest } = filters;
            show({ ...rest, ...days, ...(id === ANY ? {} : { figure: id }) });
          }}
        />
        <CurrencyField
          key={filters.currency}
          currency={filters.currency}
          onChange={(currency) => {
            const { currency: _currency, ...rest } = filters;
            show({ ...rest, ...days, ...(currency === '' ? {} : { currency }) });
          }}
        />
        <DayFields days={days} onChange={(next) => show({ ...filters, ...next })} />
        <DownloadLink endpoint={exportMovements} input={chosen} />
      </div>
      <Table
        label={t('movements')}
        rows={list.rows}
        error={list.error}
        rowKey={({ movementId }) => movementId}
        empty={<NoRows isNarrowed={isNarrowedBy(chosen.query)} title={t('noMovements')} text={t('noMovementsText')} />}
        foot={<ListFoot list={list} />}
        columns={[
          {
            title: t('kind'),
            cell: ({ movementId, kind }) => (
              <Link to="/ledger/movements/$movementId" params={{ movementId }} className="row-link">
                <Named group="movement" raw={kind} />
              </Link>
            ),
          },
          {
            title: t('entries'),
            cell: ({ entries, currency }) => <EntryLines entries={entries} currency={currency} />,
          },
          { title: t('time'), align: 'end', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
        ]}
      />
    </div>
  );
}

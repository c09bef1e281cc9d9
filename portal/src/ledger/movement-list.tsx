import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { withQuery } from '../api/portal-api.ts';
import type { Movement } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { type Days, daysOf } from '../parts/days.ts';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { EntryLines } from './entry-lines.tsx';

/** What was booked, the newest first; the entries of each sum to zero. */
export function MovementList() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const [days, setDays] = useState<Days>({});
  const path = `/payees/${payeeId}/ledger/movements`;
  const query = daysOf(days);
  const list = useList<Movement>(path, 'movements', query);
  return (
    <div>
      <div className="filters">
        <DayFields days={days} onChange={setDays} />
        <a className="button" href={withQuery(`/portal/api${path}.csv`, query)} download>
          <Download size={16} aria-hidden /> {t('downloadCsv')}
        </a>
      </div>
      <Table
        label={t('movements')}
        rows={list.rows}
        error={list.error}
        rowKey={({ movementId }) => movementId}
        empty={<Empty title={t('noMovements')} text={t('noMovementsText')} />}
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

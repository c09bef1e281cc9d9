import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { exportMovements, listMovements } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { type Days, daysOf } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
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
  const { payeeId, timeZone } = useSession();
  const [days, setDays] = useState<Days>({});
  const chosen = { payeeId, query: daysOf(days, timeZone) };
  const list = useList(listMovements, chosen);
  return (
    <div>
      <div className="filters">
        <DayFields days={days} onChange={setDays} />
        <DownloadLink endpoint={exportMovements} input={chosen} />
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

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Settlement } from '../../../client/kontor.generated.ts';
import { useLongList } from '../api/lists.ts';
import { exportSettlements, listSettlements } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { isNarrowedBy, NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { SettlementBadge } from './badges.tsx';
import { CloseDay } from './close-day.tsx';
import { useDays } from './use-days.ts';

/** Closed days, the latest first. */
export function SettlementList() {
  const { t, money, day } = useWords();
  const { payeeId, can, session } = useSession();
  const [days, setDays] = useDays();
  const period = { from: days.from, to: days.to };
  const [isClosing, setIsClosing] = useState(false);
  const list = useLongList(
    listSettlements,
    { payeeId, query: { ...period, day: undefined, after: undefined, limit: undefined } },
    ({ settlements: { settlementList, hasMore } }) => ({
      rows: settlementList as readonly Settlement[],
      next: hasMore ? settlementList.at(-1)?.settlementId : undefined,
    }),
  );
  return (
    <div>
      <div className="filters">
        <DayFields days={days} onChange={setDays} whose={t('businessDays')} />
        {can('closeSettlementDay') && <Button onPress={() => setIsClosing(true)}>{t('closeDay')}</Button>}
        {can('exportSettlements') && <DownloadLink endpoint={exportSettlements} input={{ payeeId, query: period }} />}
      </div>
      <Table
        label={t('settlementDays')}
        rows={list.rows}
        error={list.error}
        rowKey={({ settlementId }) => settlementId}
        empty={
          <NoRows
            isNarrowed={isNarrowedBy(period)}
            title={t('noSettlements')}
            text={t(session.mode === 'sandbox' ? 'noSettlementsInSandboxText' : 'noSettlementsText')}
          />
        }
        foot={<ListFoot list={list} />}
        columns={[
          {
            title: t('day'),
            cell: (one) => (
              <Link to="/settlements/$settlementId" params={{ settlementId: one.settlementId }} className="row-link">
                {day(atNoon(one.day))}
              </Link>
            ),
          },
          { title: t('agreement'), cell: ({ agreement }) => <span className="reference">{agreement}</span> },
          { title: t('state'), cell: ({ state }) => <SettlementBadge state={state} /> },
          { title: t('owed'), align: 'end', cell: ({ totals, currency }) => money(totals.net, currency) },
          { title: t('settledAmount'), align: 'end', cell: ({ settled, currency }) => money(settled.amount, currency) },
          {
            title: t('missingAmount'),
            align: 'end',
            cell: ({ totals, settled, currency }) =>
              totals.net === settled.amount ? '–' : money(totals.net - settled.amount, currency),
          },
          { title: t('openDifferences'), align: 'end', cell: ({ openDifferences }) => openDifferences },
        ]}
      />
      {isClosing && <CloseDay onClose={() => setIsClosing(false)} />}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { Dispute } from '../../../client/kontor.generated.ts';
import { useLongList } from '../api/lists.ts';
import { exportDisputes, listDisputes } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { isNarrowedBy, NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { CategoryName, DisputeBadge, StageName } from './badges.tsx';
import { useDays } from './use-days.ts';

/** Disputes, the latest first. */
export function DisputeList() {
  const { t, money, day } = useWords();
  const { payeeId, can } = useSession();
  const [days, setDays] = useDays();
  const period = { from: days.from, to: days.to };
  const list = useLongList(
    listDisputes,
    { payeeId, query: { ...period, state: undefined, after: undefined, limit: undefined } },
    ({ disputes: { disputeList, hasMore } }) => ({
      rows: disputeList as readonly Dispute[],
      next: hasMore ? disputeList.at(-1)?.disputeId : undefined,
    }),
  );
  return (
    <div>
      <div className="filters">
        <DayFields days={days} onChange={setDays} />
        {can('exportDisputes') && <DownloadLink endpoint={exportDisputes} input={{ payeeId, query: period }} />}
      </div>
      <Table
        label={t('disputes')}
        rows={list.rows}
        error={list.error}
        rowKey={({ disputeId }) => disputeId}
        empty={<NoRows isNarrowed={isNarrowedBy(period)} title={t('noDisputes')} text={t('noDisputesText')} />}
        foot={<ListFoot list={list} />}
        columns={[
          {
            title: t('disputeCase'),
            cell: ({ disputeId, caseId }) => (
              <Link to="/disputes/$disputeId" params={{ disputeId }} className="row-link reference">
                {caseId}
              </Link>
            ),
          },
          { title: t('state'), cell: ({ state }) => <DisputeBadge state={state} /> },
          { title: t('stage'), cell: ({ stage }) => <StageName stage={stage} /> },
          { title: t('reason'), cell: (one) => <CategoryName {...one} /> },
          { title: t('amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
          {
            title: t('respondBy'),
            align: 'end',
            cell: ({ respondBy, state }) =>
              respondBy === undefined || state !== 'Open' ? '–' : day(atNoon(respondBy)),
          },
          { title: t('opened'), align: 'end', cell: ({ openedAt }) => <Time at={openedAt} /> },
        ]}
      />
    </div>
  );
}

import { Download } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { withQuery } from '../api/portal-api.ts';
import type { Activity } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

const ANYBODY = 'anybody';

/** Who changed what. */
export function ActivityPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const [only, setOnly] = useState(ANYBODY);
  const path = `/payees/${payeeId}/activity`;
  const query = { only: only === ANYBODY ? undefined : only };
  const list = useList<Activity>(path, 'entries', query);
  return (
    <Page
      title={t('activity')}
      text={t('activityText')}
      actions={
        <a className="button" href={withQuery(`/portal/api${path}.csv`, query)} download>
          <Download size={16} aria-hidden /> {t('downloadCsv')}
        </a>
      }
    >
      <div className="filters">
        <SelectField
          label={t('who')}
          choices={[
            { id: ANYBODY, label: t('all') },
            { id: 'people', label: t('peopleOnly') },
          ]}
          value={only}
          onChange={setOnly}
        />
      </div>
      <Table
        label={t('activity')}
        rows={list.rows}
        error={list.error}
        rowKey={({ activityId }) => activityId}
        empty={<Empty title={t('noActivity')} text={t('noActivityText')} />}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('what'), cell: ({ action }) => <strong>{action}</strong> },
          { title: t('who'), cell: ({ actorName, actor }) => actorName ?? <span className="mono">{actor}</span> },
          {
            title: t('object'),
            cell: ({ objectKind, objectId }) => (
              <>
                <span className="soft">{objectKind}</span> <Copyable text={objectId} />
              </>
            ),
          },
          { title: t('details'), cell: ({ details }) => <DetailWords details={details} /> },
          { title: t('time'), align: 'end', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
        ]}
      />
    </Page>
  );
}

/** What was noted with a change, as names and values. */
function DetailWords({ details }: Pick<Activity, 'details'>) {
  const entries = Object.entries(details);
  if (entries.length === 0) return null;
  return (
    <span className="soft">
      {entries
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', ')}
    </span>
  );
}

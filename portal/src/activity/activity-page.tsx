import { Download } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { withQuery } from '../api/portal-api.ts';
import type { Activity } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

const ANYBODY = 'anybody';
const PEOPLE = 'people';

/** Who changed what. */
export function ActivityPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const [only, setOnly] = useState(PEOPLE);
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
            { id: PEOPLE, label: t('peopleOnly') },
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
          {
            title: t('what'),
            cell: ({ action }) => (
              <strong>
                <Named group="action" raw={action} />
              </strong>
            ),
          },
          { title: t('who'), cell: ({ actorName, actor }) => actorName ?? <span className="mono">{actor}</span> },
          {
            title: t('object'),
            cell: ({ objectKind, objectId }) => (
              <>
                <span className="soft">
                  <Named group="object" raw={objectKind} />
                </span>{' '}
                <Copyable text={objectId} />
              </>
            ),
          },
          {
            title: t('details'),
            cell: ({ details }) => Object.keys(details).length > 0 && <DetailWords details={details} />,
          },
          { title: t('time'), align: 'end', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
        ]}
      />
    </Page>
  );
}

/** Characters of details that stand in a line; longer ones open. */
const LINE_CHARACTERS = 60;

/** What was noted with a change, as names and values. */
function DetailWords({ details }: Pick<Activity, 'details'>) {
  const { t } = useWords();
  const entries = Object.entries(details).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const line = entries.map(([name, value]) => `${name}: ${value}`).join(', ');
  if (line.length <= LINE_CHARACTERS) return <span className="soft">{line}</span>;
  return (
    <details>
      <summary>{t('details')}</summary>
      <Facts facts={entries} />
    </details>
  );
}

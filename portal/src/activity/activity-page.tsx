import { useMemo, useState } from 'react';
import { useList } from '../api/lists.ts';
import { exportActivity, listActivity } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Actor } from '../parts/actor.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { type Days, daysOf } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { Details } from './details.tsx';
import { type Run, runsOf } from './runs.ts';

const EVERYTHING = 'everything';
const PEOPLE = 'people';

/** Who changed what. */
export function ActivityPage() {
  const { t, number } = useWords();
  const { payeeId, timeZone } = useSession();
  const [only, setOnly] = useState<typeof EVERYTHING | typeof PEOPLE>(PEOPLE);
  const [days, setDays] = useState<Days>({});
  const chosen = { payeeId, query: { only: only === EVERYTHING ? undefined : only, ...daysOf(days, timeZone) } };
  const list = useList(listActivity, chosen);
  const runs = useMemo(() => list.rows && runsOf(list.rows), [list.rows]);
  return (
    <Page
      title={t('activity')}
      text={t('activityText')}
      actions={<DownloadLink endpoint={exportActivity} input={chosen} />}
    >
      <div className="filters">
        <SelectField
          label={t('who')}
          choices={[
            { id: EVERYTHING, label: t('all') },
            { id: PEOPLE, label: t('peopleOnly') },
          ]}
          value={only}
          onChange={setOnly}
        />
        <DayFields days={days} onChange={setDays} />
      </div>
      <Table
        label={t('activity')}
        rows={runs}
        error={list.error}
        rowKey={({ first }) => first.activityId}
        empty={<Empty title={t('noActivity')} text={t('noActivityText')} />}
        foot={<ListFoot list={list} />}
        columns={[
          {
            title: t('what'),
            cell: ({ first, count }) => (
              <>
                <strong>
                  <Named group="action" raw={first.action} />
                </strong>
                {count > 1 && <span className="soft number"> × {number(count)}</span>}
              </>
            ),
          },
          { title: t('who'), cell: ({ first }) => <Actor actor={first.actor} name={first.actorName} /> },
          {
            title: t('object'),
            cell: (run) => <Objects run={run} />,
          },
          {
            title: t('details'),
            cell: ({ first, count }) =>
              count === 1 && Object.keys(first.details).length > 0 && <Details details={first.details} />,
          },
          { title: t('time'), align: 'end', cell: ({ first }) => <Time at={first.happenedAt} /> },
        ]}
      />
    </Page>
  );
}

/** What a run of entries was done to: one object, or those that there are, when asked for. */
function Objects({ run: { first, rest } }: { readonly run: Run }) {
  const { t } = useWords();
  const kind = (
    <span className="soft">
      <Named group="object" raw={first.objectKind} />
    </span>
  );
  if (rest.length === 0) {
    return (
      <>
        {kind} <Copyable text={first.objectId} />
      </>
    );
  }
  return (
    <details>
      <summary>
        {kind} · {t('entriesOf', { count: rest.length + 1 })}
      </summary>
      <ul className="run">
        {[first, ...rest].map(({ activityId, objectId }) => (
          <li key={activityId}>
            <Copyable text={objectId} />
          </li>
        ))}
      </ul>
    </details>
  );
}

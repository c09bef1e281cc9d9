import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RefreshCw, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { LoggedCall } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { listCalls } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { StatusBadge } from './status-badge.tsx';

/** What the list of calls is narrowed to; it stands in the address. */
export interface CallFilters {
  readonly route?: string;
  readonly status?: string;
  readonly sessionId?: string;
}

const ANY = 'any';
const STATUSES = ['2xx', '4xx', '5xx'];

/** The last requests of the payee's programs, with what was sent and answered. */
export function CallsPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const filters = useSearch({ from: '/gate/calls' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const list = useList(listCalls, { payeeId, query: filters });
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <Page
      title={t('apiLog')}
      text={t('apiLogText')}
      actions={
        <Button
          icon={<RefreshCw size={16} aria-hidden />}
          onPress={() => void client.resetQueries({ queryKey: [listCalls] })}
        >
          {t('reload')}
        </Button>
      }
    >
      <CallFilterBar filters={filters} onChange={(search) => void navigate({ to: '/calls', search })} />
      <Table
        label={t('apiLog')}
        rows={list.rows}
        error={list.error}
        rowKey={({ callId }) => callId}
        columns={useColumns()}
        foot={<ListFoot list={list} />}
        empty={
          isNarrowed ? (
            <Empty title={t('noMatch')} text={t('noMatchText')}>
              <Link to="/calls" search={{}} className="button">
                {t('clearFilters')}
              </Link>
            </Empty>
          ) : (
            <Empty
              title={t('noCalls')}
              text={t('noCallsText')}
              curl={`curl ${location.origin}/events -H 'Authorization: Bearer <access token>'`}
            />
          )
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<LoggedCall>[] {
  const { t, number } = useWords();
  return [
    { title: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: t('request'),
      cell: ({ callId, method, route }) => (
        <Link to="/calls/$callId" params={{ callId }} className="row-link mono">
          {method} {route}
        </Link>
      ),
    },
    { title: t('problem'), cell: ({ problem }) => problem !== null && <span className="mono">{problem}</span> },
    { title: t('duration'), align: 'end', cell: ({ durationMs }) => `${number(Math.round(durationMs))} ms` },
    { title: t('time'), align: 'end', cell: ({ at }) => <Time at={at} /> },
  ];
}

interface CallFilterBarProps {
  readonly filters: CallFilters;
  readonly onChange: (filters: CallFilters) => void;
}

function CallFilterBar({ filters, onChange }: CallFilterBarProps) {
  const { t } = useWords();
  const [route, setRoute] = useState(filters.route ?? '');
  const [sessionId, setSessionId] = useState(filters.sessionId ?? '');
  const apply = (status: string | undefined) =>
    onChange({
      ...(route.trim() === '' ? {} : { route: route.trim() }),
      ...(sessionId.trim() === '' ? {} : { sessionId: sessionId.trim() }),
      ...(status === undefined ? {} : { status }),
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(filters.status);
  };
  return (
    <form className="filters" onSubmit={submit}>
      <SelectField
        label={t('status')}
        choices={[{ id: ANY, label: t('all') }, ...STATUSES.map((id) => ({ id, label: id }))]}
        value={filters.status ?? ANY}
        onChange={(status) => apply(status === ANY ? undefined : status)}
      />
      <Field label={t('path')} value={route} onChange={setRoute} placeholder="/events" maxLength={200} />
      <Field label={t('sessionId')} value={sessionId} onChange={setSessionId} maxLength={36} />
      <Button type="submit" icon={<Search size={16} aria-hidden />}>
        {t('search')}
      </Button>
    </form>
  );
}

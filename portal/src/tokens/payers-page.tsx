import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useList } from '../api/lists.ts';
import { searchPayers } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Page } from '../parts/page.tsx';
import { NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

/** The payers that have stored a card or an account, found by the beginning of their reference. */
export function PayersPage() {
  const { t, number } = useWords();
  const { payeeId } = useSession();
  const { search } = useSearch({ from: '/gate/tokens' });
  const navigate = useNavigate();
  const [text, setText] = useState(search ?? '');
  const list = useList(searchPayers, { payeeId, query: { search } });
  const find = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/tokens', search: text === '' ? {} : { search: text } });
  };
  return (
    <Page title={t('payerTokens')} text={t('payerTokensText')}>
      <form className="filters" onSubmit={find}>
        <Field label={t('payerReference')} type="search" value={text} onChange={setText} maxLength={100} />
        <Button type="submit" icon={<Search size={16} aria-hidden />}>
          {t('search')}
        </Button>
      </form>
      <Table
        label={t('payerTokens')}
        rows={list.rows}
        error={list.error}
        rowKey={({ payerReference }) => payerReference}
        empty={<NoRows isNarrowed={search !== undefined} title={t('noTokens')} text={t('noTokensText')} />}
        columns={[
          {
            title: t('payerReference'),
            cell: ({ payerReference }) => (
              <Link to="/tokens/$payerReference" params={{ payerReference }} className="row-link">
                {payerReference}
              </Link>
            ),
          },
          { title: t('activeTokens'), align: 'end', cell: ({ activeTokens }) => number(activeTokens) },
          { title: t('archivedTokens'), align: 'end', cell: ({ archivedTokens }) => number(archivedTokens) },
          { title: t('firstSeen'), align: 'end', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
        ]}
        foot={<ListFoot list={list} />}
      />
    </Page>
  );
}

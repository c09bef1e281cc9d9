import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedAccount } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { listLedgerAccounts } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

/** The accounts of the payee with what is on each. */
export function AccountList() {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const [kind, setKind] = useState<ListedAccount['kind']>('StoredValue');
  const list = useList(listLedgerAccounts, { payeeId, query: { kind } });
  return (
    <div>
      <div className="filters">
        <SelectField
          label={t('kind')}
          choices={[
            { id: 'StoredValue', label: t('storedValue') },
            { id: 'External', label: t('external') },
          ]}
          value={kind}
          onChange={setKind}
        />
      </div>
      <Table
        label={t('accounts')}
        rows={list.rows}
        error={list.error}
        rowKey={({ accountId }) => accountId}
        empty={<Empty title={t('noAccounts')} text={t('noAccountsText')} />}
        foot={<ListFoot list={list} />}
        columns={[
          {
            title: t('account'),
            cell: ({ accountId, masked }) => (
              <Link to="/ledger/accounts/$accountId" params={{ accountId }} className="row-link number">
                {masked}
              </Link>
            ),
          },
          {
            title: t('instrument'),
            cell: ({ instrument, isGiftCard }) =>
              isGiftCard ? t('giftCard') : <Named group="instrument" raw={instrument} />,
          },
          {
            title: t('available'),
            align: 'end',
            cell: ({ available, currency }) => currency !== null && money(available, currency),
          },
          { title: t('held'), align: 'end', cell: ({ held, currency }) => currency !== null && money(held, currency) },
          { title: t('created'), align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </div>
  );
}

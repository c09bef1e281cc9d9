import { Link } from '@tanstack/react-router';
import type { AccountEntry } from '../../../client/portal.generated.ts';
import { Named } from '../parts/named.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';

interface EntryTableProps {
  readonly entries: readonly AccountEntry[] | undefined;
  readonly error?: unknown;
  readonly foot?: React.ReactNode;
}

/** The entries of one account, the newest first, each with the balance after it. */
export function EntryTable({ entries, error, foot }: EntryTableProps) {
  const { t, money } = useWords();
  return (
    <Table
      label={t('entries')}
      rows={entries}
      error={error}
      rowKey={({ sequence, side }) => `${sequence} ${side}`}
      empty={<Empty title={t('noEntries')} />}
      foot={foot}
      columns={[
        {
          title: t('kind'),
          cell: ({ kind, movementId }) => (
            <Link to="/ledger/movements/$movementId" params={{ movementId }} className="row-link">
              <Named group="movement" raw={kind} />
            </Link>
          ),
        },
        ...(entries?.some(({ orderId }) => orderId !== null) === true ? [order(t('partOfOrder'))] : []),
        { title: t('side'), cell: ({ side }) => <Named group="side" raw={side} /> },
        { title: t('amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
        { title: t('balance'), align: 'end', cell: ({ balance, currency }) => money(balance, currency) },
        { title: t('time'), align: 'end', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
      ]}
    />
  );
}

/** The payment order that an entry is part of. */
const order = (title: string) => ({
  title,
  cell: ({ orderId, orderNumber }: AccountEntry) =>
    orderId === null ? null : (
      <Link to="/orders/$orderId" params={{ orderId }} className="number">
        {orderNumber}
      </Link>
    ),
});

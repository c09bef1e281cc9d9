import { Link, useParams } from '@tanstack/react-router';
import type { ListedMovement } from '../../../client/portal.generated.ts';
import { getMovement } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Json } from '../parts/json.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

/** One movement with all of its entries. */
export function MovementPage() {
  const { t, named } = useWords();
  const { payeeId } = useSession();
  const { movementId } = useParams({ from: '/gate/ledger/movements/$movementId' });
  const { data, error } = useRead(getMovement, { payeeId, movementId });
  return (
    <Page
      title={data === undefined ? t('movement') : named('movement', data.movement.kind)}
      back={
        <Link to="/ledger" className="back">
          <Back>{t('ledger')}</Back>
        </Link>
      }
    >
      {data === undefined ? (
        error === null ? (
          <SkeletonLines />
        ) : (
          <ProblemNote error={error} />
        )
      ) : (
        <MovementShown movement={data.movement} />
      )}
    </Page>
  );
}

function MovementShown({ movement }: { readonly movement: ListedMovement }) {
  const { t, money, exact } = useWords();
  const { currency, entries, paymentId } = movement;
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  return (
    <div className="columns">
      <Table
        label={t('entries')}
        rows={entries}
        rowKey={({ side, accountId, amount }) => `${side} ${accountId} ${amount}`}
        empty={null}
        foot={<p className="table-foot">{t('entriesSum', { amount: money(sum, currency) })}</p>}
        columns={[
          {
            title: t('side'),
            cell: ({ side }) => (
              <strong>
                <Named group="side" raw={side} />
              </strong>
            ),
          },
          {
            title: t('account'),
            cell: ({ accountId }) =>
              accountId !== null && (
                <Link to="/ledger/accounts/$accountId" params={{ accountId }} className="row-link mono">
                  {accountId}
                </Link>
              ),
          },
          { title: t('amount'), align: 'end', cell: ({ amount }) => money(amount, currency) },
          {
            title: t('balance'),
            align: 'end',
            cell: ({ balance }) => balance !== null && money(balance, currency),
          },
        ]}
      />
      <div className="stack">
        <section className="card">
          <Facts
            facts={[
              [t('time'), exact(movement.happenedAt)],
              [t('id'), <Copyable key="i" text={movement.movementId} />],
              [
                t('payment'),
                paymentId === null ? null : (
                  <Link key="p" to="/payments/$paymentId" params={{ paymentId }}>
                    {paymentId}
                  </Link>
                ),
              ],
            ]}
          />
        </section>
        <Json value={movement} />
      </div>
    </div>
  );
}

import { useMemo } from 'react';
import type { GiftCardLiability } from '../../../client/kontor.generated.ts';
import { getGiftCardLiability } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { LazyChart } from '../parts/lazy-chart.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Empty, SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

type Owed = GiftCardLiability['outstanding'][number];

/**
 * Sums are told once they cannot change any more, ten seconds late. A user who has just issued the first card waits for
 * it.
 */
const AGAIN_MS = 10_000;
const whileNothing = ({ outstanding }: GiftCardLiability) => outstanding.length === 0 && AGAIN_MS;

/** What is owed to the holders of cards, and when those cards end. */
export function Liability() {
  const { t, money, exact } = useWords();
  const { payeeId } = useSession();
  const { data, error } = useRead(getGiftCardLiability, { payeeId }, { again: whileNothing });
  if (data === undefined) return error === null ? <SkeletonLines /> : <ProblemNote error={error} />;
  if (data.outstanding.length === 0) {
    return (
      <Empty title={t('nothingOwed')} text={t('nothingOwedText')}>
        <p className="soft">{t('asOf', { time: exact(data.asOf) })}</p>
      </Empty>
    );
  }
  return (
    <>
      <div className="tiles">
        {data.totals.map(({ currency, amount }) => (
          <div className="card tile" key={currency}>
            <span className="soft">{t('owed')}</span>
            <span className="tile-value">{money(amount, currency)}</span>
            <span className="soft">{t('asOf', { time: exact(data.asOf) })}</span>
          </div>
        ))}
      </div>
      {data.outstanding.map((owed) => (
        <OwedByProduct key={`${owed.productId} ${owed.currency}`} owed={owed} />
      ))}
    </>
  );
}

function OwedByProduct({ owed }: { readonly owed: Owed }) {
  const { t, money, number, short, month } = useWords();
  const { productName, currency, expiring } = owed;
  const chart = useMemo(
    () => ({
      at: expiring.map((row) => row.month),
      values: expiring.map(({ amount }) => amount),
      format: (value: number) => short(value, currency),
    }),
    [expiring, short, currency],
  );
  return (
    <section className="card stack-small">
      <h2>
        {productName} · {t('cardsCounted', { count: owed.cards })}
      </h2>
      <p className="soft">{t('expiringText')}</p>
      <LazyChart label={t('expiringText')} {...chart} />
      <Table
        label={t('expiringText')}
        rows={expiring}
        rowKey={(row) => row.month}
        empty={null}
        columns={[
          { title: t('month'), cell: ({ month: shown }) => month(shown) },
          { title: t('cards'), align: 'end', cell: ({ cards }) => number(cards) },
          { title: t('owed'), align: 'end', cell: ({ amount }) => money(amount, currency) },
        ]}
      />
    </section>
  );
}

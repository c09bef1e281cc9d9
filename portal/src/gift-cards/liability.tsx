import { useMemo } from 'react';
import { usePublic } from '../api/use-public.ts';
import { LazyChart } from '../parts/lazy-chart.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Empty, SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

/** What is owed on the cards of a product, in a currency. */
interface Owed {
  readonly currency: string;
  readonly productId: string;
  readonly productName: string;
  readonly cards: number;
  readonly amount: number;
  readonly expiring: readonly { readonly month: string; readonly cards: number; readonly amount: number }[];
}
/** What the public API says is owed on gift cards. */
export interface LiabilityAnswer {
  readonly asOf: string;
  readonly totals: readonly { readonly currency: string; readonly amount: number }[];
  readonly outstanding: readonly Owed[];
}

/** Where the public API says it. */
export const LIABILITY = '/api/payments/gift-card/liability';

/** Sums are told once they cannot change any more, ten seconds late. Whoever has just issued the first card waits for it. */
const AGAIN_MS = 10_000;
const whileNothing = ({ outstanding }: LiabilityAnswer) => outstanding.length === 0 && AGAIN_MS;

/** What is owed to the holders of cards, and when those cards end. */
export function Liability() {
  const { t, money, exact } = useWords();
  const { data, error } = usePublic<LiabilityAnswer>(LIABILITY, { again: whileNothing });
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

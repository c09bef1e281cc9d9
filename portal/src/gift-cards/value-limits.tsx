import type { GiftCardProduct } from '../../../client/kontor.generated.ts';
import { useWords } from '../words/words.tsx';

type Limit = GiftCardProduct['limits'][number];

const FLOWS = { Loaded: 'limitLoaded', Spent: 'limitSpent' } as const;
const SCOPES = { Product: 'limitProduct', Card: 'limitCard', Payer: 'limitPayer' } as const;
const PERIODS = { Day: 'limitDay', Month: 'limitMonth' } as const;

/** What may be loaded on cards of a product, and spent with them, a line each. */
export function ValueLimits({ product }: { readonly product: Pick<GiftCardProduct, 'limits' | 'currency'> }) {
  const { t, money } = useWords();
  const { limits, currency } = product;
  if (limits.length === 0) return <span className="soft">{t('noValueLimits')}</span>;
  const words = ({ flow, scope, period }: Limit) => `${t(FLOWS[flow])}, ${t(SCOPES[scope])}, ${t(PERIODS[period])}`;
  return (
    <div className="stack-small">
      {limits.map((limit) => (
        <span key={words(limit)}>
          {words(limit)}: <span className="number">{money(limit.amount, currency)}</span>
        </span>
      ))}
    </div>
  );
}

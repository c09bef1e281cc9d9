import type { ListedPayment } from '../../../client/portal.generated.ts';
import { useWords } from '../words/words.tsx';

/** What became of the amount, as a bar; the words below say the same. */
export function Remaining({ payment }: { readonly payment: ListedPayment }) {
  const { t, money } = useWords();
  const { captured, cancelled, reversed, currency, remaining } = payment;
  const parts = [
    { part: 'captured', amount: captured - reversed, name: t('captured') },
    { part: 'reversed', amount: reversed, name: t('reversed') },
    { part: 'open', amount: remaining.capture, name: t('leftToCapture') },
    { part: 'cancelled', amount: cancelled, name: t('cancelled') },
  ];
  const total = Math.max(payment.amount, 1);
  let from = 0;
  return (
    <div className="stack-small">
      <svg className="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
        {parts.map(({ part, amount }) => {
          const x = from;
          const width = (Math.max(amount, 0) / total) * 1000;
          from += width;
          return <rect key={part} data-part={part} x={x} y="0" width={width} height="10" />;
        })}
      </svg>
      <ul className="legend">
        {parts
          .filter(({ amount }) => amount > 0)
          .map(({ part, amount, name }) => (
            <li key={part}>
              <svg width="10" height="10" aria-hidden>
                <rect data-part={part} width="10" height="10" rx="3" />
              </svg>
              {name} <strong className="number">{money(amount, currency)}</strong>
            </li>
          ))}
      </ul>
      {from === 0 && <p className="soft">{t('nothingTaken')}</p>}
    </div>
  );
}

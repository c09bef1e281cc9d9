import type { ListedEntry } from '../../../client/portal.generated.ts';
import { Named } from '../parts/named.tsx';
import { useWords } from '../words/words.tsx';

/** The entries of a movement: each side and its amount. They sum to zero. */
export function EntryLines({
  entries,
  currency,
}: {
  readonly entries: readonly ListedEntry[];
  readonly currency: string;
}) {
  const { money } = useWords();
  return (
    <ul className="entry-lines">
      {entries.map(({ side, accountId, amount }) => (
        <li key={`${side} ${accountId} ${amount}`}>
          <span className="soft">
            <Named group="side" raw={side} />
          </span>{' '}
          <span className="number">{money(amount, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

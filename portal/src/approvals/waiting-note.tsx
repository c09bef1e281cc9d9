import { Link } from '@tanstack/react-router';
import type { PendingChange } from '../../../client/portal.generated.ts';
import { useSession } from '../app/session.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { Asked } from './change-facts.tsx';

/** Says on the page of an object what was asked for and waits for another person. */
export function WaitingNote({ changes }: { readonly changes: readonly PendingChange[] }) {
  const { t, money } = useWords();
  const { can } = useSession();
  if (changes.length === 0) return null;
  return (
    <section className="note" data-tone="warn" aria-label={t('waitsForSecond')}>
      <strong>{t('waitsForSecond')}</strong>
      <ul className="plain">
        {changes.map(({ changeId, operationId, way, amount, currency, askedByName, askedBy, askedAt, reason }) => (
          <li key={changeId} className="parted">
            <span>
              <Asked operationId={operationId} way={way} />{' '}
              <strong className="number">{money(amount, currency)}</strong>
            </span>
            <span>{askedByName ?? askedBy}</span>
            <span>
              <Time at={askedAt} />
            </span>
            {reason !== null && <span>{reason}</span>}
          </li>
        ))}
      </ul>
      {can('listPendingChanges') && <Link to="/approvals">{t('approvals')}</Link>}
    </section>
  );
}

/** What waits to be given back: it is not offered a second time. */
export const waitingAmount = (changes: readonly PendingChange[]): number =>
  changes.reduce((sum, { amount }) => sum + amount, 0);

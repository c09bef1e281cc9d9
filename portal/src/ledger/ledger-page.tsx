import { useNavigate, useSearch } from '@tanstack/react-router';
import { getBooks } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { AccountList } from './account-list.tsx';
import { MovementList } from './movement-list.tsx';

/** The books: movements, accounts, and whether they balance. */
export function LedgerPage() {
  const { t } = useWords();
  const { tab = 'movements' } = useSearch({ from: '/gate/ledger' });
  const navigate = useNavigate();
  return (
    <Page title={t('ledger')} text={t('ledgerText')}>
      <div className="stack">
        <BooksNote />
        <Tabs
          label={t('ledger')}
          selected={tab}
          onSelect={(id) =>
            void navigate({ to: '/ledger', search: id === 'accounts' ? { tab: 'accounts' } : {}, replace: true })
          }
          tabs={[
            { id: 'movements', title: t('movements'), content: <MovementList /> },
            { id: 'accounts', title: t('accounts'), content: <AccountList /> },
          ]}
        />
      </div>
    </Page>
  );
}

/** For operators, how the last check of the books went; for merchants, only that it found something wrong. */
function BooksNote() {
  const { t } = useWords();
  const { payeeId, session } = useSession();
  const { data } = useRead(getBooks, { payeeId });
  if (data === undefined) return null;
  const { verifiedAt, broken } = data;
  if (session.role !== 'operator' && broken === 0) return null;
  if (verifiedAt === null) {
    return (
      <div className="note" data-tone="warn">
        {t('booksUnchecked')}
      </div>
    );
  }
  return (
    <div className="note" data-tone={broken === 0 ? 'good' : 'bad'}>
      <strong>{broken === 0 ? t('booksBalance') : t('booksBroken', { count: broken })}</strong>
      <span>
        {t('lastCheck')}: <Time at={verifiedAt} />
      </span>
    </div>
  );
}

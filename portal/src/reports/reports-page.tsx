import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { SalesReport } from './sales-report.tsx';
import { TrialBalance } from './trial-balance.tsx';

/** What a month is closed with: sales, and the trial balance. */
export function ReportsPage() {
  const { t } = useWords();
  const { tab = 'sales', from, to } = useSearch({ from: '/gate/reports' });
  const navigate = useNavigate();
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return (
    <Page title={t('reports')} text={t('reportsText')}>
      <Tabs
        label={t('reports')}
        selected={tab}
        onSelect={(id) =>
          void navigate({
            to: '/reports',
            search: { ...days, ...(id === 'trialBalance' && { tab: id }) },
            replace: true,
          })
        }
        tabs={[
          { id: 'sales', title: t('sales'), content: <SalesReport /> },
          { id: 'trialBalance', title: t('trialBalance'), content: <TrialBalance /> },
        ]}
      />
    </Page>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { BusinessDays } from './business-days.tsx';
import { readReportFilters } from './report-filters.ts';
import { SalesReport } from './sales-report.tsx';
import { TrialBalance } from './trial-balance.tsx';

/** What a month is closed with: sales, and the trial balance. */
export function ReportsPage() {
  const { t } = useWords();
  const { tab = 'sales', from, to } = useSearch({ from: '/gate/reports' });
  const { can } = useSession();
  const navigate = useNavigate();
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return (
    <Page title={t('reports')} text={t('reportsText')}>
      <Tabs
        label={t('reports')}
        selected={tab}
        onSelect={(id) =>
          void navigate({ to: '/reports', search: readReportFilters({ ...days, tab: id }), replace: true })
        }
        tabs={[
          { id: 'sales', title: t('sales'), content: <SalesReport /> },
          ...(can('listBusinessDays')
            ? [{ id: 'businessDays', title: t('businessDays'), content: <BusinessDays /> }]
            : []),
          { id: 'trialBalance', title: t('trialBalance'), content: <TrialBalance /> },
        ]}
      />
    </Page>
  );
}

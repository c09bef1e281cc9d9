import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { DifferenceList } from './differences.tsx';
import { DisputeList } from './dispute-list.tsx';
import { ImportList } from './import-list.tsx';
import { PayoutList } from './payout-list.tsx';
import { readSettlementFilters } from './settlement-filters.ts';
import { SettlementList } from './settlement-list.tsx';

/** What acquirers owe and have paid, and what payers have asked back. */
export function SettlementsPage() {
  const { t } = useWords();
  const { can } = useSession();
  const navigate = useNavigate();
  const { tab, ...days } = useSearch({ from: '/gate/settlements' });
  const tabs = [
    ...(can('listSettlements') ? [{ id: 'days', title: t('settlementDays'), content: <SettlementList /> }] : []),
    ...(can('listDifferences') ? [{ id: 'differences', title: t('differences'), content: <DifferenceList /> }] : []),
    ...(can('listPayouts') ? [{ id: 'payouts', title: t('payouts'), content: <PayoutList /> }] : []),
    ...(can('listImportedBatches') ? [{ id: 'imports', title: t('imports'), content: <ImportList /> }] : []),
    { id: 'disputes', title: t('disputes'), content: <DisputeList /> },
  ];
  return (
    <Page title={t('settlements')} text={t('settlementsText')}>
      <Tabs
        label={t('settlements')}
        tabs={tabs}
        selected={tabs.find(({ id }) => id === tab)?.id ?? tabs[0]?.id ?? 'disputes'}
        onSelect={(id) =>
          void navigate({ to: '/settlements', search: readSettlementFilters({ ...days, tab: id }), replace: true })
        }
      />
    </Page>
  );
}

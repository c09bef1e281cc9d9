import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { CardRanges } from './card-ranges.tsx';
import { Issuers } from './issuers.tsx';
import { Keys } from './keys.tsx';
import { Payees } from './payees.tsx';
import { AllProducts } from './products.tsx';

/** What operators look after, across all payees. The part that is open stands in the address. */
export function OperatorPage() {
  const { t } = useWords();
  const { can } = useSession();
  const { tab } = useSearch({ from: '/gate/operator' });
  const navigate = useNavigate();
  const all = [
    { id: 'payees', title: t('payees'), content: <Payees />, needs: 'listPayees' },
    { id: 'products', title: t('products'), content: <AllProducts />, needs: 'searchProducts' },
    { id: 'issuers', title: t('issuers'), content: <Issuers />, needs: 'listIssuers' },
    { id: 'ranges', title: t('cardRanges'), content: <CardRanges />, needs: 'listCardRanges' },
    { id: 'keys', title: t('keys'), content: <Keys />, needs: 'listKeys' },
  ] as const;
  const tabs = all.filter(({ needs }) => can(needs));
  return (
    <Page title={t('operators')} text={t('operatorsText')}>
      <Tabs
        label={t('operators')}
        tabs={tabs}
        selected={tabs.some(({ id }) => id === tab) ? (tab ?? 'payees') : 'payees'}
        onSelect={(id) => void navigate({ to: '/operator', search: { tab: id }, replace: true })}
      />
    </Page>
  );
}

import { useSession } from '../app/session.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';
import { CardList } from './card-list.tsx';
import { IssueButtons } from './issue.tsx';
import { Liability } from './liability.tsx';
import { Products } from './products.tsx';

/** Gift cards: the cards, what is owed on them, and the products that they are of. */
export function GiftCardsPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  return (
    <Page title={t('giftCards')} text={t('giftCardsText')} actions={<IssueButtons />}>
      <Tabs
        key={payeeId}
        label={t('giftCards')}
        tabs={[
          { id: 'cards', title: t('cards'), content: <CardList /> },
          { id: 'liability', title: t('liability'), content: <Liability /> },
          { id: 'products', title: t('products'), content: <Products /> },
        ]}
      />
    </Page>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { searchGiftCards } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { CARD_STATES, CardBadge, cardStateWord } from './card-badge.tsx';
import { FindCard } from './find-card.tsx';

const ANY = 'any';

/** The cards of the payee, the newest first. */
export function CardList() {
  const { t, money, day } = useWords();
  const { payeeId } = useSession();
  const [state, setState] = useState<ListedGiftCard['state'] | typeof ANY>(ANY);
  const list = useList(searchGiftCards, { payeeId, query: { state: state === ANY ? undefined : state } });
  return (
    <div>
      <div className="filters">
        <SelectField
          label={t('state')}
          choices={[{ id: ANY, label: t('all') }, ...CARD_STATES.map((id) => ({ id, label: t(cardStateWord(id)) }))]}
          value={state}
          onChange={setState}
        />
        <FindCard />
      </div>
      <Table
        label={t('giftCards')}
        rows={list.rows}
        error={list.error}
        rowKey={({ accountId }) => accountId}
        empty={<NoRows isNarrowed={state !== ANY} title={t('noGiftCards')} text={t('noGiftCardsText')} />}
        columns={[
          {
            title: t('cardNumber'),
            cell: ({ accountId, masked }) => (
              <Link to="/gift-cards/$accountId" params={{ accountId }} className="row-link number">
                {masked}
              </Link>
            ),
          },
          { title: t('state'), cell: ({ state: shown }) => <CardBadge state={shown} /> },
          { title: t('product'), cell: ({ productName }) => productName },
          { title: t('available'), align: 'end', cell: ({ available, currency }) => money(available, currency) },
          { title: t('expires'), align: 'end', cell: ({ expiresOn }) => expiresOn !== null && day(expiresOn) },
          { title: t('issued'), align: 'end', cell: ({ issuedAt }) => <Time at={issuedAt} /> },
        ]}
        foot={<ListFoot list={list} />}
      />
    </div>
  );
}

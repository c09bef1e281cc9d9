import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { listCardRanges } from '../api/operations.generated.ts';
import { Field } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

/** What the first digits of card numbers tell. They are loaded by the command line. */
export function CardRanges() {
  const { t, country } = useWords();
  const [prefix, setPrefix] = useState('');
  const list = useList(listCardRanges, { query: { prefix: /^\d+$/.test(prefix) ? prefix : undefined } });
  return (
    <div>
      <div className="filters">
        <Field label={t('firstDigits')} value={prefix} onChange={setPrefix} inputMode="numeric" maxLength={8} />
      </div>
      <Table
        label={t('cardRanges')}
        rows={list.rows}
        error={list.error}
        rowKey={(range) => `${range.prefix} ${range.source}`}
        empty={<Empty title={t('noMatch')} curl="kontor card-ranges load FILE" />}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('firstDigits'), cell: (range) => <span className="mono">{range.prefix}</span> },
          { title: t('brand'), cell: ({ brand }) => (brand === 'GiftCard' ? t('giftCard') : brand) },
          { title: t('issuer'), cell: ({ issuerName }) => issuerName },
          { title: t('source'), cell: ({ source }) => t(source) },
          { title: t('country'), cell: ({ countryCode }) => countryCode && country(countryCode) },
        ]}
      />
    </div>
  );
}

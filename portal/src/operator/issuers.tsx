import { useState } from 'react';
import type { ListedIssuer } from '../../../client/portal.generated.ts';
import { listIssuers } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import { Field } from '../parts/fields.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { Acquirers } from './acquirers.tsx';

const STATES: Readonly<Record<ListedIssuer['state'], ShownState>> = {
  Own: ['issuerOwn', 'good'],
  Idle: ['issuerIdle', 'neutral'],
  Answering: ['issuerAnswering', 'good'],
  NotAnswering: ['issuerNotAnswering', 'bad'],
};

/** Who decides on which numbers, and how they have answered lately. */
export function Issuers() {
  const { t } = useWords();
  const { data, error } = useRead(listIssuers, {});
  const issuers = data?.issuers;
  return (
    <>
      <div className="note">
        {issuers?.every(({ kind }) => kind === 'Ledger') && `${t('noAcquirer')} `}
        {t('issuersWhere')}
      </div>
      <section className="stack-small">
        {data !== undefined && <p className="soft">{t('issuersText', { count: data.hours })}</p>}
        <IssuerTable issuers={issuers} error={error} />
      </section>
      <Acquirers />
      {issuers !== undefined && <Deciders issuers={issuers} />}
    </>
  );
}

function IssuerTable(props: { readonly issuers: readonly ListedIssuer[] | undefined; readonly error: unknown }) {
  const { issuers, error } = props;
  const { t, number } = useWords();
  const ofHost = (text: (issuer: ListedIssuer) => string | false) => (issuer: ListedIssuer) =>
    issuer.kind === 'Elsewhere' && text(issuer);
  return (
    <Table
      label={t('issuers')}
      rows={issuers}
      error={error}
      rowKey={({ issuerId }) => issuerId}
      empty={<Empty title={t('noMatch')} />}
      columns={[
        { title: t('issuer'), cell: ({ issuerName }) => <strong>{issuerName}</strong> },
        { title: t('acquirer'), cell: ({ acquirerName }) => acquirerName },
        {
          title: t('state'),
          cell: ({ state }) => <StateBadge shown={STATES[state]} />,
        },
        { title: t('answered'), align: 'end', cell: ofHost(({ answered }) => number(answered)) },
        { title: t('unanswered'), align: 'end', cell: ofHost(({ unanswered }) => number(unanswered)) },
        {
          title: t('notFinished'),
          align: 'end',
          cell: ofHost(
            ({ waiting, toTakeBack }) => waiting + toTakeBack > 0 && t('notFinishedText', { waiting, toTakeBack }),
          ),
        },
        {
          title: t('latestAnswer'),
          align: 'end',
          cell: ({ latestAnsweredAt }) => latestAnsweredAt !== null && <Time at={latestAnsweredAt} />,
        },
      ]}
    />
  );
}

/** Looks up who decides on numbers that begin so. */
function Deciders({ issuers }: { readonly issuers: readonly ListedIssuer[] }) {
  const { t } = useWords();
  const [digits, setDigits] = useState('');
  const all = issuers.flatMap(({ prefixes, issuerName }) => prefixes.map((prefix) => ({ prefix, issuerName })));
  const rows = all
    .filter(({ prefix }) => prefix.startsWith(digits) || digits.startsWith(prefix))
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
  return (
    <section className="stack-small">
      <h2>{t('whichIssuer')}</h2>
      <div className="filters">
        <Field label={t('firstDigits')} value={digits} onChange={setDigits} inputMode="numeric" maxLength={8} />
      </div>
      <Table
        label={t('whichIssuer')}
        rows={rows}
        rowKey={({ prefix, issuerName }) => `${prefix} ${issuerName}`}
        empty={<Empty title={t('noMatch')} text={t('nobodyDecides')} />}
        columns={[
          { title: t('firstDigits'), cell: ({ prefix }) => <span className="mono">{prefix}</span> },
          { title: t('decidedBy'), cell: ({ issuerName }) => issuerName },
        ]}
      />
    </section>
  );
}

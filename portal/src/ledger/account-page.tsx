import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { useList } from '../api/lists.ts';
import { exportAccountEntries, getLedgerAccount, listAccountEntries } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { daysOf } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { Field } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { useWords } from '../words/words.tsx';
import { EntryTable } from './entry-table.tsx';

/** One account: its balance now or at the end of a day, and its entries with the running balance. */
export function LedgerAccountPage() {
  const { t } = useWords();
  const { payeeId, timeZone } = useSession();
  const { accountId } = useParams({ from: '/gate/ledger/accounts/$accountId' });
  const [day, setDay] = useState('');
  const end = day === '' ? undefined : earlier(daysOf({ to: day }, timeZone).to);
  const { data, error } = useRead(getLedgerAccount, { payeeId, accountId, query: { asOf: end } });
  const list = useList(listAccountEntries, { payeeId, accountId, query: { to: end } });
  return (
    <Page
      title={data?.account.masked ?? t('account')}
      back={
        <Link to="/ledger" className="back">
          <Back>{t('ledger')}</Back>
        </Link>
      }
      actions={<DownloadLink endpoint={exportAccountEntries} input={{ payeeId, accountId }} />}
    >
      <div className="filters">
        <Field
          label={t('atTheEndOf')}
          help={t('daysIn', { zone: timeZone.replaceAll('_', ' ') })}
          type="date"
          value={day}
          onChange={setDay}
        />
      </div>
      <div className="columns">
        <EntryTable entries={list.rows} error={list.error} foot={<ListFoot list={list} />} />
        <section className="card">
          {data === undefined ? (
            error === null ? (
              <SkeletonLines />
            ) : (
              <ProblemNote error={error} />
            )
          ) : (
            <AccountFacts answer={data} />
          )}
        </section>
      </div>
    </Page>
  );
}

/** The end of a day that is not over is now. */
function earlier(instant: string | undefined): string | undefined {
  return instant === undefined || Date.parse(instant) > Date.now() ? undefined : instant;
}

function AccountFacts({ answer }: { readonly answer: AnswerOf<typeof getLedgerAccount> }) {
  const { t, money, exact } = useWords();
  const { account, asOf, available, held } = answer;
  const amount = (minor: number) => (account.currency === null ? null : money(minor, account.currency));
  return (
    <Facts
      facts={[
        [
          t('available'),
          <strong key="a" className="number">
            {amount(available)}
          </strong>,
        ],
        [t('held'), amount(held)],
        [t('asOfLabel'), exact(asOf)],
        [
          t('instrument'),
          account.isGiftCard ? t('giftCard') : <Named key="n" group="instrument" raw={account.instrument} />,
        ],
        [t('issuer'), account.issuer === 'ledger' ? t('issuerOwn') : account.issuer],
        [t('created'), exact(account.createdAt)],
        [t('ended'), account.closedAt === null ? null : exact(account.closedAt)],
        [t('id'), <Copyable key="i" text={account.accountId} />],
      ]}
    />
  );
}

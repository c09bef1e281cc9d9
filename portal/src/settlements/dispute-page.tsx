import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dispute } from '../../../client/kontor.generated.ts';
import { call } from '../api/call.ts';
import { changeDispute, getDispute, listDisputeSteps } from '../api/operations.generated.ts';
import { awaitsApproval } from '../api/problem.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { atNoon } from '../parts/days.ts';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { CategoryName, DisputeBadge, StageName } from './badges.tsx';

/** One dispute: how it stands, and about which payment it is. */
export function DisputePage() {
  const { t, money, day, exact } = useWords();
  const { payeeId } = useSession();
  const { disputeId } = useParams({ from: '/gate/disputes/$disputeId' });
  const { data, error } = useRead(getDispute, { payeeId, disputeId });
  const one = data?.dispute;
  return (
    <Page
      title={one === undefined ? t('dispute') : one.caseId}
      beside={one !== undefined && <DisputeBadge state={one.state} />}
      actions={one !== undefined && <DisputeActions one={one} />}
      back={
        <Link to="/settlements" className="back">
          <Back>{t('settlements')}</Back>
        </Link>
      }
    >
      {one === undefined && (error === null ? <SkeletonLines /> : <ProblemNote error={error} />)}
      {one !== undefined && (
        <section className="card">
          <Facts
            facts={[
              [t('amount'), money(one.amount, one.currency)],
              [t('takenByBank'), money(one.taken, one.paymentCurrency ?? one.currency)],
              [
                t('refundedAlready'),
                one.refunded === 0 ? null : money(one.refunded, one.paymentCurrency ?? one.currency),
              ],
              [t('stage'), <StageName key="s" stage={one.stage} />],
              [t('reason'), <CategoryName key="c" {...one} />],
              [t('respondBy'), one.respondBy === undefined ? null : day(atNoon(one.respondBy))],
              [
                t('payment'),
                <Link key="p" to="/payments/$paymentId" params={{ paymentId: one.paymentId }}>
                  {one.paymentId}
                </Link>,
              ],
              [t('order'), one.orderReference ?? null],
              [t('agreement'), one.agreement],
              [t('opened'), exact(one.openedAt)],
              [t('id'), <Copyable key="i" text={one.disputeId} />],
            ]}
          />
        </section>
      )}
    </Page>
  );
}

type Step = 'accept' | 'represent' | 'win' | 'lose';

const STEPS: Readonly<Record<Step, readonly [title: WordKey, text: WordKey]>> = {
  accept: ['disputeAccept', 'disputeAcceptText'],
  represent: ['disputeRepresent', 'disputeRepresentText'],
  win: ['disputeWin', 'disputeWinText'],
  lose: ['disputeLose', 'disputeLoseText'],
};

type Shown = Pick<Dispute, 'disputeId' | 'caseId' | 'amount' | 'currency'>;

/** What can be done with it now, as the service says; each is asked for once more. */
function DisputeActions({ one }: { readonly one: Shown }) {
  const { t, money } = useWords();
  const { disputeId, caseId, amount, currency } = one;
  const { payeeId, can } = useSession();
  const { data } = useRead(listDisputeSteps, { payeeId, disputeId });
  const [taking, setTaking] = useState<Step>();
  if (data === undefined || !can('changeDispute')) return null;
  return (
    <>
      {data.steps.map((step) => (
        <Button key={step} onPress={() => setTaking(step)}>
          {t(STEPS[step][0])}
        </Button>
      ))}
      {taking !== undefined && (
        <Confirm
          title={t(STEPS[taking][0])}
          text={t(STEPS[taking][1])}
          submit={t(STEPS[taking][0])}
          act={async () => {
            const { approval } = await call(changeDispute, { payeeId, disputeId, body: { step: taking } });
            if (approval !== null) throw awaitsApproval();
          }}
          onClose={() => setTaking(undefined)}
        >
          <p>
            <span className="reference">{caseId}</span> <strong className="number">{money(amount, currency)}</strong>
          </p>
        </Confirm>
      )}
    </>
  );
}

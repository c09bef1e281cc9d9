import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get } from '../api/portal-api.ts';
import type { CallDetail } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Code, Copyable, CopyButton } from '../parts/copyable.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { useWords } from '../words/words.tsx';
import { curlOf } from './curl.ts';
import { StatusBadge } from './status-badge.tsx';

/** One request and its answer, as far as they may be shown. */
export function CallPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { callId } = useParams({ from: '/gate/calls/$callId' });
  const path = `/payees/${payeeId}/calls/${encodeURIComponent(callId)}`;
  const { data, error } = useQuery({ queryKey: [path], queryFn: () => get<{ call: CallDetail }>(path) });
  const call = data?.call;
  return (
    <Page
      title={call === undefined ? t('request') : `${call.method} ${call.route}`}
      beside={call !== undefined && <StatusBadge status={call.status} />}
      back={
        <Link to="/calls" className="back">
          <Back>{t('apiLog')}</Back>
        </Link>
      }
      actions={call !== undefined && <CopyButton text={curlOf(call, location.origin)} label={t('copyAsCurl')} />}
    >
      <ProblemNote error={error} />
      {call === undefined ? error === null && <SkeletonLines /> : <CallShown call={call} />}
    </Page>
  );
}

const pretty = (body: unknown): string => JSON.stringify(body, undefined, 2);

function CallShown({ call }: { readonly call: CallDetail }) {
  const { t, exact, number } = useWords();
  return (
    <div className="columns">
      <div className="stack">
        <section className="stack-small">
          <h2>{t('request')}</h2>
          <Code
            text={Object.entries(call.requestHeaders)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
            label={t('headers')}
          />
          {call.requestBody !== null && <Code text={pretty(call.requestBody)} label={t('body')} />}
        </section>
        <section className="stack-small">
          <h2>{t('answer')}</h2>
          {call.answerBody === null ? (
            <p className="soft">{t('noBody')}</p>
          ) : (
            <Code text={pretty(call.answerBody)} label={t('answer')} />
          )}
        </section>
      </div>
      <section className="card">
        <Facts
          facts={[
            [t('time'), exact(call.at)],
            [
              t('path'),
              <span key="p" className="mono">
                {call.address}
              </span>,
            ],
            [t('operation'), call.operationId],
            [t('duration'), `${number(Math.round(call.durationMs))} ms`],
            [t('problem'), call.problem],
            [t('credential'), call.credential],
            [t('sessionId'), <Copyable key="s" text={call.sessionId} />],
            ...call.resourceIds.map((id) => [t('object'), <ObjectLink key={id} id={id} call={call} />] as const),
          ]}
        />
      </section>
    </div>
  );
}

/** What the request was about: payments have a screen of their own. */
function ObjectLink({ id, call }: { readonly id: string; readonly call: CallDetail }) {
  if (!/payment/i.test(call.route)) return <Copyable text={id} />;
  return (
    <Link to="/payments/$paymentId" params={{ paymentId: id }} className="mono">
      {id}
    </Link>
  );
}

import { Link, useParams } from '@tanstack/react-router';
import { getCall } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Actor } from '../parts/actor.tsx';
import { Code, Copyable, CopyButton } from '../parts/copyable.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { useWords } from '../words/words.tsx';
import { type CallDetail, curlOf } from './curl.ts';
import { StatusBadge } from './status-badge.tsx';

/** One request and its answer, as far as they may be shown. */
export function CallPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { callId } = useParams({ from: '/gate/calls/$callId' });
  const { data, error } = useRead(getCall, { payeeId, callId });
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

/** What the log has where nothing was sent or answered. */
const NO_BODY = 'null';

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), undefined, 2);

function CallShown({ call }: { readonly call: CallDetail }) {
  const { t, exact, number } = useWords();
  return (
    <div className="columns">
      <div className="stack">
        <section className="stack-small">
          <h2>{t('request')}</h2>
          <Code text={call.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')} label={t('headers')} />
          {call.requestBody !== NO_BODY && <Code text={pretty(call.requestBody)} label={t('body')} />}
        </section>
        <section className="stack-small">
          <h2>{t('answer')}</h2>
          {call.answerBody === NO_BODY ? (
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
            [
              t('operation'),
              call.operationId === null ? null : (
                <span key="o" className="mono">
                  {call.operationId}
                </span>
              ),
            ],
            [t('duration'), `${number(Math.round(call.durationMs))} ms`],
            [
              t('problem'),
              call.problem === null ? null : (
                <span key="r" className="mono">
                  {call.problem}
                </span>
              ),
            ],
            [t('credential'), <Actor key="c" actor={call.credential} />],
            [t('sessionId'), <Copyable key="s" text={call.sessionId} />],
            [t('object'), call.resourceId === null ? null : <ObjectLink key="o" id={call.resourceId} call={call} />],
          ]}
        />
      </section>
    </div>
  );
}

/** What the request was about: payments and gift cards have screens of their own. */
function ObjectLink({ id, call }: { readonly id: string; readonly call: CallDetail }) {
  if (/gift-card/.test(call.route)) {
    return (
      <Link to="/gift-cards/$accountId" params={{ accountId: id }} className="mono">
        {id}
      </Link>
    );
  }
  if (!/payment/.test(call.route)) return <Copyable text={id} />;
  return (
    <Link to="/payments/$paymentId" params={{ paymentId: id }} className="mono">
      {id}
    </Link>
  );
}

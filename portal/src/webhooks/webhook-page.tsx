import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChangeWebhook, Webhook, WebhookAnswer } from '../../../client/kontor.generated.ts';
import { follow, offers } from '../api/call.ts';
import { getWebhook } from '../api/operations.generated.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useNotice } from '../parts/notice.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { Deliveries } from './deliveries.tsx';
import { useWebhookRates, WebhookBadge } from './webhook-badge.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** One webhook: its settings, its secret, and what was delivered to it. */
export function WebhookPage() {
  const { t } = useWords();
  const { webhookId } = useParams({ from: '/gate/webhooks/$webhookId' });
  const { payeeId } = useSession();
  const { data, error } = useRead(getWebhook, { payeeId, webhookId });
  const { isFailing } = useWebhookRates();
  const [actedAtMs, setActedAtMs] = useState(() => Date.now());
  return (
    <Page
      title={data?.webhook.url ?? t('webhook')}
      beside={data !== undefined && <WebhookBadge state={data.webhook.state} isFailing={isFailing(webhookId)} />}
      back={
        <Link to="/webhooks" className="back">
          <Back>{t('webhooks')}</Back>
        </Link>
      }
      actions={data !== undefined && <WebhookActions answer={data} onTest={() => setActedAtMs(Date.now())} />}
    >
      {data === undefined ? (
        error === null ? (
          <SkeletonLines />
        ) : (
          <ProblemNote error={error} />
        )
      ) : (
        <div className="stack">
          <section className="card">
            <WebhookFacts webhook={data.webhook} />
          </section>
          <Deliveries webhookId={webhookId} actedAtMs={actedAtMs} />
        </div>
      )}
    </Page>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { t, exact } = useWords();
  const { description, eventTypes, created, lastSuccess, nextProbe } = webhook;
  return (
    <Facts
      facts={[
        [t('description'), description],
        [
          t('events'),
          eventTypes.length === 0 ? (
            t('all')
          ) : (
            <span key="e" className="mono">
              {eventTypes.join(', ')}
            </span>
          ),
        ],
        [t('created'), exact(created)],
        [t('lastSuccess'), lastSuccess === undefined ? t('never') : <Time key="l" at={lastSuccess} />],
        [t('nextTry'), nextProbe === undefined ? undefined : <Time key="n" at={nextProbe} ahead />],
      ]}
    />
  );
}

type Open = 'edit' | 'rotate' | 'delete' | 'secret' | undefined;

interface WebhookActionsProps {
  readonly answer: WebhookAnswer;
  readonly onTest: () => void;
}

function WebhookActions({ answer, onTest }: WebhookActionsProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<unknown>();
  const { webhook } = answer;
  const isEnabled = webhook.state !== 'Disabled';
  const act = (what: WordKey, wanted: () => Promise<unknown>) => async () => {
    setError(undefined);
    try {
      await wanted();
      await reload();
      notify(t('isDone', { what: t(what) }));
    } catch (failure) {
      setError(failure);
    }
  };
  const setState = (state: ChangeWebhook['state'] & string) =>
    follow(answer, 'update-webhook', { payeeId, body: { state } });
  const sendTest = async () => {
    await follow(answer, 'test-webhook', { payeeId });
    onTest();
  };
  const rotate = async () => {
    setSecret((await follow(answer, 'rotate-secret', { payeeId, body: {} })).secret);
    setOpen('secret');
  };
  return (
    <>
      {offers(answer, 'test-webhook') && (
        <Button kind="primary" onPress={() => void act('sendTest', sendTest)()}>
          {t('sendTest')}
        </Button>
      )}
      <Button onPress={() => setOpen('edit')}>{t('edit')}</Button>
      <Button
        onPress={() => void act(isEnabled ? 'disable' : 'enable', () => setState(isEnabled ? 'Disabled' : 'Enabled'))()}
      >
        {isEnabled ? t('disable') : t('enable')}
      </Button>
      <Button onPress={() => void act('newSecret', rotate)()}>{t('newSecret')}</Button>
      <Button kind="danger" onPress={() => setOpen('delete')}>
        {t('delete')}
      </Button>
      <ProblemNote error={error} />
      {open === 'edit' && <WebhookForm answer={answer} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteWebhookText')}
          submit={t('delete')}
          act={() => setState('Deleted')}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'secret' && (
        <SecretDialog
          title={t('webhookSecret')}
          secrets={[[t('webhookSecret'), secret]]}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { listWebhooks } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { useWebhookRates, WebhookBadge } from './webhook-badge.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** Where events are posted to, and how that goes. */
export function WebhooksPage() {
  const { t, percent } = useWords();
  const { payeeId } = useSession();
  const { data, error } = useRead(listWebhooks, { payeeId });
  const { rateOf, isFailing } = useWebhookRates();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setIsCreating(true)}>
      {t('createWebhook')}
    </Button>
  );
  return (
    <Page title={t('webhooks')} text={t('webhooksText')} actions={create}>
      <Table
        label={t('webhooks')}
        rows={data?.webhooks.webhookList}
        error={error}
        rowKey={({ webhookId }) => webhookId}
        empty={<Empty title={t('noWebhooks')} text={t('noWebhooksText')} />}
        columns={[
          {
            title: t('address'),
            cell: ({ webhookId, url }) => (
              <Link to="/webhooks/$webhookId" params={{ webhookId }} className="row-link reference">
                {url}
              </Link>
            ),
          },
          {
            title: t('state'),
            cell: ({ state, webhookId }) => <WebhookBadge state={state} isFailing={isFailing(webhookId)} />,
          },
          {
            title: t('events'),
            cell: ({ eventTypes }) =>
              eventTypes.length === 0 ? t('all') : <span className="mono">{eventTypes.join(', ')}</span>,
          },
          {
            title: t('successRate'),
            align: 'end',
            cell: ({ webhookId }) => {
              const rate = rateOf(webhookId);
              return rate === undefined || rate.looked === 0 ? '–' : percent(rate.delivered / rate.looked);
            },
          },
          {
            title: t('lastSuccess'),
            align: 'end',
            cell: ({ lastSuccess }) => (lastSuccess === undefined ? t('never') : <Time at={lastSuccess} />),
          },
        ]}
      />
      {isCreating && <WebhookForm onClose={() => setIsCreating(false)} onSecret={setSecret} />}
      {secret !== undefined && (
        <SecretDialog
          title={t('webhookSecret')}
          secrets={[[t('webhookSecret'), secret]]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

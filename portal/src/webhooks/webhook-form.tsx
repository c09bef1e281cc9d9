import { useState } from 'react';
import { sensitive } from '../api/sensitive.ts';
import { useSession } from '../app/session.tsx';
import { useReload } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';
import type { Webhook } from './webhook.types.ts';

interface WebhookFormProps {
  /** Absent for a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  /** The secret of a new one, which is told once. */
  readonly onSecret?: (secret: string) => void;
}

export function WebhookForm({ webhook, onClose, onSecret }: WebhookFormProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [types, setTypes] = useState(webhook?.eventTypes.join(' ') ?? '');
  const submit = async () => {
    const body = {
      url,
      eventTypes: types.split(/[\s,]+/).filter((type) => type !== ''),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    };
    const answer = await sensitive<{ secret?: string }>({
      payeeId,
      method: webhook === undefined ? 'POST' : 'PATCH',
      href: webhook === undefined ? '/webhooks' : `/webhooks/${webhook.webhookId}`,
      body,
    });
    if (answer.secret !== undefined) onSecret?.(answer.secret);
    await reload();
    return undefined;
  };
  const title = webhook === undefined ? t('createWebhook') : t('edit');
  return (
    <FormDialog
      title={title}
      submit={t('save')}
      onSubmit={submit}
      onClose={onClose}
      {...(webhook === undefined && { done: null })}
    >
      <Field
        label={t('address')}
        type="url"
        value={url}
        onChange={setUrl}
        placeholder="https://"
        isRequired
        autoFocus
      />
      <Field
        label={`${t('events')} (${t('optional')})`}
        help={t('eventTypesHelp')}
        value={types}
        onChange={setTypes}
        placeholder="payment.* gift-card.blocked"
      />
      <Field
        label={`${t('description')} (${t('optional')})`}
        value={description}
        onChange={setDescription}
        maxLength={255}
      />
    </FormDialog>
  );
}

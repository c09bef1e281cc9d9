import { useState } from 'react';
import type { WebhookAnswer } from '../../../client/kontor.generated.ts';
import { call, follow } from '../api/call.ts';
import { createWebhook } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

interface WebhookFormProps {
  /** Absent for a new one. */
  readonly answer?: WebhookAnswer;
  readonly onClose: () => void;
  /** The secret of a new one, which is told once. */
  readonly onSecret?: (secret: string) => void;
}

export function WebhookForm({ answer, onClose, onSecret }: WebhookFormProps) {
  const webhook = answer?.webhook;
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
    if (answer === undefined) onSecret?.((await call(createWebhook, { payeeId, body })).secret);
    else await follow(answer, 'update-webhook', { payeeId, body });
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

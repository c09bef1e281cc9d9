import { useState } from 'react';
import { request } from '../api/public-api.ts';
import { useSession } from '../app/session.tsx';
import { useReload } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';
import type { Token } from './token.types.ts';

interface DialogProps {
  readonly href: string;
  readonly onClose: () => void;
}

/** Changes tokens by the public API, and reads the list again. */
function useChange(href: string): (body: object) => Promise<undefined> {
  const { payeeId } = useSession();
  const reload = useReload();
  return async (body) => {
    await request({ payeeId, method: 'PATCH', href, body });
    await reload();
    return undefined;
  };
}

export function RenameDialog({ token, href, onClose }: DialogProps & { readonly token: Token }) {
  const { t } = useWords();
  const change = useChange(href);
  const [displayName, setDisplayName] = useState(token.instrumentDisplayName);
  return (
    <FormDialog title={t('rename')} submit={t('save')} onSubmit={() => change({ displayName })} onClose={onClose}>
      <Field label={t('name')} value={displayName} onChange={setDisplayName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

export function ArchiveDialog({ tokens, href, onClose }: DialogProps & { readonly tokens: readonly Token[] }) {
  const { t } = useWords();
  const change = useChange(href);
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('archive')}
      submit={t('archive')}
      danger
      onSubmit={() => change({ reason, updatedBy: 'PAYEE' })}
      onClose={onClose}
    >
      <p>{t('archiveText', { count: tokens.length })}</p>
      <TokenNames tokens={tokens} />
      <Field label={t('reason')} value={reason} onChange={setReason} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

export function DeleteDialog({ tokens, href, onClose }: DialogProps & { readonly tokens: readonly Token[] }) {
  const { t } = useWords();
  const { session } = useSession();
  const change = useChange(href);
  const [comment, setComment] = useState('');
  const [typed, setTyped] = useState('');
  const expected = t('delete');
  const isReady = session.mode === 'sandbox' || typed === expected;
  return (
    <FormDialog
      title={t('delete')}
      submit={t('delete')}
      danger
      isReady={isReady}
      onSubmit={() => change({ state: 'Deleted', ...(comment === '' ? {} : { comment }) })}
      onClose={onClose}
    >
      <p>{t('deleteText', { count: tokens.length })}</p>
      <TokenNames tokens={tokens} />
      <Field
        label={`${t('reason')} (${t('optional')})`}
        value={comment}
        onChange={setComment}
        maxLength={100}
        autoFocus
      />
      {session.mode === 'production' && (
        <Field label={t('typeToConfirm', { text: expected })} value={typed} onChange={setTyped} isRequired />
      )}
    </FormDialog>
  );
}

/** What a change is about: beyond these there are only more of the same. */
const NAMED = 8;

function TokenNames({ tokens }: { readonly tokens: readonly Token[] }) {
  return (
    <ul>
      {tokens.slice(0, NAMED).map(({ id, instrumentDisplayName, tokenType }) => (
        <li key={id}>
          {instrumentDisplayName} <span className="soft">{tokenType}</span>
        </li>
      ))}
      {tokens.length > NAMED && <li className="soft">…</li>}
    </ul>
  );
}

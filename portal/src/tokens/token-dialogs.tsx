import { useState } from 'react';
import type { ArchiveToken, DeleteToken, TokenCollection } from '../../../client/kontor.generated.ts';
import { follow } from '../api/call.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { useWords } from '../words/words.tsx';

export type Token = TokenCollection['tokens']['tokenlist'][number];

interface RenameProps {
  readonly token: Token;
  readonly onClose: () => void;
}

interface DialogProps<Body> {
  /** What the change is about. */
  readonly tokens: readonly Token[];
  readonly change: (body: Body) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Makes a change, and reads the list again. */
function useThenReload(): (change: Promise<unknown>) => Promise<undefined> {
  const reload = useReload();
  return async (change) => {
    await change;
    await reload();
    return undefined;
  };
}

export function RenameDialog({ token, onClose }: RenameProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const thenReload = useThenReload();
  const [displayName, setDisplayName] = useState(token.instrumentDisplayName);
  return (
    <FormDialog
      title={t('rename')}
      submit={t('save')}
      onSubmit={() => thenReload(follow(token, 'update-displayname', { payeeId, body: { displayName } }))}
      onClose={onClose}
    >
      <Field label={t('name')} value={displayName} onChange={setDisplayName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

export function ArchiveDialog({ tokens, change, onClose }: DialogProps<ArchiveToken>) {
  const { t } = useWords();
  const thenReload = useThenReload();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('archive')}
      submit={t('archive')}
      danger
      onSubmit={() => thenReload(change({ reason, updatedBy: 'PAYEE' }))}
      onClose={onClose}
    >
      <p>{t('archiveText', { count: tokens.length })}</p>
      <TokenNames tokens={tokens} />
      <Field label={t('reason')} value={reason} onChange={setReason} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

export function DeleteDialog({ tokens, change, onClose }: DialogProps<DeleteToken>) {
  const { t } = useWords();
  const { session } = useSession();
  const thenReload = useThenReload();
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
      onSubmit={() => thenReload(change({ state: 'Deleted', ...(comment === '' ? {} : { comment }) }))}
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

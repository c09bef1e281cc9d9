import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { operationOf } from '../api/public-api.ts';
import { usePublic } from '../api/use-public.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { InstrumentName, Named } from '../parts/named.tsx';
import { Back, Page } from '../parts/page.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { deletionOf, type Token, type TokenCollection } from './token.types.ts';
import { ArchiveDialog, DeleteDialog, RenameDialog } from './token-dialogs.tsx';

type Open =
  | { readonly what: 'rename' | 'archive' | 'delete'; readonly token: Token }
  | { readonly what: 'archive-all' }
  | { readonly what: 'delete-all' }
  | undefined;

/** All tokens of one payer, and what can be done with them. */
export function PayerPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { payerReference } = useParams({ from: '/gate/tokens/$payerReference' });
  const [open, setOpen] = useState<Open>();
  const payer = encodeURIComponent(payerReference);
  const { data, error } = usePublic<TokenCollection>(`/online/payer/payees/${payeeId}/payers/${payer}/tokens`);
  const tokens = data?.tokens.tokenlist;
  const active = tokens?.filter(({ state }) => state === 'Active') ?? [];
  const deleteAll = operationOf(data?.operations, 'delete-payerownedtokens');
  const archiveAll = operationOf(data?.operations, 'archive-payer-tokens');
  return (
    <Page
      title={payerReference}
      back={
        <Link to="/tokens" className="back">
          <Back>{t('payerTokens')}</Back>
        </Link>
      }
      actions={
        <>
          {archiveAll !== undefined && active.length > 0 && (
            <Button onPress={() => setOpen({ what: 'archive-all' })}>{t('archiveAll')}</Button>
          )}
          {deleteAll !== undefined && tokens !== undefined && tokens.length > 0 && (
            <Button kind="danger" onPress={() => setOpen({ what: 'delete-all' })}>
              {t('deleteAll')}
            </Button>
          )}
        </>
      }
    >
      <TokenTable tokens={tokens} error={error} onOpen={setOpen} />
      <PayerDialogs
        open={open}
        active={active}
        all={tokens ?? []}
        collection={data}
        onClose={() => setOpen(undefined)}
      />
    </Page>
  );
}

function PayerDialogs(props: {
  readonly open: Open;
  readonly active: readonly Token[];
  readonly all: readonly Token[];
  readonly collection: TokenCollection | undefined;
  readonly onClose: () => void;
}) {
  const { open, active, all, collection, onClose } = props;
  if (open === undefined) return null;
  if (open.what === 'archive-all') {
    const operation = operationOf(collection?.operations, 'archive-payer-tokens');
    return operation && <ArchiveDialog tokens={active} href={operation.href} onClose={onClose} />;
  }
  if (open.what === 'delete-all') {
    const operation = operationOf(collection?.operations, 'delete-payerownedtokens');
    return operation && <DeleteDialog tokens={all} href={operation.href} onClose={onClose} />;
  }
  const { token } = open;
  if (open.what === 'delete') {
    const operation = deletionOf(token);
    return operation && <DeleteDialog tokens={[token]} href={operation.href} onClose={onClose} />;
  }
  const rel = open.what === 'rename' ? 'update-displayname' : 'archive-token';
  const operation = operationOf(token.operations, rel);
  if (operation === undefined) return null;
  return open.what === 'rename' ? (
    <RenameDialog token={token} href={operation.href} onClose={onClose} />
  ) : (
    <ArchiveDialog tokens={[token]} href={operation.href} onClose={onClose} />
  );
}

function TokenTable(props: {
  readonly tokens: readonly Token[] | undefined;
  readonly error: unknown;
  readonly onOpen: (open: Open) => void;
}) {
  const { t } = useWords();
  const { tokens, error, onOpen } = props;
  return (
    <Table
      label={t('payerTokens')}
      rows={tokens}
      error={error}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noTokens')} />}
      columns={[
        { title: t('name'), cell: ({ instrumentDisplayName }) => <strong>{instrumentDisplayName}</strong> },
        { title: t('kind'), cell: ({ tokenType }) => <Named group="tokenType" raw={tokenType} /> },
        { title: t('instrument'), cell: (token) => <Instrument token={token} /> },
        {
          title: t('state'),
          cell: ({ state, archivedBy, archiveReason }) =>
            state === 'Active' ? (
              <Badge tone="good">{t('Active')}</Badge>
            ) : (
              <>
                <Badge>{t('Archived')}</Badge>{' '}
                <span className="soft">
                  {archivedBy !== undefined && <Named group="archiver" raw={archivedBy} />}
                  {archiveReason !== undefined && `: ${archiveReason}`}
                </span>
              </>
            ),
        },
        {
          title: t('actions'),
          align: 'end',
          cell: (token) => (
            <RowMenu
              label={t('actionsFor', { name: token.instrumentDisplayName })}
              items={[
                { title: t('rename'), onAction: () => onOpen({ what: 'rename', token }) },
                ...(token.state === 'Active'
                  ? [{ title: t('archive'), onAction: () => onOpen({ what: 'archive', token }) }]
                  : []),
                ...(deletionOf(token) === undefined
                  ? []
                  : [{ title: t('delete'), onAction: () => onOpen({ what: 'delete', token }) }]),
              ]}
            />
          ),
        },
      ]}
    />
  );
}

/** A card by its brand, last digits and expiry; everything else by the name of its kind. */
function Instrument({ token }: { readonly token: Token }) {
  const { instrument, instrumentParameters: parameters } = token;
  if (instrument !== 'CreditCard') return <InstrumentName raw={instrument} />;
  return (
    <span className="number">
      {parameters['cardBrand']} •••• {parameters['lastFourPan']} · {parameters['expiryDate']}
    </span>
  );
}

import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ArchiveToken, DeleteToken, TokenCollection } from '../../../client/kontor.generated.ts';
import { follow, offers } from '../api/call.ts';
import { listTokens } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { InstrumentName, Named } from '../parts/named.tsx';
import { Back, Page } from '../parts/page.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { ArchiveDialog, DeleteDialog, RenameDialog, type Token } from './token-dialogs.tsx';

type Open =
  | { readonly what: 'rename' | 'archive'; readonly token: Token }
  | { readonly what: 'delete'; readonly token: Token; readonly rel: NonNullable<ReturnType<typeof deletionOf>> }
  | { readonly what: 'archive-all' | 'delete-all' };

/** All tokens of one payer, and what can be done with them. */
export function PayerPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { payerReference } = useParams({ from: '/gate/tokens/$payerReference' });
  const [open, setOpen] = useState<Open>();
  const { data, error } = useRead(listTokens, { payeeId, payerReference });
  const tokens = data?.tokens.tokenlist;
  const active = tokens?.filter(({ state }) => state === 'Active') ?? [];
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
          {offers(data, 'archive-payer-tokens') && active.length > 0 && (
            <Button onPress={() => setOpen({ what: 'archive-all' })}>{t('archiveAll')}</Button>
          )}
          {offers(data, 'delete-payerownedtokens') && tokens?.length !== 0 && (
            <Button kind="danger" onPress={() => setOpen({ what: 'delete-all' })}>
              {t('deleteAll')}
            </Button>
          )}
        </>
      }
    >
      <TokenTable tokens={tokens} error={error} onOpen={setOpen} />
      {open !== undefined && data !== undefined && (
        <PayerDialogs open={open} active={active} collection={data} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  );
}

/** The deletion of one token. One of another type goes with all of its payer alone. */
const deletionOf = (token: Token) =>
  (['delete-paymenttokens', 'delete-recurrencetokens', 'delete-unscheduledtokens'] as const).find((rel) =>
    offers(token, rel),
  );

function PayerDialogs(props: {
  readonly open: Open;
  readonly active: readonly Token[];
  readonly collection: TokenCollection;
  readonly onClose: () => void;
}) {
  const { open, active, collection, onClose } = props;
  const { payeeId } = useSession();
  switch (open.what) {
    case 'archive-all': {
      const archive = (body: ArchiveToken) => follow(collection, 'archive-payer-tokens', { payeeId, body });
      return <ArchiveDialog tokens={active} change={archive} onClose={onClose} />;
    }
    case 'delete-all': {
      const remove = (body: DeleteToken) => follow(collection, 'delete-payerownedtokens', { payeeId, body });
      return <DeleteDialog tokens={collection.tokens.tokenlist} change={remove} onClose={onClose} />;
    }
    case 'rename':
      return <RenameDialog token={open.token} onClose={onClose} />;
    case 'archive': {
      const archive = (body: ArchiveToken) => follow(open.token, 'archive-token', { payeeId, body });
      return <ArchiveDialog tokens={[open.token]} change={archive} onClose={onClose} />;
    }
    case 'delete': {
      const { token, rel } = open;
      const remove = (body: DeleteToken) => follow(token, rel, { payeeId, body });
      return <DeleteDialog tokens={[token]} change={remove} onClose={onClose} />;
    }
  }
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
          cell: (token) => {
            const rel = deletionOf(token);
            return (
              <RowMenu
                label={t('actionsFor', { name: token.instrumentDisplayName })}
                items={[
                  { title: t('rename'), onAction: () => onOpen({ what: 'rename', token }) },
                  ...(token.state === 'Active'
                    ? [{ title: t('archive'), onAction: () => onOpen({ what: 'archive', token }) }]
                    : []),
                  ...(rel === undefined
                    ? []
                    : [{ title: t('delete'), onAction: () => onOpen({ what: 'delete', token, rel }) }]),
                ]}
              />
            );
          },
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

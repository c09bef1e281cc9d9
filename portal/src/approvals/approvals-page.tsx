import { useState } from 'react';
import type { PendingChange } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import type { AnswerOf, OperationId } from '../api/endpoints.types.ts';
import { useList } from '../api/lists.ts';
import {
  approvePendingChange,
  collectPendingChange,
  listPendingChanges,
  refusePendingChange,
} from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { Afterwards, Asked, ChangeFacts, ObjectLink } from './change-facts.tsx';

type CollectedCard = AnswerOf<typeof collectPendingChange>;
type Act = 'approve' | 'refuse' | 'collect';
type Open = { readonly act: Act; readonly row: PendingChange } | undefined;

/** What a user asked for and another person must agree to. */
export function ApprovalsPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const list = useList(listPendingChanges, { payeeId });
  const [open, setOpen] = useState<Open>();
  const [card, setCard] = useState<CollectedCard>();
  return (
    <Page title={t('approvals')} text={t('approvalsText')}>
      <Table
        label={t('approvals')}
        rows={list.rows}
        error={list.error}
        rowKey={({ changeId }) => changeId}
        empty={<Empty title={t('noApprovals')} text={t('noApprovalsText')} />}
        columns={useColumns((act, row) => setOpen({ act, row }))}
      />
      <ListFoot list={list} />
      {open !== undefined && (
        <Decide act={open.act} row={open.row} onCard={setCard} onClose={() => setOpen(undefined)} />
      )}
      {card !== undefined && (
        <SecretDialog
          title={t('issuedCards', { count: 1 })}
          secrets={[
            [`${t('cardNumber')}; cvc; ${t('expires')}`, `${card.accountKey}; ${card.cvc}; ${card.expiryDate}`],
          ]}
          onClose={() => setCard(undefined)}
        />
      )}
    </Page>
  );
}

const WORDS = {
  approve: { title: 'approve', text: 'approveText' },
  refuse: { title: 'refuse', text: 'refuseText' },
  collect: { title: 'showCard', text: 'showCardText' },
} as const;

interface DecideProps {
  readonly act: Act;
  readonly row: PendingChange;
  readonly onCard: (card: CollectedCard) => void;
  readonly onClose: () => void;
}

function Decide({ act, row, onCard, onClose }: DecideProps) {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const { title, text } = WORDS[act];
  const values = { amount: money(row.amount, row.currency), name: row.askedByName ?? row.askedBy };
  return (
    <Confirm
      title={t(title)}
      text={t(text, values)}
      submit={t(title)}
      act={async () => {
        const one = { payeeId, changeId: row.changeId };
        if (act === 'collect') onCard(await call(collectPendingChange, one));
        else await call(act === 'approve' ? approvePendingChange : refusePendingChange, one);
      }}
      onClose={onClose}
    >
      {act !== 'collect' && <ChangeFacts change={row} />}
    </Confirm>
  );
}

const TONES = {
  Pending: 'warn',
  Approved: 'warn',
  Done: 'good',
  Refused: 'neutral',
  Expired: 'neutral',
  Impossible: 'bad',
} as const;
const CARD_MAKERS: readonly string[] = ['getNewGiftCard', 'replaceGiftCard'];

function useColumns(onOpen: (act: Act, row: PendingChange) => void): readonly Column<PendingChange>[] {
  const { t, money } = useWords();
  return [
    { title: t('step'), cell: ({ operationId, way }) => <Asked operationId={operationId} way={way} /> },
    { title: t('about'), cell: (change) => <About change={change} /> },
    {
      title: t('amount'),
      align: 'end',
      cell: (change) => (
        <>
          <span className="number">{money(change.amount, change.currency)}</span>
          <Afterwards change={change} />
        </>
      ),
    },
    {
      title: t('askedBy'),
      cell: ({ askedByName, askedBy, reason }) => (
        <>
          {askedByName ?? askedBy}
          {reason !== null && <div className="soft">{reason}</div>}
        </>
      ),
    },
    { title: t('askedAt'), cell: ({ askedAt }) => <Time at={askedAt} /> },
    {
      title: t('state'),
      cell: ({ state, decidedByName }) => (
        <>
          <Badge tone={TONES[state]}>
            <Named group="approval" raw={state} />
          </Badge>{' '}
          {decidedByName !== null && <span className="soft">{decidedByName}</span>}
        </>
      ),
    },
    { title: t('actions'), align: 'end', cell: (row) => <Actions row={row} onOpen={(act) => onOpen(act, row)} /> },
  ];
}

/** What a change is about, whose it is, and what waits for the same beside it. */
function About({ change }: { readonly change: PendingChange }) {
  const { t, money } = useWords();
  const { object, into, state, waitingBeside, currency } = change;
  if (object === null) return null;
  return (
    <>
      <ObjectLink object={object} />
      {into !== null && (
        <>
          {' → '}
          <ObjectLink object={into} />
        </>
      )}
      <div className="soft parted">
        {object.payerReference !== null && <span>{object.payerReference}</span>}
        {object.reference !== null && <span className="reference">{object.reference}</span>}
      </div>
      {state === 'Pending' && waitingBeside > 0 && (
        <strong>{t('waitsBeside', { amount: money(waitingBeside, currency) })}</strong>
      )}
    </>
  );
}

function Actions({ row, onOpen }: { readonly row: PendingChange; readonly onOpen: (act: Act) => void }) {
  const { t } = useWords();
  const { can, session } = useSession();
  const { state, askedBy, operationId } = row;
  const isOwn = askedBy === `portal-user:${session.userId}`;
  if (isOwn && state === 'Done' && CARD_MAKERS.includes(operationId)) {
    return (
      <Button small onPress={() => onOpen('collect')}>
        {t('showCard')}
      </Button>
    );
  }
  if (!can(operationId as OperationId) || (state !== 'Pending' && state !== 'Approved')) return null;
  return (
    <>
      {!isOwn && (
        <Button small kind="primary" onPress={() => onOpen('approve')}>
          {t('approve')}
        </Button>
      )}{' '}
      {state === 'Pending' && (
        <Button small onPress={() => onOpen('refuse')}>
          {t('refuse')}
        </Button>
      )}
    </>
  );
}

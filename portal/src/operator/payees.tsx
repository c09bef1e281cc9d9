import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Payee } from '../../../client/portal.generated.ts';
import { call } from '../api/call.ts';
import { changePayeeState, createPayee } from '../api/operations.generated.ts';
import { usePayees, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

/** The payees of the installation; one is chosen to see its screens. */
export function Payees() {
  const { t } = useWords();
  const { can, choosePayee } = useSession();
  const { data, error } = usePayees();
  const [isCreating, setIsCreating] = useState(false);
  const [changed, setChanged] = useState<Payee>();
  return (
    <>
      {can('createPayee') && (
        <div className="actions">
          <Button kind="primary" icon={<Plus size={16} aria-hidden />} onPress={() => setIsCreating(true)}>
            {t('createPayee')}
          </Button>
        </div>
      )}
      <Table
        label={t('payees')}
        rows={data?.payees}
        error={error}
        rowKey={({ payeeId }) => payeeId}
        empty={<Empty title={t('noPayees')} />}
        columns={[
          { title: t('name'), cell: ({ name }) => <strong>{name}</strong> },
          { title: t('state'), cell: (payee) => <PayeeBadge payee={payee} /> },
          { title: t('id'), cell: ({ payeeId }) => <Copyable text={payeeId} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: (payee) => (
              <span className="actions">
                {can('changePayeeState') && payee.state !== 'Closed' && (
                  <Button
                    small
                    kind="quiet"
                    onPress={() => setChanged(payee)}
                    aria-label={`${t('changeState')} ${payee.name}`}
                  >
                    {t('changeState')}
                  </Button>
                )}
                <Button small onPress={() => choosePayee(payee.payeeId)} aria-label={`${t('choose')} ${payee.name}`}>
                  {t('choose')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {isCreating && <CreatePayee onClose={() => setIsCreating(false)} />}
      {changed !== undefined && <ChangeState payee={changed} onClose={() => setChanged(undefined)} />}
    </>
  );
}

function CreatePayee({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const reload = useReload();
  const [name, setName] = useState('');
  const submit = async () => {
    await call(createPayee, { body: { name } });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('createPayee')} submit={t('create')} onSubmit={submit} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

type State = Payee['state'];

const STATES: Readonly<Record<State, ShownState>> = {
  Active: ['payeeActive', 'good'],
  FollowUpsOnly: ['payeeFollowUpsOnly', 'warn'],
  Suspended: ['payeeSuspended', 'bad'],
  Closed: ['payeeClosed', 'neutral'],
};

const MEANINGS: Readonly<Record<State, WordKey>> = {
  Active: 'payeeActiveText',
  FollowUpsOnly: 'payeeFollowUpsOnlyText',
  Suspended: 'payeeSuspendedText',
  Closed: 'payeeClosedText',
};

function PayeeBadge({ payee: { state, stateReason } }: { readonly payee: Payee }) {
  return (
    <span className="stack-tight">
      <StateBadge shown={STATES[state]} />
      {state !== 'Active' && stateReason !== null && <span className="reference">{stateReason}</span>}
    </span>
  );
}

interface ChangeStateProps {
  readonly payee: Payee;
  readonly onClose: () => void;
}

/** Stops a payee, or lets it go on. The service says where another person must do it. */
function ChangeState({ payee, onClose }: ChangeStateProps) {
  const { t } = useWords();
  const reload = useReload();
  const others = (Object.keys(STATES) as State[]).filter((state) => state !== payee.state);
  const [state, setState] = useState<State>(payee.state === 'Active' ? 'Suspended' : 'Active');
  const [reason, setReason] = useState('');
  const submit = async () => {
    await call(changePayeeState, { payeeId: payee.payeeId, body: { state, reason } });
    await reload();
    return undefined;
  };
  return (
    <FormDialog
      title={`${t('changeState')}: ${payee.name}`}
      submit={t('changeState')}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('state')}
        choices={others.map((id) => ({ id, label: t(STATES[id][0]) }))}
        value={state}
        onChange={setState}
        help={t(MEANINGS[state])}
      />
      <Field label={t('reason')} value={reason} onChange={setReason} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

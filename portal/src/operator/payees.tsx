import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { createPayee } from '../api/operations.generated.ts';
import { usePayees, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

/** The payees of the installation; one is chosen to see its screens. */
export function Payees() {
  const { t } = useWords();
  const { can, choosePayee } = useSession();
  const { data, error } = usePayees();
  const [isCreating, setIsCreating] = useState(false);
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
          { title: t('id'), cell: ({ payeeId }) => <Copyable text={payeeId} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: ({ payeeId, name }) => (
              <Button small onPress={() => choosePayee(payeeId)} aria-label={`${t('choose')} ${name}`}>
                {t('choose')}
              </Button>
            ),
          },
        ]}
      />
      {isCreating && <CreatePayee onClose={() => setIsCreating(false)} />}
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

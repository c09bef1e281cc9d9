import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../api/lists.ts';
import { change, get } from '../api/portal-api.ts';
import type { CardRange, Key, Payee } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { useReload } from '../parts/confirm.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWords } from '../words/words.tsx';

/** What operators look after, across all payees. */
export function OperatorPage() {
  const { t } = useWords();
  const { can } = useSession();
  const tabs = [
    { id: 'payees', title: t('payees'), content: <Payees />, needs: 'listPayees' },
    { id: 'ranges', title: t('cardRanges'), content: <CardRanges />, needs: 'listCardRanges' },
    { id: 'keys', title: t('keys'), content: <Keys />, needs: 'listKeys' },
  ];
  return (
    <Page title={t('operators')} text={t('operatorsText')}>
      <Tabs label={t('operators')} tabs={tabs.filter(({ needs }) => can(needs))} />
    </Page>
  );
}

function Payees() {
  const { t } = useWords();
  const { can, choosePayee } = useSession();
  const { data, error } = useQuery({
    queryKey: ['/payees'],
    queryFn: () => get<{ payees: readonly Payee[] }>('/payees'),
  });
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
    await change('POST', '/payees', { name });
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('createPayee')} submit={t('create')} onSubmit={submit} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  );
}

function CardRanges() {
  const { t } = useWords();
  const [prefix, setPrefix] = useState('');
  const list = useList<CardRange>('/card-ranges', 'cardRanges', { prefix: /^\d+$/.test(prefix) ? prefix : undefined });
  return (
    <div>
      <div className="filters">
        <Field label={t('firstDigits')} value={prefix} onChange={setPrefix} inputMode="numeric" maxLength={8} />
      </div>
      <Table
        label={t('cardRanges')}
        rows={list.rows}
        error={list.error}
        rowKey={(range) => `${range.prefix} ${range.source}`}
        empty={<Empty title={t('noMatch')} />}
        foot={<ListFoot list={list} />}
        columns={[
          { title: t('firstDigits'), cell: (range) => <span className="mono">{range.prefix}</span> },
          { title: t('brand'), cell: ({ brand }) => brand },
          { title: t('issuer'), cell: ({ issuerName }) => issuerName },
          { title: t('source'), cell: ({ source }) => source },
          { title: t('country'), cell: ({ countryCode }) => countryCode },
        ]}
      />
    </div>
  );
}

function Keys() {
  const { t, number } = useWords();
  const { data, error } = useQuery({ queryKey: ['/keys'], queryFn: () => get<{ keys: readonly Key[] }>('/keys') });
  return (
    <Table
      label={t('keys')}
      rows={data?.keys}
      error={error}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noMatch')} />}
      columns={[
        { title: t('id'), cell: ({ id }) => <span className="mono">{id}</span> },
        { title: t('purpose'), cell: ({ purpose }) => purpose },
        { title: t('state'), cell: ({ state }) => <Badge>{state}</Badge> },
        { title: t('held'), cell: ({ isHeld }) => t(isHeld ? 'yes' : 'no') },
        { title: t('rows'), align: 'end', cell: ({ rowsLeft }) => rowsLeft !== null && number(rowsLeft) },
      ]}
    />
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listImportedBatches } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Actor } from '../parts/actor.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { ImportFile } from './import-file.tsx';

/** Batches that were imported, by whom and of which files, the newest first. */
export function ImportList() {
  const { t, money, number } = useWords();
  const { payeeId, can } = useSession();
  const { data, error } = useRead(listImportedBatches, { payeeId });
  const [isImporting, setIsImporting] = useState(false);
  const acquirers = data?.acquirers ?? [];
  return (
    <div>
      {can('importSettlementFile') && acquirers.length > 0 && (
        <div className="filters">
          <Button onPress={() => setIsImporting(true)}>{t('importFile')}</Button>
        </div>
      )}
      <Table
        label={t('imports')}
        rows={data?.imports}
        error={error}
        rowKey={({ batch, digest, importedAt }) => `${batch} ${digest} ${importedAt}`}
        empty={<Empty title={t('noImports')} text={t(acquirers.length > 0 ? 'noImportsText' : 'noAcquirersText')} />}
        foot={data?.hasMore && <div className="table-foot">{t('newestShown')}</div>}
        columns={[
          {
            title: t('batch'),
            cell: ({ batch }) => (
              <Link to="/settlements" search={{ tab: 'payouts' }} className="row-link reference">
                {batch}
              </Link>
            ),
          },
          { title: t('file'), cell: ({ file }) => <span className="reference">{file}</span> },
          { title: 'SHA-256', cell: ({ digest }) => <Copyable text={digest} shown={`${digest.slice(0, 12)}…`} /> },
          { title: t('who'), cell: ({ actor, actorName }) => <Actor actor={actor} name={actorName} /> },
          { title: t('lineCount'), align: 'end', cell: ({ lines }) => number(lines) },
          { title: t('paidAmount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
          { title: t('time'), align: 'end', cell: ({ importedAt }) => <Time at={importedAt} /> },
        ]}
      />
      {isImporting && <ImportFile acquirers={acquirers} onClose={() => setIsImporting(false)} />}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callWithFile } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { importSettlementFile, previewSettlementFile } from '../api/operations.generated.ts';
import { useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { FileField } from '../parts/file-field.tsx';
import { useNotice } from '../parts/notice.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { DIFFERENCES } from './badges.tsx';
import { FileFault, RefusedFile } from './file-fault.tsx';

type Preview = AnswerOf<typeof previewSettlementFile>;
type PreviewedBatch = Preview['batches'][number];

const STATES: Readonly<Record<PreviewedBatch['state'], ShownState>> = {
  New: ['batchNew', 'good'],
  Known: ['batchKnown', 'neutral'],
  Refused: ['batchRefused', 'bad'],
};

type Outcome = Preview['outcomes'][number];

const OUTCOMES: Readonly<Record<Outcome['outcome'], WordKey>> = {
  ...DIFFERENCES,
  matched: 'linesMatched',
  disputed: 'disputes',
  others: 'linesOfNoSale',
};

interface ImportFileProps {
  readonly acquirers: readonly string[];
  readonly onClose: () => void;
}

/** Imports a settlement file, after a look at what it would do. */
export function ImportFile({ acquirers, onClose }: ImportFileProps) {
  const { t, number } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const notify = useNotice();
  const [acquirer, setAcquirer] = useState(acquirers[0] ?? '');
  const [chosen, setChosen] = useState<{ readonly file: File; readonly at: number }>();
  const look = useQuery({
    // An object, so that the reload after the import does not send the file once more: see `useReload`.
    queryKey: [previewSettlementFile, payeeId, { acquirer, at: chosen?.at }],
    queryFn: () => {
      const { file } = chosen as NonNullable<typeof chosen>;
      return callWithFile(previewSettlementFile, { payeeId, query: { acquirer, name: file.name } }, file);
    },
    enabled: chosen !== undefined && chosen.file.size > 0,
    retry: false,
    gcTime: 0,
  });
  const preview = chosen === undefined ? undefined : look.data;
  const isEmpty = chosen !== undefined && chosen.file.size === 0;
  const submit = async () => {
    if (chosen === undefined || preview === undefined || preview.digest === null) return 'stay';
    const query = { acquirer, name: chosen.file.name, digest: preview.digest };
    const { lines, batches, matched, differences } = await callWithFile(
      importSettlementFile,
      { payeeId, query },
      chosen.file,
    );
    if (batches === 0) {
      // Others have imported it, or a batch of that name, since it was looked at: the look says so now.
      await look.refetch();
      return 'stay';
    }
    notify(
      t('fileTaken', {
        lines: number(lines),
        batches: number(batches),
        matched: number(matched),
        differences: number(differences),
      }),
    );
    await reload();
    return undefined;
  };
  const takes = preview !== undefined && !preview.isKnown && preview.batches.some(({ state }) => state === 'New');
  return (
    <FormDialog
      title={t('importFile')}
      submit={t('takeFile')}
      wide
      isReady={takes}
      onSubmit={submit}
      done={null}
      onClose={onClose}
    >
      {acquirers.length > 1 && (
        <SelectField
          label={t('acquirer')}
          choices={acquirers.map((id) => ({ id, label: id }))}
          value={acquirer}
          onChange={setAcquirer}
        />
      )}
      <FileField
        label={t('file')}
        accept=".csv,.txt,text/csv"
        help={t('importFileText')}
        onChange={(file) => setChosen(file && { file, at: Date.now() })}
      />
      {chosen !== undefined && look.isFetching && <SkeletonLines />}
      {chosen !== undefined && !look.isFetching && <ProblemNote error={look.error} />}
      {isEmpty && <RefusedFile fault={{ code: 'emptyFile', line: null, column: null, value: null }} />}
      {preview !== undefined && !look.isFetching && <Previewed preview={preview} />}
    </FormDialog>
  );
}

/** What would be taken, and what refused, line by line. */
function Previewed({ preview }: { readonly preview: Preview }) {
  const { t, money, number } = useWords();
  const { batches, unread, digest, reason } = preview;
  const some = (minor: number, { currency }: PreviewedBatch) => (currency === null ? '–' : money(minor, currency));
  if (reason !== null || digest === null) return reason && <RefusedFile fault={reason} />;
  return (
    <>
      <p>
        {t('lineCount')}: <strong className="number">{number(preview.lines)}</strong> · SHA-256{' '}
        <Copyable text={digest} />
      </p>
      {preview.isKnown && <p role="status">{t('fileKnown')}</p>}
      <Table
        label={t('batches')}
        rows={batches}
        rowKey={({ batch, merchantId }) => `${batch} ${merchantId}`}
        empty={<p>{t('fileHasNoBatches')}</p>}
        isWide
        columns={[
          {
            title: t('batch'),
            cell: ({ batch, merchantId, reason }) => (
              <span className="stack-tight">
                <span className="reference">{batch}</span>
                {merchantId !== '' && (
                  <span className="soft">
                    {t('merchantNumber')} <span className="reference">{merchantId}</span>
                  </span>
                )}
                {reason !== null && (
                  <span className="soft">
                    <FileFault fault={reason} />
                  </span>
                )}
              </span>
            ),
          },
          { title: t('state'), cell: ({ state }) => <StateBadge shown={STATES[state]} /> },
          { title: t('lineCount'), align: 'end', cell: ({ lines }) => number(lines) },
          { title: t('beforeFees'), align: 'end', cell: (one) => some(one.gross, one) },
          { title: t('fees'), align: 'end', cell: (one) => some(one.fee, one) },
          { title: t('paidAmount'), align: 'end', cell: (one) => some(one.payout, one) },
        ]}
      />
      {preview.outcomes.length > 0 && <Outcomes outcomes={preview.outcomes} />}
      {unread.length > 0 && (
        <>
          <h3>{t('unreadLines')}</h3>
          <Table
            label={t('unreadLines')}
            rows={unread}
            rowKey={({ line }) => String(line)}
            empty={null}
            foot={preview.hasMoreUnread && <div className="table-foot">{t('moreUnread')}</div>}
            columns={[
              { title: t('fileLine'), align: 'end', cell: ({ line }) => number(line) },
              { title: t('batch'), cell: ({ batch }) => <span className="reference">{batch}</span> },
              { title: t('reason'), cell: ({ reason }) => <FileFault fault={reason} isOfLine /> },
            ]}
          />
        </>
      )}
    </>
  );
}

/** What would become of the lines of the batches that are new. */
function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const { t, money, number } = useWords();
  return (
    <>
      <h3>{t('linesOutcome')}</h3>
      <Table
        label={t('linesOutcome')}
        rows={outcomes}
        rowKey={({ outcome, currency, ourCurrency }) => `${outcome} ${currency} ${ourCurrency}`}
        empty={null}
        columns={[
          { title: t('kind'), cell: ({ outcome }) => t(OUTCOMES[outcome]) },
          { title: t('lineCount'), align: 'end', cell: ({ lines }) => number(lines) },
          { title: t('acquirerCounts'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
          {
            title: t('ourBooks'),
            align: 'end',
            cell: ({ outcome, amount, currency, ours, ourCurrency }) => {
              if (outcome === 'matched') return money(amount, currency);
              return ours === null || ourCurrency === null ? '–' : money(ours, ourCurrency);
            },
          },
        ]}
      />
    </>
  );
}

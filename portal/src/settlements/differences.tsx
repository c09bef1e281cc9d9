import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SettlementDifference } from '../../../client/kontor.generated.ts';
import { call } from '../api/call.ts';
import { exportDifferences, listDifferences, resolveDifference } from '../api/operations.generated.ts';
import { awaitsApproval } from '../api/problem.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/button.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon } from '../parts/days.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { Field, SelectField } from '../parts/fields.tsx';
import { Facts } from '../parts/page.tsx';
import { isNarrowedBy, NoRows } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { DifferenceBadge, DifferenceName } from './badges.tsx';
import { useDays } from './use-days.ts';

/** Characters of a reason, as the service takes them. */
const REASON_CHARACTERS = 255;

/** A difference with the money that it is in, and its day where it has one. */
export interface ShownDifference extends Omit<SettlementDifference, 'openedAt' | 'closedAt'> {
  readonly currency: string;
  readonly day?: string | undefined;
}

/** What our books and acquirers do not agree on yet, of all days and of none. What was ended is on its day, and in the table. */
export function DifferenceList() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const [days, setDays] = useDays();
  const period = { from: days.from, to: days.to };
  const { data, error } = useRead(listDifferences, { payeeId, query: { ...period, state: 'Open' } });
  const rows = data?.differences.map(
    ({
      day,
      ours,
      theirs,
      theirCurrency,
      paymentId,
      batch,
      lineId,
      merchantId,
      reason,
      openedAt: _,
      closedAt: __,
      ...one
    }): ShownDifference => ({
      ...one,
      ...(day !== null && { day }),
      ...(ours !== null && { ours }),
      ...(theirs !== null && { acquirers: theirs }),
      ...(theirCurrency !== null && { acquirersCurrency: theirCurrency }),
      ...(paymentId !== null && { paymentId }),
      ...(batch !== null && lineId !== null && { batch, line: lineId }),
      ...(merchantId !== null && { merchantId }),
      ...(reason !== null && { reason }),
    }),
  );
  return (
    <div>
      <div className="filters">
        <DayFields days={days} onChange={setDays} />
        <DownloadLink endpoint={exportDifferences} input={{ payeeId, query: period }} />
      </div>
      <Differences
        rows={rows}
        error={error}
        empty={
          <NoRows isNarrowed={isNarrowedBy(period)} title={t('noOpenDifferences')} text={t('noOpenDifferencesText')} />
        }
        foot={data?.hasMore && <div className="table-foot">{t('oldestShown')}</div>}
      />
    </div>
  );
}

interface DifferencesProps {
  readonly rows: readonly ShownDifference[] | undefined;
  readonly error?: unknown;
  readonly empty: React.ReactNode;
  readonly foot?: React.ReactNode;
}

/** Differences as a table: what each is, why it may be there, and a way to end it. */
export function Differences({ rows, error, empty, foot }: DifferencesProps) {
  const { t, money, day } = useWords();
  const { can } = useSession();
  const [resolving, setResolving] = useState<ShownDifference>();
  const amount = (minor: number | undefined, currency: string) => (minor === undefined ? '–' : money(minor, currency));
  const hasDays = rows?.some((one) => one.day !== undefined) ?? false;
  return (
    <>
      <Table
        label={t('differences')}
        rows={rows}
        error={error}
        rowKey={({ differenceId }) => differenceId}
        empty={empty}
        foot={foot}
        columns={[
          { title: t('kind'), cell: (one) => <What one={one} /> },
          { title: t('state'), cell: ({ state }) => <DifferenceBadge state={state} /> },
          ...(hasDays
            ? [
                {
                  title: t('day'),
                  cell: (one: ShownDifference) => (one.day === undefined ? '–' : day(atNoon(one.day))),
                },
              ]
            : []),
          { title: t('ourBooks'), align: 'end', cell: ({ ours, currency }) => amount(ours, currency) },
          {
            title: t('acquirerCounts'),
            align: 'end',
            cell: ({ acquirers, acquirersCurrency, currency }) => amount(acquirers, acquirersCurrency ?? currency),
          },
          { title: t('payment'), cell: (one) => hasPlace(one) && <Place one={one} /> },
          {
            title: t('actions'),
            align: 'end',
            cell: (one) =>
              one.state === 'Open' &&
              can('resolveDifference') && (
                <Button small onPress={() => setResolving(one)}>
                  {t('resolve')}
                </Button>
              ),
          },
        ]}
      />
      {resolving !== undefined && <Resolve one={resolving} onClose={() => setResolving(undefined)} />}
    </>
  );
}

const WHY: Readonly<Record<SettlementDifference['kind'], WordKey>> = {
  unknownToUs: 'whyUnknown',
  takenThoughRefused: 'whyTakenThoughRefused',
  amountDiffers: 'whyAmount',
  currencyDiffers: 'whyCurrency',
  merchantDiffers: 'whyMerchant',
  twice: 'whyTwice',
  missingAtAcquirer: 'whyMissing',
  totalsDiffer: 'whyTotals',
  abandoned: 'whyAbandoned',
  feeAboveZero: 'whyFee',
};

/** How the service says which line has cured a difference. */
const CURED_BY = /^line (.+) of batch (.+)$/;

/** Its name, and why it may be there while it is open; then why it was ended. */
function What({ one: { kind, state, reason } }: { readonly one: ShownDifference }) {
  const { t } = useWords();
  const cure = state === 'Cured' ? CURED_BY.exec(reason ?? '') : null;
  return (
    <span className="stack-tight">
      <strong>
        <DifferenceName kind={kind} />
      </strong>
      {state === 'Open' && <span className="soft">{t(WHY[kind])}</span>}
      {reason !== undefined && (
        <span className="reference" title={t('closedBecause')}>
          {cure === null ? reason : <FileLine batch={cure[2]} line={cure[1]} />}
        </span>
      )}
    </span>
  );
}

function FileLine({ batch, line }: { readonly batch: string | undefined; readonly line: string | undefined }) {
  const { t } = useWords();
  return `${batch}, ${t('lineOfFile').toLowerCase()} ${line}`;
}

const hasPlace = ({ paymentId, batch }: ShownDifference) => paymentId !== undefined || batch !== undefined;

/** Where it is: the payment, and the line of a file. */
function Place({ one: { paymentId, batch, line } }: { readonly one: ShownDifference }) {
  return (
    <span className="stack-tight">
      {paymentId !== undefined && (
        <Link to="/payments/$paymentId" params={{ paymentId }} className="mono">
          {paymentId}
        </Link>
      )}
      {batch !== undefined && (
        <span className="reference">
          <FileLine batch={batch} line={line} />
        </span>
      )}
    </span>
  );
}

const OUTCOMES = ['AcquirersMistake', 'WrittenOff', 'PaidOtherwise'] as const;
type Outcome = (typeof OUTCOMES)[number];
/** What says of a sale or refund that it is not settled. */
const OWED: readonly ShownDifference['kind'][] = [
  'missingAtAcquirer',
  'amountDiffers',
  'currencyDiffers',
  'merchantDiffers',
];

interface ResolveProps {
  readonly one: ShownDifference;
  readonly onClose: () => void;
}

/** Ends a difference by a person's word. */
function Resolve({ one, onClose }: ResolveProps) {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const { kind, ours, acquirers, currency, acquirersCurrency = currency } = one;
  const [reason, setReason] = useState('');
  const [outcome, setOutcome] = useState<Outcome>('AcquirersMistake');
  const isOwed = OWED.includes(kind);
  const submit = async () => {
    const body = { reason, outcome };
    const { approval } = await call(resolveDifference, { payeeId, differenceId: one.differenceId, body });
    if (approval !== null) throw awaitsApproval();
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('resolve')} submit={t('resolve')} onSubmit={submit} onClose={onClose}>
      <Facts
        facts={[
          [t('kind'), <DifferenceName key="k" kind={kind} />],
          [t('ourBooks'), ours === undefined ? null : money(ours, currency)],
          [t('acquirerCounts'), acquirers === undefined ? null : money(acquirers, acquirersCurrency)],
        ]}
      />
      <p>{t(isOwed ? 'resolveText' : 'resolveNothingText')}</p>
      {isOwed && (
        <SelectField
          label={t('outcome')}
          value={outcome}
          onChange={setOutcome}
          choices={OUTCOMES.map((id) => ({ id, label: t(`outcome${id}`) }))}
        />
      )}
      <Field
        label={t('reason')}
        value={reason}
        onChange={setReason}
        maxLength={REASON_CHARACTERS}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}

import { useState } from 'react';
import type { PaidDay, Payout } from '../../../client/kontor.generated.ts';
import { call } from '../api/call.ts';
import { useLongList } from '../api/lists.ts';
import { exportPayouts, listPayouts, markPayout, withdrawBatch } from '../api/operations.generated.ts';
import { awaitsApproval } from '../api/problem.ts';
import { useRead, useReload } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { type ShownState, StateBadge } from '../parts/badge.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon, dayIn } from '../parts/days.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { Field } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { useDays } from './use-days.ts';

/** Days that are shown before others are chosen: a month and what it is compared with. */
const SHOWN_DAYS = 62;
/** A file comes some days before its payout. */
const AHEAD_DAYS = 7;
const DAY_MS = 86_400_000;
/** Characters of a reason, as the service takes them. */
const REASON_CHARACTERS = 255;

const STATES: Readonly<Record<Payout['state'], ShownState>> = {
  Paid: ['payoutNotSeen', 'neutral'],
  Seen: ['payoutSeen', 'good'],
  Withdrawn: ['differenceWithdrawn', 'neutral'],
};

/** What acquirers pay, by the day on which they pay it: to be compared with the bank's statement. */
export function PayoutList() {
  const { t, money } = useWords();
  const { payeeId, can, timeZone } = useSession();
  const [first] = useState(() => ({
    from: dayIn(timeZone, Date.now() - SHOWN_DAYS * DAY_MS),
    to: dayIn(timeZone, Date.now() + AHEAD_DAYS * DAY_MS),
  }));
  const [days, setDays] = useDays();
  const [withdrawing, setWithdrawing] = useState<Payout>();
  const shown = { ...first, ...days };
  const query = { ...shown, after: undefined, limit: undefined };
  const list = useLongList(listPayouts, { payeeId, query }, ({ payouts: { payoutList, hasMore } }) => ({
    rows: payoutList as readonly Payout[],
    next: hasMore ? String(payoutList.at(-1)?.number) : undefined,
  }));
  const sums = useRead(listPayouts, { payeeId, query: { ...query, limit: '1' } });
  return (
    <div className="stack">
      <div className="filters">
        <DayFields days={shown} onChange={setDays} />
        {can('exportPayouts') && <DownloadLink endpoint={exportPayouts} input={{ payeeId, query: shown }} />}
      </div>
      <Table
        label={t('payouts')}
        rows={list.rows}
        error={list.error}
        rowKey={({ number }) => String(number)}
        empty={<Empty title={t('noPayoutsOfDays')} text={t('noPayoutsOfDaysText')} />}
        foot={<ListFoot list={list} />}
        columns={usePayoutColumns(list.rows, setWithdrawing)}
      />
      <h2>{t('paidByDay')}</h2>
      <Table
        label={t('paidByDay')}
        rows={sums.data?.payouts.days}
        error={sums.error}
        rowKey={({ day, currency }) => day + currency}
        empty={<p>{t('noPayouts')}</p>}
        columns={useDayColumns(sums.data?.payouts.days)}
      />
      {sums.data !== undefined && sums.data.payouts.reserves.length > 0 && (
        <>
          <h2>{t('reservesHeld')}</h2>
          <Table
            label={t('reservesHeld')}
            rows={sums.data.payouts.reserves}
            rowKey={({ acquirer, merchantId, currency }) => [acquirer, merchantId, currency].join(' ')}
            empty={null}
            columns={[
              { title: t('acquirer'), cell: ({ acquirer }) => acquirer },
              { title: t('merchantNumber'), cell: ({ merchantId }) => <span className="reference">{merchantId}</span> },
              { title: t('amount'), align: 'end', cell: ({ held, currency }) => money(held, currency) },
            ]}
          />
        </>
      )}
      {withdrawing !== undefined && <Withdraw one={withdrawing} onClose={() => setWithdrawing(undefined)} />}
    </div>
  );
}

type Sums = Pick<Payout, 'gross' | 'fees' | 'chargebacks' | 'adjustments' | 'reserves' | 'net' | 'currency'>;

/** What a payout, or all of a day, comes to. */
function useSumColumns<Row extends Sums>(rows: readonly Sums[] = []): readonly Column<Row>[] {
  const { t, money } = useWords();
  const some = (minor: number, currency: string) => (minor === 0 ? '–' : money(minor, currency));
  const held: Column<Row> = {
    title: t('reserves'),
    align: 'end',
    cell: ({ reserves, currency }) => some(reserves, currency),
  };
  return [
    { title: t('gross'), align: 'end', cell: ({ gross, currency }) => some(gross, currency) },
    { title: t('fees'), align: 'end', cell: ({ fees, currency }) => some(fees, currency) },
    { title: t('chargebacks'), align: 'end', cell: ({ chargebacks, currency }) => some(chargebacks, currency) },
    { title: t('adjustments'), align: 'end', cell: ({ adjustments, currency }) => some(adjustments, currency) },
    // Most acquirers hold nothing, and the table is wide.
    ...(rows.some(({ reserves }) => reserves !== 0) ? [held] : []),
    { title: t('paidAmount'), align: 'end', cell: ({ net, currency }) => money(net, currency) },
  ];
}

function usePayoutColumns(
  rows: readonly Payout[] | undefined,
  onWithdraw: (one: Payout) => void,
): readonly Column<Payout>[] {
  const { t, day, money } = useWords();
  const { can } = useSession();
  return [
    { title: t('paidOn'), cell: ({ valueDate }) => (valueDate === undefined ? '–' : day(atNoon(valueDate))) },
    {
      title: t('batch'),
      cell: ({ batch, merchantId, converted, currency, withdrawnBecause }) => (
        <span className="stack-tight">
          <span className="reference">{batch}</span>
          <span className="soft">
            {t('merchantNumber')} <span className="reference">{merchantId}</span>
          </span>
          {converted?.map((part) => (
            <span className="soft" key={part.currency}>
              {money(part.amount, part.currency)} → {money(part.paid, currency)}
            </span>
          ))}
          {withdrawnBecause !== undefined && <span className="soft">{withdrawnBecause}</span>}
        </span>
      ),
    },
    ...useSumColumns<Payout>(rows),
    {
      title: t('state'),
      cell: ({ state, unmatchedLines }) => (
        <span className="stack-tight">
          <StateBadge shown={STATES[state]} />
          {unmatchedLines > 0 && (
            <span className="soft">
              {t('unmatchedLines')}: {unmatchedLines}
            </span>
          )}
        </span>
      ),
    },
    {
      title: t('actions'),
      align: 'end',
      cell: (one) => can('markPayout') && one.state !== 'Withdrawn' && <Acts one={one} onWithdraw={onWithdraw} />,
    },
  ];
}

function useDayColumns(rows: readonly PaidDay[] | undefined): readonly Column<PaidDay>[] {
  const { t, day } = useWords();
  return [
    { title: t('paidOn'), cell: (one) => day(atNoon(one.day)) },
    { title: t('payouts'), align: 'end', cell: ({ payouts }) => payouts },
    ...useSumColumns<PaidDay>(rows),
    { title: t('unmatchedLines'), align: 'end', cell: ({ unmatchedLines }) => unmatchedLines || '–' },
    { title: t('payoutSeen'), align: 'end', cell: ({ seen, payouts }) => `${seen} / ${payouts}` },
  ];
}

interface OneProps {
  readonly one: Payout;
}

/** What can be done with a payout. */
function Acts({ one, onWithdraw }: OneProps & { readonly onWithdraw: (one: Payout) => void }) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const isSeen = one.state === 'Paid';
  const mark = async () => {
    await call(markPayout, { payeeId, body: { number: one.number, isSeen } });
    await reload();
  };
  return (
    <RowMenu
      label={`${t('actions')}: ${one.batch}`}
      items={[
        { title: t(isSeen ? 'markSeen' : 'markNotSeen'), onAction: () => void mark() },
        { title: t('withdrawBatch'), onAction: () => onWithdraw(one) },
      ]}
    />
  );
}

/** Withdraws the batch of a wrong file, once another person agrees. */
function Withdraw({ one, onClose }: OneProps & { readonly onClose: () => void }) {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const reload = useReload();
  const [reason, setReason] = useState('');
  const submit = async () => {
    const { acquirer, batch, number } = one;
    const { approval } = await call(withdrawBatch, { payeeId, body: { acquirer, batch, number, reason } });
    if (approval !== null) throw awaitsApproval();
    await reload();
    return undefined;
  };
  return (
    <FormDialog title={t('withdrawBatch')} submit={t('withdrawBatch')} danger onSubmit={submit} onClose={onClose}>
      <p>
        <span className="reference">{one.batch}</span>, {t('merchantNumber').toLowerCase()}{' '}
        <span className="reference">{one.merchantId}</span>{' '}
        <strong className="number">{money(one.net, one.currency)}</strong>
      </p>
      <p>{t('withdrawBatchText')}</p>
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

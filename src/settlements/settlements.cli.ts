import { COMMAND_LINE } from '../kit/caller.ts';
import { type Command, command, flag, needed, oneOf, optional, readDay, usually } from '../kit/command.ts';
import { formatMoney } from '../kit/money.ts';
import { formatTable } from '../kit/table.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { LISTED, PAYEE, PERIOD, REASON, readCsv, readId, refuseNoPeriod, told } from './asked.cli.ts';
import { selectNow } from './clock.store.ts';
import { closeByHand } from './days/close-days.flow.ts';
import { exportDay, itemLines } from './days/export-day.ts';
import { selectPayouts, selectSettlements } from './days/shown-days.store.ts';
import { describeDifferences, describeImport, describeSettlement, describeWaiting } from './describe-settlements.ts';
import { selectDifferences } from './differences.store.ts';
import type { OpenFile } from './files/files.types.ts';
import { importFile } from './files/import-file.flow.ts';
import { withdraw } from './files/withdraw.cli.ts';
import { payouts, seen } from './payouts/payouts.cli.ts';
import { businessDays } from './reports/business-days.cli.ts';
import type { DifferenceOutcome, SettlementRuntime } from './settlements.types.ts';

type Runtime = SettlementRuntime & {
  readonly openSettlementFile: (path: string) => Promise<OpenFile>;
  /** The files of a folder, or the file itself. */
  readonly settlementFilesOf: (path: string) => Promise<readonly string[]>;
};

const DAY = needed('<day>', 'as in 2026-03-09', readDay);

const list = command({
  name: 'list',
  about: 'show the closed days, the latest first',
  takes: { ...PERIOD, payee: PAYEE },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: Runtime, { from, to, payee }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ read, whichPayee }) =>
      selectSettlements(read, {
        payeeId: await whichPayee(payee),
        day: undefined,
        from,
        to,
        after: undefined,
        limit: LISTED,
      }),
    );
  },
  show: (days) =>
    days.length === 0
      ? 'No day is closed yet.'
      : formatTable(
          ['day', 'agreement', 'state', 'net', 'settled', 'open differences'],
          days.map(({ day, agreement, state, net, currency, settledAmount, openDifferences }) => [
            day,
            agreement,
            state,
            formatMoney(net, currency),
            formatMoney(settledAmount, currency),
            String(openDifferences),
          ]),
        ),
});

const show = command({
  name: 'show',
  about: 'show a closed day: its totals, what was paid of it and when, and what differs',
  args: ['day'],
  takes: { day: DAY, payee: PAYEE },
  json: 'print an array with an object for each agreement and currency',
  run: ({ withService }: Runtime, { day, payee }) =>
    withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const days = await selectSettlements(read, { payeeId, day, after: undefined, limit: LISTED });
      return Promise.all(
        days.map(async (one) => {
          const { settlementId } = one;
          const payouts = await selectPayouts(read, payeeId, settlementId, LISTED);
          const asked = { payeeId, onlyOpen: false, settlementId, most: LISTED };
          return { ...one, payouts, differences: await selectDifferences(read, asked) };
        }),
      );
    }),
  show: (days, { day }) => {
    if (days.length === 0) throw new Trouble(`Nothing of ${day} is closed.`);
    return days.flatMap(describeSettlement);
  },
});

const close = command({
  name: 'close',
  about: 'close a business day, as the service does a quarter of an hour after the cut-over; twice is as once',
  takes: { day: DAY, payee: optional('<id>', 'whose; without it of all payees') },
  json: 'print an array of the days that were closed',
  run: ({ withService }: Runtime, { day, payee }) =>
    withService(async ({ read, longWork, context, whichPayee }) => {
      const payeeId = payee === undefined ? undefined : await whichPayee(payee);
      const now = new Date(await selectNow(read));
      return closeByHand(longWork, context, { day, payeeId, actor: COMMAND_LINE, now });
    }),
  show: (closed, { day }) =>
    closed.length === 0
      ? 'Nothing was open.'
      : closed.map(({ payeeId, agreement, net, currency }) => {
          return `Closed ${day}, ${agreement} of payee ${payeeId}: ${formatMoney(net, currency)} is owed.`;
        }),
});

const NO_ACQUIRERS =
  'Nothing is settled here: a sandbox has no acquirer whose files it reads. Set one up in production mode, the test acquirer or yours, as docs/acquirers/connect.md does.';

const importFiles = command({
  name: 'import',
  about: 'read a settlement file of an acquirer; the same file again changes nothing',
  args: ['file'],
  takes: {
    file: needed('<file>', 'as the acquirer wrote it, or a folder of such files'),
    acquirer: needed('<id>', 'whose file it is, as acquirers.json names it'),
    again: flag('take batches that were withdrawn again as they are'),
  },
  json: 'print {"lines", "batches", "known", "matched", "differences", "disputes", "refused"}, of a folder one a line with its "file"',
  run: async (runtime: Runtime, given) => {
    const { file: path, again: takesWithdrawn, json } = given;
    const { withService, settlementFilesOf, openSettlementFile, print } = runtime;
    const paths = await settlementFilesOf(path);
    let refused = 0;
    await withService(async ({ read, longWork, context }) => {
      const { acquirers } = context.hosts;
      if (acquirers.length === 0) throw new Trouble(NO_ACQUIRERS);
      const acquirer = acquirers.find((one) => one.id === given.acquirer);
      if (acquirer === undefined) throw new Trouble('acquirers.json has no acquirer of that id.');
      for (const one of paths) {
        const file = await openSettlementFile(one);
        const isOfFolder = one !== path;
        const now = new Date(await selectNow(read));
        const asked = { acquirer, file, actor: COMMAND_LINE, now, takesWithdrawn };
        const imported = await importFile(longWork, context, asked).catch((error: unknown) => {
          throw isOfFolder && error instanceof Trouble ? new Trouble(`${file.name}: ${error.message}`) : error;
        });
        if (json) print(JSON.stringify({ ...(isOfFolder && { file: file.name }), ...imported }));
        else for (const line of describeImport(imported)) print(isOfFolder ? `${file.name}: ${line}` : line);
        refused += imported.refused.length;
      }
    });
    if (paths.length === 0) throw new Trouble(`${path} has no files.`);
    return refused;
  },
  judge: (refused) => {
    if (refused > 0) throw new Trouble(`${refused} batches were refused.`);
  },
});

const differences = command({
  name: 'differences',
  about: "show what our books and the acquirers' do not agree on, the oldest first",
  takes: { open: flag('only what is not ended yet'), ...PERIOD, payee: PAYEE },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: Runtime, { open: onlyOpen, from, to, payee }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return selectDifferences(read, { payeeId, onlyOpen, from, to, settlementId: undefined, most: LISTED });
    });
  },
  show: (found) => (found.length === 0 ? 'Nothing differs.' : describeDifferences(found)),
});

/** The outcomes as a person writes them. */
const OUTCOMES = {
  'written-off': 'WrittenOff',
  'paid-otherwise': 'PaidOtherwise',
  'acquirers-mistake': 'AcquirersMistake',
} satisfies Readonly<Record<string, DifferenceOutcome>>;
const OUTCOME_WORDS = Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[];

const resolve = command({
  name: 'resolve',
  about: 'end a difference by hand',
  args: ['difference'],
  takes: {
    difference: needed('<difference>', 'its id', readId),
    reason: REASON,
    outcome: oneOf(
      '<outcome>',
      'written-off and paid-otherwise book what is owed for it; acquirers-mistake books nothing',
      OUTCOME_WORDS,
      'acquirers-mistake',
    ),
    payee: PAYEE,
  },
  json: 'print {"differenceId"}, and "waitsFor" where another person must agree',
  run: ({ withService }: Runtime, { difference: differenceId, reason, outcome, payee }) =>
    withService(async ({ act, whichPayee }) => {
      const body = { outcome: OUTCOMES[outcome], reason };
      return act('resolve', { payeeId: await whichPayee(payee), params: { differenceId }, body });
    }),
  asJson: (waiting, { difference: differenceId }) => ({ differenceId, ...told(waiting) }),
  show: (waiting) => (waiting === undefined ? 'It is resolved.' : describeWaiting(waiting)),
});

const exportOfDay = command({
  name: 'export',
  about: 'print the sales and refunds of a day with the lines that have settled them',
  takes: { day: DAY, format: usually('<format>', 'csv, which it is without it', 'csv', readCsv), payee: PAYEE },
  json: 'print an object for each, one a line; amounts are in minor units',
  run: ({ withService, print }: Runtime, { day, payee, json }) =>
    withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const lines = json ? itemLines(read, payeeId, day) : exportDay(read, payeeId, day);
      for await (const text of lines) print(text.trimEnd());
    }),
});

/** `settlements …`. */
export const settlementCommands: readonly Command<Runtime>[] = [
  list,
  show,
  close,
  importFiles,
  withdraw,
  payouts,
  seen,
  differences,
  resolve,
  exportOfDay,
  businessDays,
];

import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.types.ts';
import { formatMoney } from '../kit/money.ts';
import { formatTable } from '../kit/table.ts';
import { Trouble } from '../kit/work/trouble.ts';
import {
  type AskedPeriod,
  FROM,
  LISTED,
  type Options,
  PAYEE,
  refuseNoDay,
  refuseNoId,
  refuseNoPeriod,
  refuseReason,
  TO,
  told,
} from './asked.cli.ts';
import { closeByHand } from './days/close-days.flow.ts';
import { exportDay, itemLines } from './days/export-day.ts';
import { selectPayouts, selectSettlements } from './days/shown-days.store.ts';
import { describeDifferences, describeImport, describeSettlement, describeWaiting } from './describe-settlements.ts';
import { selectDifferences } from './differences.store.ts';
import type { OpenFile } from './files/files.types.ts';
import { importFile } from './files/import-file.flow.ts';
import { withdrawCommand } from './files/withdraw.cli.ts';
import { payoutCommands } from './payouts/payouts.cli.ts';
import { businessDaysCommand } from './reports/business-days.cli.ts';
import type { DifferenceOutcome, SettlementService } from './settlements.types.ts';

type Runtime = CommandRuntime<SettlementService> & {
  readonly openSettlementFile: (path: string) => Promise<OpenFile>;
  /** The files of a folder, or the file itself. */
  readonly settlementFilesOf: (path: string) => Promise<readonly string[]>;
};

/** Adds `settlements …`. */
export function settlementCommands(program: Command, runtime: Runtime): void {
  const settlements = program
    .command('settlements')
    .description('what acquirers owe, what they have paid, what differs');
  addReads(settlements, runtime);
  addClose(settlements, runtime);
  addImport(settlements, runtime);
  withdrawCommand(settlements, runtime);
  payoutCommands(settlements, runtime);
  addDifferences(settlements, runtime);
  addExport(settlements, runtime);
  businessDaysCommand(settlements, runtime);
}

function addReads(settlements: Command, runtime: Runtime): void {
  settlements
    .command('list')
    .description('show the closed days, the latest first')
    .option(...FROM)
    .option(...TO)
    .option(...PAYEE)
    .option('--json', 'print an array; amounts are in minor units')
    .action(async ({ from, to, payee, json }: Options & AskedPeriod) => {
      refuseNoPeriod({ from, to });
      const found = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return selectSettlements(read, { payeeId, day: undefined, from, to, after: undefined, limit: LISTED });
      });
      if (json) return runtime.print(JSON.stringify(found));
      if (found.length === 0) return runtime.print('No day is closed yet.');
      runtime.print(
        formatTable(
          ['day', 'agreement', 'state', 'net', 'settled', 'open differences'],
          found.map(({ day, agreement, state, net, currency, settledAmount, openDifferences }) => [
            day,
            agreement,
            state,
            formatMoney(net, currency),
            formatMoney(settledAmount, currency),
            String(openDifferences),
          ]),
        ),
      );
    });
  settlements
    .command('show')
    .description('show a closed day: its totals, what was paid of it and when, and what differs')
    .argument('<day>', 'as in 2026-03-09')
    .option(...PAYEE)
    .option('--json', 'print an array with an object for each agreement and currency')
    .action(async (day: string, { payee, json }: Options) => {
      refuseNoDay(day);
      const shown = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const days = await selectSettlements(read, { payeeId, day, after: undefined, limit: LISTED });
        return Promise.all(
          days.map(async (one) => ({
            ...one,
            payouts: await selectPayouts(read, payeeId, one.settlementId, LISTED),
            differences: await selectDifferences(read, {
              payeeId,
              onlyOpen: false,
              settlementId: one.settlementId,
              most: LISTED,
            }),
          })),
        );
      });
      if (json) return runtime.print(JSON.stringify(shown));
      if (shown.length === 0) throw new Trouble(`Nothing of ${day} is closed.`);
      for (const one of shown) for (const line of describeSettlement(one)) runtime.print(line);
    });
}

function addClose(settlements: Command, runtime: Runtime): void {
  settlements
    .command('close')
    .description('close a business day, as the service does a quarter of an hour after the cut-over; twice is as once')
    .requiredOption('--day <day>', 'as in 2026-03-09')
    .option('--payee <id>', 'whose; without it of all payees')
    .option('--json', 'print an array of the days that were closed')
    .action(async ({ day, payee, json }: Options & { day: string }) => {
      refuseNoDay(day);
      const closed = await runtime.withService(async ({ longWork, context, whichPayee }) => {
        const payeeId = payee === undefined ? undefined : await whichPayee(payee);
        return closeByHand(longWork, context, { day, payeeId, actor: COMMAND_LINE, now: new Date() });
      });
      if (json) return runtime.print(JSON.stringify(closed));
      if (closed.length === 0) return runtime.print('Nothing was open.');
      for (const { payeeId, agreement, net, currency } of closed) {
        runtime.print(`Closed ${day}, ${agreement} of payee ${payeeId}: ${formatMoney(net, currency)} is owed.`);
      }
    });
}

function addImport(settlements: Command, runtime: Runtime): void {
  settlements
    .command('import')
    .description('read a settlement file of an acquirer; the same file again changes nothing')
    .argument('<file>', 'as the acquirer wrote it, or a folder of such files')
    .requiredOption('--acquirer <id>', 'whose file it is, as acquirers.json names it')
    .option('--again', 'take batches that were withdrawn again as they are')
    .option(
      '--json',
      'print {"lines", "batches", "known", "matched", "differences", "disputes", "refused"}, of a folder one a line with its "file"',
    )
    .action(async (path: string, { acquirer: id, again, json }: { acquirer: string; again?: true; json?: true }) => {
      const paths = await runtime.settlementFilesOf(path);
      let refused = 0;
      await runtime.withService(async ({ longWork, context }) => {
        const acquirer = context.hosts.acquirers.find((one) => one.id === id);
        if (acquirer === undefined) throw new Trouble('acquirers.json has no acquirer of that id.');
        for (const one of paths) {
          const file = await runtime.openSettlementFile(one);
          const given = { acquirer, file, actor: COMMAND_LINE, now: new Date(), takesWithdrawn: again };
          const isOfFolder = one !== path;
          const imported = await importFile(longWork, context, given).catch((error: unknown) => {
            throw isOfFolder && error instanceof Trouble ? new Trouble(`${file.name}: ${error.message}`) : error;
          });
          if (json) runtime.print(JSON.stringify({ ...(isOfFolder && { file: file.name }), ...imported }));
          else for (const line of describeImport(imported)) runtime.print(isOfFolder ? `${file.name}: ${line}` : line);
          refused += imported.refused.length;
        }
      });
      if (paths.length === 0) throw new Trouble(`${path} has no files.`);
      if (refused > 0) throw new Trouble(`${refused} batches were refused.`);
    });
}

function addDifferences(settlements: Command, runtime: Runtime): void {
  settlements
    .command('differences')
    .description("show what our books and the acquirers' do not agree on, the oldest first")
    .option('--open', 'only what is not ended yet')
    .option(...FROM)
    .option(...TO)
    .option(...PAYEE)
    .option('--json', 'print an array; amounts are in minor units')
    .action(async ({ open, from, to, payee, json }: Options & AskedPeriod & { open?: true }) => {
      refuseNoPeriod({ from, to });
      const found = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const onlyOpen = open === true;
        return selectDifferences(read, { payeeId, onlyOpen, from, to, settlementId: undefined, most: LISTED });
      });
      if (json) return runtime.print(JSON.stringify(found));
      runtime.print(found.length === 0 ? 'Nothing differs.' : describeDifferences(found));
    });
  settlements
    .command('resolve')
    .description('end a difference by hand')
    .argument('<difference>', 'its id')
    .requiredOption('--reason <text>', 'why; stored with it, and in the audit trail')
    .addOption(
      new Option(
        '--outcome <outcome>',
        'written-off and paid-otherwise book what is owed for it; acquirers-mistake books nothing',
      )
        .choices(Object.keys(OUTCOMES))
        .default('acquirers-mistake'),
    )
    .option(...PAYEE)
    .option('--json', 'print {"differenceId"}, and "waitsFor" where another person must agree')
    .action(
      async (
        differenceId: string,
        { reason, outcome, payee, json }: Options & Record<'reason' | 'outcome', string>,
      ) => {
        refuseReason(reason);
        refuseNoId(differenceId);
        const waiting = await runtime.withService(async ({ act, whichPayee }) => {
          const body = { outcome: OUTCOMES[outcome] ?? 'AcquirersMistake', reason: reason.trim() };
          return act('resolve', { payeeId: await whichPayee(payee), params: { differenceId }, body });
        });
        if (json) return runtime.print(JSON.stringify({ differenceId, ...told(waiting) }));
        runtime.print(waiting === undefined ? 'It is resolved.' : describeWaiting(waiting));
      },
    );
}

/** The outcomes as a person writes them. */
const OUTCOMES: Readonly<Record<string, DifferenceOutcome>> = {
  'written-off': 'WrittenOff',
  'paid-otherwise': 'PaidOtherwise',
  'acquirers-mistake': 'AcquirersMistake',
};

function addExport(settlements: Command, runtime: Runtime): void {
  settlements
    .command('export')
    .description('print the sales and refunds of a day with the lines that have settled them')
    .requiredOption('--day <day>', 'as in 2026-03-09')
    .option('--format <format>', 'csv, which it is without it', 'csv')
    .option(...PAYEE)
    .option('--json', 'print an object for each, one a line; amounts are in minor units')
    .action(async ({ day, format, payee, json }: Options & { day: string; format: string }) => {
      refuseNoDay(day);
      if (format !== 'csv') throw new Trouble('--format takes csv.');
      await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const lines = json ? itemLines(read, payeeId, day) : exportDay(read, payeeId, day);
        for await (const text of lines) runtime.print(text.trimEnd());
      });
    });
}

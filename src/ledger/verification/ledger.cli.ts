import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, flag, needed, payeeOption } from '../../kit/command.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { accountStatement } from '../accounts/account-statement.ts';
import type { LedgerService } from '../accounts/ledger-reads.types.ts';
import type { Finding, Verified } from './health.types.ts';
import { listVerifications, noteVerification } from './verifications.ts';
import { verifyLedger } from './verify-ledger.flow.ts';

type Runtime = CommandRuntime<LedgerService>;

const verify = command({
  name: 'verify',
  about: 'check every invariant of the ledger, portion by portion; fails and names a row where one is broken',
  takes: { history: flag('check nothing, and show the runs before, the latest first') },
  json: 'print an array of {"holds", "badRow"}; badRow is null where all is well',
  run: async (runtime: Runtime, { history, json }) => {
    if (history) return showRuns(runtime, json);
    const { invariants, broken, complaints } = await runtime.withService(async (service) => {
      const { reports, rest, transact, invariants } = service;
      const complaints = await service.guardComplaints();
      const verified = await verifyLedger(reports, invariants, { rest });
      // Told before it is noted: whatever happens to the database meanwhile, the operator learns what was found.
      for (const line of json ? [asJson(verified)] : verified.findings.map(describe)) runtime.print(line);
      await transact((transaction) =>
        noteVerification(transaction, verified, { newId: service.newId, actor: COMMAND_LINE }),
      );
      return { ...verified, complaints };
    });
    const words = broken > 0 ? [`The ledger breaks ${broken} of ${invariants} invariants.`] : [];
    if (words.length + complaints.length > 0) throw new Trouble([...words, ...complaints].join('\n'));
  },
});

async function showRuns({ withService, print }: Runtime, json: boolean): Promise<void> {
  const runs = await withService(({ transact }) => transact(listVerifications));
  if (json) return print(JSON.stringify(runs));
  if (runs.length === 0) return print('The ledger has not been verified yet.');
  const rows = runs.map(({ verifiedAt, actor, invariants, broken, badRow }) => [
    verifiedAt,
    actor,
    String(invariants),
    String(broken),
    badRow ?? '',
  ]);
  print(formatTable(['time', 'by', 'invariants', 'broken', 'first row'], rows));
}

function asJson({ findings }: Verified): string {
  return JSON.stringify(findings.map(({ holds, badRow = null }) => ({ holds, badRow })));
}

function describe({ holds, badRow }: Finding): string {
  if (badRow === undefined) return `✓ ${holds}`;
  return `✗ ${holds}\n  First broken by ${badRow.row} of payee ${badRow.payeeId}.`;
}

const statement = command({
  name: 'statement',
  about: 'show the latest entries of an account, oldest first',
  args: ['account'],
  takes: { account: needed('<account>', 'its id: the paymentAccountId'), payee: payeeOption('whose it is') },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: Runtime, { account, payee }) =>
    withService(({ report }) => report((transaction) => accountStatement(transaction, { account, payee }))),
  show: (lines) =>
    formatTable(
      ['entry', 'time', 'movement', 'bucket', 'amount', 'balance', 'payment'],
      lines.map((line) => [
        String(line.sequence),
        line.happenedAt,
        line.kind,
        line.side,
        formatMoney(line.amount, line.currency),
        formatMoney(line.balance, line.currency),
        line.paymentId ?? '',
      ]),
    ),
});

/** Those of `ledger …` that are about the ledger itself. */
export const ledgerCommands: readonly Command<Runtime>[] = [verify, statement];

import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { accountStatement } from '../accounts/account-statement.ts';
import type { LedgerService } from '../accounts/ledger-reads.types.ts';
import type { Finding, Verified } from './health.types.ts';
import { listVerifications, noteVerification } from './verifications.ts';
import { verifyLedger } from './verify-ledger.flow.ts';

/** Adds `ledger verify` and `ledger statement`. */
export function ledgerCommands(program: Command, runtime: CommandRuntime<LedgerService>): Command {
  const ledger = program.command('ledger').description('accounts, and where the money went');
  addVerify(ledger, runtime);
  addStatement(ledger, runtime);
  return ledger;
}

function addVerify(ledger: Command, runtime: CommandRuntime<LedgerService>): void {
  ledger
    .command('verify')
    .description('check every invariant of the ledger, portion by portion; fails and names a row where one is broken')
    .option('--history', 'check nothing, and show the runs before, the latest first')
    .option('--json', 'print an array of {"holds", "badRow"}; badRow is null where all is well')
    .action(async ({ history, json }: { history?: true; json?: true }) => {
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
    });
}

async function showRuns(runtime: CommandRuntime<LedgerService>, json: true | undefined): Promise<void> {
  const runs = await runtime.withService(({ transact }) => transact(listVerifications));
  if (json) return runtime.print(JSON.stringify(runs));
  if (runs.length === 0) return runtime.print('The ledger has not been verified yet.');
  const rows = runs.map(({ verifiedAt, actor, invariants, broken, badRow }) => [
    verifiedAt,
    actor,
    String(invariants),
    String(broken),
    badRow ?? '',
  ]);
  runtime.print(formatTable(['time', 'by', 'invariants', 'broken', 'first row'], rows));
}

function asJson({ findings }: Verified): string {
  return JSON.stringify(findings.map(({ holds, badRow = null }) => ({ holds, badRow })));
}

function describe({ holds, badRow }: Finding): string {
  if (badRow === undefined) return `✓ ${holds}`;
  return `✗ ${holds}\n  First broken by ${badRow.row} of payee ${badRow.payeeId}.`;
}

function addStatement(ledger: Command, runtime: CommandRuntime<LedgerService>): void {
  ledger
    .command('statement')
    .description('show the latest entries of an account, oldest first')
    .argument('<account>', 'its id: the paymentAccountId')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print an array; amounts are in minor units')
    .action(async (account: string, { payee, json }: { payee?: string; json?: true }) => {
      const lines = await runtime.withService(({ report }) =>
        report((transaction) => accountStatement(transaction, { account, payee })),
      );
      if (json) return runtime.print(JSON.stringify(lines));
      const rows = lines.map((line) => [
        String(line.sequence),
        line.happenedAt,
        line.kind,
        line.side,
        formatMoney(line.amount, line.currency),
        formatMoney(line.balance, line.currency),
        line.paymentId ?? '',
      ]);
      runtime.print(formatTable(['entry', 'time', 'movement', 'bucket', 'amount', 'balance', 'payment'], rows));
    });
}

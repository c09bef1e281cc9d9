import type { Command } from 'commander';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.types.ts';
import { formatTable } from '../kit/table.ts';
import { createPayee } from './create-payee.ts';
import { listPayees } from './list-payees.ts';
import type { MerchantsService } from './merchants.types.ts';

/** Adds `payees create` and `payees list`. */
export function payeeCommands(program: Command, runtime: CommandRuntime<MerchantsService>): void {
  const payees = program.command('payees').description('the merchants that this installation serves');

  payees
    .command('create')
    .description('create a payee')
    .requiredOption('--name <name>', 'its name, for people')
    .option('--json', 'print {"payeeId"}')
    .action(async (options: { name: string; json?: true }) => {
      const payeeId = await runtime.withService(({ transact, merchants }) =>
        transact((transaction) => createPayee(transaction, merchants, { name: options.name, actor: COMMAND_LINE })),
      );
      if (options.json) return runtime.print(JSON.stringify({ payeeId }));
      runtime.print(`Created the payee ${payeeId}.`);
      runtime.print(
        `Next, its first credential: kontor access-tokens create --payee ${payeeId} --name NAME --scopes LIST`,
      );
    });

  payees
    .command('list')
    .description('show all payees, the oldest first')
    .option('--json', 'print an array of {"payeeId", "name", "createdAt"}')
    .action(async (options: { json?: true }) => {
      const all = await runtime.withService(({ transact }) => transact(listPayees));
      if (options.json) return runtime.print(JSON.stringify(all));
      if (all.length === 0)
        return runtime.print('There is no payee yet. `kontor payees create --name NAME` makes one.');
      const rows = all.map((payee) => [payee.payeeId, payee.createdAt, payee.name]);
      runtime.print(formatTable(['payee', 'created', 'name'], rows));
    });
}

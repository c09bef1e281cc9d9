import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { MerchantsService } from '../merchants.types.ts';
import { createPayee } from './create-payee.ts';
import { setGivingLimits } from './giving-limits.ts';
import { selectPayees } from './payees.store.ts';
import { whichPayee } from './which-payee.ts';

/** Adds `payees create`, `list` and `set`. */
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
      const { rows: all } = await runtime.withService(({ transact }) =>
        transact((transaction) => selectPayees(transaction, null)),
      );
      if (options.json) return runtime.print(JSON.stringify(all));
      if (all.length === 0)
        return runtime.print('There is no payee yet. `kontor payees create --name NAME` makes one.');
      const rows = all.map((payee) => [payee.payeeId, payee.createdAt, payee.name]);
      runtime.print(formatTable(['payee', 'created', 'name'], rows));
    });

  payees
    .command('set')
    .argument('<payee>', 'its id')
    .description('set how much people of a payee give away by pages of the portal before more is asked of them')
    .requiredOption('--confirm-above <amount>', 'above it the password again: whole crowns, euros or the like, or none')
    .requiredOption('--second-person-above <amount>', 'above it another person must agree; likewise')
    .option('--currency <code>', 'in this currency alone, as in EUR (default: in all without limits of their own)')
    .option('--json', 'print {"confirmAbove", "secondPersonAbove"}')
    .action(async (payee: string, options: SetOptions) => {
      const { confirmAbove, secondPersonAbove, currency } = options;
      const limits = await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, payee);
          const command = { payeeId, currency, confirmAbove, secondPersonAbove, actor: COMMAND_LINE };
          return setGivingLimits(transaction, command);
        }),
      );
      if (options.json) return runtime.print(JSON.stringify(limits));
      runtime.print(`Set: the password above ${confirmAbove}, a second person above ${secondPersonAbove}.`);
    });
}

interface SetOptions {
  readonly confirmAbove: string;
  readonly secondPersonAbove: string;
  readonly currency?: string;
  readonly json?: true;
}

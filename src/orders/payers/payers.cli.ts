import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import type { OrderService } from '../orders.types.ts';
import { erasePayerOf } from './order-payers.ts';

/** Adds `payers erase`. */
export function payerCommands(program: Command, runtime: CommandRuntime<OrderService>): void {
  program
    .command('payers')
    .description('what payment orders and card payments know of those who pay')
    .command('erase')
    .argument('<payerReference>', "the payee's reference of the payer")
    .description(
      'erase names, addresses, mail addresses and telephone numbers that orders and card payments of a payer have',
    )
    .option('--payee <id>', 'whose payer; may be left out while there is one payee')
    .option('--json', 'print {"orders", "cardPayments"}')
    .action(async (payerReference: string, { payee, json }: { readonly payee?: string; readonly json?: true }) => {
      const erased = await runtime.withService(async ({ transact, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return transact((transaction) => erasePayerOf(transaction, { payeeId, payerReference, actor: COMMAND_LINE }));
      });
      runtime.print(
        json
          ? JSON.stringify(erased)
          : `Erased what ${counted(erased.orders, 'order')} and ${counted(erased.cardPayments, 'card payment')} knew of the payer.`,
      );
    });
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

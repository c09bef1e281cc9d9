import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import type { LifeRuntime } from './life.types.ts';
import { type Swept, sweepExpired } from './sweep-expired.ts';

interface Options {
  readonly number?: true;
  readonly payee?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly json?: true;
}

/**
 * Adds `gift-cards sweep`: of one card, or of all that have expired.
 *
 * @param sweepOne carries out the sweep of the card that the words name, and prints it
 */
export function addSweepExpired(
  cards: Command,
  runtime: LifeRuntime,
  sweepOne: (account: string | undefined, options: Options) => Promise<void>,
): void {
  cards
    .command('sweep')
    .description('book what is left on expired cards to the payee: of all of them, or of one')
    .argument('[account]', 'one card, by the id of its account (default: all that have expired)')
    .option('--number', 'one card, whose number is read from the standard input')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--reference <text>', 'of one card: names the step, so that repeating it is safe (default: a new one)')
    .option('--reason <text>', 'of one card: why; stored with the step')
    .option('--json', 'print {"cards", "amounts"}, amounts in minor units by currency; of one card, the card')
    .action(async (account: string | undefined, options: Options) => {
      if (account !== undefined || options.number) return sweepOne(account, options);
      const swept = await sweepAll(runtime, options.payee);
      runtime.print(options.json ? JSON.stringify(swept) : describe(swept));
    });
}

function sweepAll(runtime: LifeRuntime, payee: string | undefined): Promise<Swept> {
  return runtime.withService(async ({ transact, whichPayee, life, read }) => {
    const payeeId = await transact((transaction) => whichPayee(transaction, payee));
    const context = { submit: life.submit, newId: life.newId, read };
    try {
      return await sweepExpired(context, { payeeId, actor: COMMAND_LINE }, ({ cards }, seen) =>
        runtime.progress(`${seen} cards looked at, ${cards} swept`),
      );
    } finally {
      runtime.progress(undefined);
    }
  });
}

function describe({ cards, amounts }: Swept): string {
  const sums = Object.entries(amounts).map(([currency, amount]) => formatMoney(amount, currency as Currency));
  return cards === 0 ? 'No expired card has anything left.' : `Swept ${cards} cards: ${sums.join(', ')}.`;
}

import { type Command, InvalidArgumentError } from 'commander';
import type { Transact } from '../../db/transaction.types.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { listPaymentAccounts } from '../identifying/find-account.ts';
import { type AccountMaker, createAccount } from './create-account.ts';

/** What these commands need of the running installation. */
export interface AccountsService {
  readonly transact: Transact;
  readonly maker: AccountMaker;
  /** The payee that the command is about. */
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

interface CreateOptions {
  readonly currency: string;
  readonly balance: number;
  readonly months: number;
  readonly cvcRequired?: true;
  readonly payee?: string;
  readonly json?: true;
}

/** Adds `accounts create` and `accounts list`. */
export function accountCommands(program: Command, runtime: CommandRuntime<AccountsService>): void {
  const accounts = program.command('accounts').description('stored value that payers pay with');
  addCreate(accounts, runtime);
  addList(accounts, runtime);
}

function addCreate(accounts: Command, runtime: CommandRuntime<AccountsService>): void {
  accounts
    .command('create')
    .description('open a stored-value account; its number and code are shown this once')
    .requiredOption('--currency <code>', 'what it holds, as in NOK')
    .option('--balance <amount>', 'what it holds from the beginning, in minor units', whole, 0)
    .option('--months <number>', 'full months that it is good for', whole, 60)
    .option('--cvc-required', 'ask for the cvc where it is spent or its balance is asked for')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print the account')
    .action(async ({ payee, json, cvcRequired, ...asked }: CreateOptions) => {
      const account = await runtime.withService(async ({ transact, maker, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const wanted = { ...asked, payeeId, actor: COMMAND_LINE, cvcRequired: cvcRequired === true };
        return transact((transaction) => createAccount(transaction, maker, wanted));
      });
      if (json) return runtime.print(JSON.stringify(account));
      runtime.print(`Opened the account ${account.paymentAccountId}.`);
      runtime.print(
        `Number ${account.accountKey}, cvc ${account.cvc}, good to ${account.expiryDate}. Shown this once.`,
      );
    });
}

function addList(accounts: Command, runtime: CommandRuntime<AccountsService>): void {
  accounts
    .command('list')
    .description('show the latest 1000 accounts, gift cards and cards of issuers elsewhere among them')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print an array; amounts are in minor units')
    .action(async ({ payee, json }: { payee?: string; json?: true }) => {
      const found = await runtime.withService(async ({ transact, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return transact((transaction) => listPaymentAccounts(transaction, payeeId));
      });
      if (json) return runtime.print(JSON.stringify(found));
      if (found.length === 0) return runtime.print('There is no account. `kontor accounts create` opens one.');
      const rows = found.map((line) => [
        line.paymentAccountId,
        line.numberMasked,
        line.instrument,
        line.issuer,
        money(line.available, line.currency),
        money(line.held, line.currency),
        line.expiresOn ?? '',
      ]);
      runtime.print(formatTable(['account', 'number', 'instrument', 'issuer', 'available', 'held', 'good to'], rows));
    });
}

/** An external card holds no money of ours, and has no currency. */
function money(amount: number, currency: Currency | null): string {
  return currency === null ? '' : formatMoney(amount, currency);
}

function whole(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

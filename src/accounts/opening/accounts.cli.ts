import type { Transact } from '../../db/transaction.types.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import {
  type Command,
  type CommandRuntime,
  command,
  flag,
  needed,
  payeeOption,
  readWhole,
  usually,
} from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { Kontor } from '../../kontor.types.ts';
import { listPaymentAccounts } from '../identifying/find-account.ts';
import { createAccount } from './create-account.ts';

/** What these commands need of the running installation. */
export interface AccountsService {
  readonly transact: Transact;
  readonly maker: Kontor;
  /** The payee that the command is about. */
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

type Runtime = CommandRuntime<AccountsService>;

const create = command({
  name: 'create',
  about: 'open a stored-value account; its number and code are shown this once',
  takes: {
    currency: needed('<code>', 'what it holds, as in NOK'),
    balance: usually('<amount>', 'what it holds from the beginning, in minor units', 0, readWhole),
    months: usually('<number>', 'full months that it is good for', 60, readWhole),
    cvcRequired: flag('ask for the cvc where it is spent or its balance is asked for'),
    payee: payeeOption('whose it is'),
  },
  json: 'print the account',
  run: ({ withService }: Runtime, { currency, balance, months, cvcRequired, payee }) =>
    withService(async ({ transact, maker, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const wanted = { currency, balance, months, payeeId, actor: COMMAND_LINE, cvcRequired };
      return transact((transaction) => createAccount(transaction, maker, wanted));
    }),
  show: ({ paymentAccountId, accountKey, cvc, expiryDate }) => [
    `Opened the account ${paymentAccountId}.`,
    `Number ${accountKey}, cvc ${cvc}, good to ${expiryDate}. Shown this once.`,
  ],
});

const list = command({
  name: 'list',
  about: 'show the latest 1000 accounts, gift cards and cards of issuers elsewhere among them',
  takes: { payee: payeeOption('whose') },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: Runtime, { payee }) =>
    withService(async ({ transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return transact((transaction) => listPaymentAccounts(transaction, payeeId));
    }),
  show: (accounts) =>
    accounts.length === 0
      ? 'There is no account. `kontor accounts create` opens one.'
      : formatTable(
          ['account', 'number', 'instrument', 'issuer', 'available', 'held', 'good to'],
          accounts.map((line) => [
            line.paymentAccountId,
            line.numberMasked,
            line.instrument,
            line.issuer,
            money(line.available, line.currency),
            money(line.held, line.currency),
            line.expiresOn ?? '',
          ]),
        ),
});

/** An external card holds no money of ours, and has no currency. */
function money(amount: number, currency: Currency | null): string {
  return currency === null ? '' : formatMoney(amount, currency);
}

/** `accounts …`. */
export const accountCommands: readonly Command<Runtime>[] = [create, list];

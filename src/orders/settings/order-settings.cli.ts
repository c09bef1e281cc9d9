import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { OrderService } from '../orders.types.ts';
import { type ShownSetting, valuesOf } from './order-settings.rules.ts';
import { type ChangeOrderSettings, changeOrderSettings, showOrderSettings } from './order-settings.ts';

/** What `payees set` does with settings of orders: it changes those that are named, and shows all. */
export function setOrderSettings(runtime: CommandRuntime<OrderService>) {
  return async (
    payee: string | undefined,
    changes: ChangeOrderSettings['changes'],
    { json }: { readonly json?: true },
  ): Promise<void> => {
    const settings = await runtime.withService(async ({ read, transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      if (changes.length === 0) return showOrderSettings(read, payeeId);
      const command = { payeeId, changes, actor: COMMAND_LINE };
      return transact((transaction) => changeOrderSettings(transaction, command));
    });
    runtime.print(json ? JSON.stringify(settings) : formatTable(['setting', 'value', 'values'], settings.map(lineOf)));
  };
}

function lineOf({ name, own, standard }: ShownSetting): string[] {
  return [name, own ?? `default (${standard ?? 'where the payee has gift cards'})`, valuesOf(name)];
}

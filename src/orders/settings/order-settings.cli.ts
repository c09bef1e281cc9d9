import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { OrderService } from '../orders.types.ts';
import { type ShownSetting, valuesOf } from './order-settings.rules.ts';
import { type ChangeOrderSettings, changeOrderSettings, showOrderSettings } from './order-settings.ts';

/** What `payees set` does with settings of orders: it changes those that are named, and shows all. */
export function setOrderSettings({ withService }: CommandRuntime<OrderService>) {
  return async (payee: string | undefined, changes: ChangeOrderSettings['changes']) => {
    const settings = await withService(async ({ read, transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      if (changes.length === 0) return showOrderSettings(read, payeeId);
      const asked = { payeeId, changes, actor: COMMAND_LINE };
      return transact((transaction) => changeOrderSettings(transaction, asked));
    });
    return { settings, described: formatTable(['setting', 'value', 'values'], settings.map(lineOf)) };
  };
}

function lineOf({ name, own, standard }: ShownSetting): string[] {
  return [name, own ?? `default (${standard ?? 'where the payee has gift cards'})`, valuesOf(name)];
}

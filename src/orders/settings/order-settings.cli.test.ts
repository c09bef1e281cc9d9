import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { addPayee } from '../../../test/support/database/ledger.ts';
import { runCommand, serviceOf } from '../../../test/support/run-command.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { payeeCommands } from '../../merchants/payees/payees.cli.ts';
import { whichPayee } from '../../merchants/payees/which-payee.ts';
import type { OrderService } from '../orders.types.ts';
import { setOrderSettings } from './order-settings.cli.ts';
import { orderSettings } from './order-settings.ts';

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

/** What `payees set` prints. */
async function set(...words: string[]): Promise<string> {
  const { read, transact } = database;
  const runtime = serviceOf<OrderService>({
    read,
    transact,
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
  });
  const setForPayee = setOrderSettings({ ...runtime, print: () => undefined });
  return (await runCommand(payeeCommands, { ...runtime, setForPayee } as never, ['set', ...words])).join('\n');
}

const trail = async () =>
  (
    await database.asAdmin(
      `select details from audit where payee_id = '${payeeId}' and action = 'change-order-settings' order by audit_id`,
    )
  ).map(({ details }) => details);

describe('kontor payees set name=value', () => {
  it('changes the settings that it names and leaves the others, and the audit trail says what', async () => {
    expect(await set('--payee', payeeId, 'holdMinutes=20', 'captureOrder=CardFirst')).toMatch(/holdMinutes +20 /);
    expect(await set('--payee', payeeId, 'giftCardsOnPage=false', 'holdMinutes=20')).toMatch(/giftCardsOnPage +false/);
    expect(await orderSettings(database.read, payeeId)).toEqual({
      giftCardsOnPage: false,
      giftCardsBuyGiftCards: false,
      holdMinutes: 20,
      orderHoldDays: 7,
      unpaidHours: 672,
      smallestCardAmount: 1,
      captureOrder: 'CardFirst',
      reversalOrder: 'CardFirst',
    });
    expect(await trail()).toEqual([{ holdMinutes: 20, captureOrder: 'CardFirst' }, { giftCardsOnPage: false }]);
  });

  it('gives a setting its default back', async () => {
    await set('--payee', payeeId, 'holdMinutes=default');
    expect((await orderSettings(database.read, payeeId)).holdMinutes).toBe(15);
    expect((await trail()).at(-1)).toEqual({ holdMinutes: 'default' });
  });

  it('shows them, and writes down nothing where nothing changes', async () => {
    const before = await trail();
    const shown = JSON.parse(await set('--payee', payeeId, '--json'));
    expect(shown).toContainEqual(expect.objectContaining({ name: 'captureOrder', own: 'CardFirst' }));
    await set('--payee', payeeId, 'captureOrder=CardFirst');
    expect(await trail()).toEqual(before);
  });

  it('changes nothing where one of them is wrong', async () => {
    const before = await orderSettings(database.read, payeeId);
    for (const wrong of ['holdMinutes=4', 'holdMinute=5', 'orderHoldDays=', 'unpaidHours=9']) {
      await expect(set('--payee', payeeId, 'unpaidHours=8', wrong)).rejects.toThrow(Refusal);
    }
    expect(await orderSettings(database.read, payeeId)).toEqual(before);
  });

  it('takes turns: of changes at the same moment none undoes another', async () => {
    const names = ['holdMinutes=30', 'orderHoldDays=30', 'unpaidHours=30', 'smallestCardAmount=30'];
    await Promise.all(names.map((change) => set('--payee', payeeId, change)));
    expect(await orderSettings(database.read, payeeId)).toMatchObject({
      holdMinutes: 30,
      orderHoldDays: 30,
      unpaidHours: 30,
      smallestCardAmount: 30,
    });
  });
});

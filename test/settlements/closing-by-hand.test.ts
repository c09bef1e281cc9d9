import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE, nameOfActor } from '../../src/kit/caller.ts';
import { addDays } from '../../src/kit/instants.ts';
import { closeByHand } from '../../src/settlements/days/close-days.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, charge, settling, TODAY } from '../support/settlements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
const transact: TestDatabase['transact'] = (work) => database.transact(work);

test('a day is closed by a person for one payee alone, where they say so', async () => {
  const [payeeId, other] = [await addPayee(database), await addPayee(database)];
  const context = settling([agreementOf(payeeId), agreementOf(other, '000012345678902')]);
  for (const whose of [payeeId, other]) await charge(database, whose, { amount: 500 });
  const asked = { day: TODAY, actor: COMMAND_LINE, now: new Date() };
  const closed = async (more: object) =>
    (await closeByHand(transact, context, { ...asked, ...more })).map((one) => one.payeeId);
  expect(await closed({ payeeId })).toEqual([payeeId]);
  expect(await closed({ payeeId })).toEqual([]);
  expect(await closed({})).toContain(other);
  const [row] = await database.asAdmin(`
    select concat_ws(':', actor_kind, actor_id) as actor, details from audit where payee_id = '${payeeId}' and action = 'close-settlement'`);
  expect(row).toEqual({ actor: nameOfActor(COMMAND_LINE), details: { day: TODAY, amount: 500, currency: 'NOK' } });
  await expect(closed({ day: addDays(TODAY, 2) })).rejects.toThrow('That day has not begun.');
});

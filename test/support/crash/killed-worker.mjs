/**
 * A process of background work that dies of one row, as from a fault that nothing in the process can catch. Runs what is
 * built, because this Node runs no TypeScript. Arguments: address of the database, payee, the row to die of, rows.
 */

import { makeWorkOn } from '../../../dist/modules/src/db/rows-at-work.js';
import { openDatabase } from '../../../dist/modules/src/db/server/open-database.js';

const [, , url, payeeId, poison, ...rows] = process.argv;
const database = openDatabase({ url });
const workOn = makeWorkOn(database.transact, (work, error) => process.stdout.write(`${work}: ${error.message}\n`));
const named = rows.map((rowId) => ({ payeeId, rowId }));
await workOn('sweep-sealed-cards', named, async (together) => {
  for (const { rowId } of together) {
    if (rowId === poison) process.kill(process.pid, 'SIGKILL');
    process.stdout.write(`done ${rowId}\n`);
  }
});
await database.close();

import { listRowsSetAside, putBack } from '../../db/rows-at-work.ts';
import type { Database } from '../../db/server/database.types.ts';
import { listSetAsideDeliveries, redeliverSetAside } from '../../events/deliveries/redeliver.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, needed } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { RowSetAside } from '../../kit/work/background.ts';
import { Trouble } from '../../kit/work/trouble.ts';

/** What the commands about background work need. */
export type BackgroundService = Pick<Database, 'read' | 'transact'>;

/** Rows of all payees that background work does not take any more, those that wait longest first. */
export async function listSetAside({ read }: Pick<Database, 'read'>): Promise<readonly RowSetAside[]> {
  const rows = [...(await listRowsSetAside(read)), ...(await listSetAsideDeliveries(read))];
  return rows.sort((a, b) => (a.begunAt < b.begunAt ? -1 : 1));
}

type Runtime = CommandRuntime<BackgroundService>;

const list = command({
  name: 'list',
  about: 'show the rows that it has set aside: each failed again and again, or was under way when processes ended',
  json: 'print an array',
  run: ({ withService }: Runtime) => withService(listSetAside),
  show: (rows) =>
    rows.length === 0
      ? 'Nothing is set aside.'
      : formatTable(
          ['work', 'payee', 'row', 'crashes', 'failures', 'last error', 'last taken'],
          rows.map(({ work, payeeId, rowId, crashes, failures, fault, begunAt }) => {
            return [work, payeeId, rowId, String(crashes), String(failures), fault ?? '', begunAt];
          }),
        ),
});

const retry = command({
  name: 'retry',
  about: 'put a row back; a running service takes it',
  args: ['work', 'payee', 'row'],
  takes: {
    work: needed('<work>', 'as the list has it'),
    payee: needed('<payee>', 'whose row it is'),
    row: needed('<row>', 'as the list has it'),
  },
  json: 'print the row',
  run: async ({ withService }: Runtime, { work, payee: payeeId, row: rowId }) => {
    const named = { work, payeeId, rowId };
    await withService((service) => retryRow(service, named));
    return named;
  },
  show: () => 'It is put back.',
});

/** `background …`. */
export const backgroundCommands: readonly Command<Runtime>[] = [list, retry];

interface NamedRow {
  readonly work: string;
  readonly payeeId: string;
  readonly rowId: string;
}

async function retryRow({ read, transact }: BackgroundService, named: NamedRow): Promise<void> {
  const found = (await listSetAside({ read })).find(
    ({ work, payeeId, rowId }) => work === named.work && payeeId === named.payeeId && rowId === named.rowId,
  );
  if (found === undefined) throw new Trouble('No such row is set aside. Run: kontor background list');
  const { work, payeeId, rowId } = found;
  await transact(async (transaction) => {
    if (work === 'deliver-events') return redeliverSetAside(transaction, { payeeId, rowId, actor: COMMAND_LINE });
    await putBack(transaction, found);
    const object = { objectKind: 'payee', objectId: payeeId, details: { work, row: rowId } };
    await writeAudit(transaction, [{ payeeId, actor: COMMAND_LINE, action: 'retry-background-work', ...object }]);
  });
}

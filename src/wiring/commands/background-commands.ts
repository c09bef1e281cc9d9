import type { Command } from 'commander';
import type { Database } from '../../db/open-database.ts';
import { listRowsSetAside, putBack } from '../../db/rows-at-work.ts';
import { listSetAsideDeliveries, redeliverSetAside } from '../../events/deliveries/redeliver.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
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

/** Adds `background list` and `retry`. */
export function backgroundCommands(program: Command, runtime: CommandRuntime<BackgroundService>): void {
  const background = program.command('background').description('work that is done beside requests');
  background
    .command('list')
    .description(
      'show the rows that it has set aside: each failed again and again, or was under way when processes ended',
    )
    .option('--json', 'print an array')
    .action(async ({ json }: { json?: true }) => {
      const rows = await runtime.withService(listSetAside);
      if (json) return runtime.print(JSON.stringify(rows));
      if (rows.length === 0) return runtime.print('Nothing is set aside.');
      runtime.print(
        formatTable(
          ['work', 'payee', 'row', 'crashes', 'failures', 'last error', 'last taken'],
          rows.map(({ work, payeeId, rowId, crashes, failures, fault, begunAt }) => {
            return [work, payeeId, rowId, String(crashes), String(failures), fault ?? '', begunAt];
          }),
        ),
      );
    });
  background
    .command('retry')
    .description('put a row back; a running service takes it')
    .argument('<work>', 'as the list has it')
    .argument('<payee>', 'whose row it is')
    .argument('<row>', 'as the list has it')
    .option('--json', 'print the row')
    .action(async (work: string, payeeId: string, rowId: string, { json }: { json?: true }) => {
      await runtime.withService((service) => retry(service, { work, payeeId, rowId }));
      runtime.print(json ? JSON.stringify({ work, payeeId, rowId }) : 'It is put back.');
    });
}

interface NamedRow {
  readonly work: string;
  readonly payeeId: string;
  readonly rowId: string;
}

async function retry({ read, transact }: BackgroundService, named: NamedRow): Promise<void> {
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

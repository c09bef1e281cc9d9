import { connect } from '../../../src/db/server/connection.ts';
import { until } from '../until.ts';
import { query } from './embedded.ts';

/** Has every commit wait for a standby of that name; for none where it is empty. */
export async function requireStandby(adminUrl: string, name: string): Promise<void> {
  await query(adminUrl, `alter system set synchronous_standby_names = '${name}'`);
  await query(adminUrl, 'select pg_reload_conf()');
  // The setting can be read before commits obey it: another process of the server has to take it over first.
  if (name !== '') await until(() => commitWaits(adminUrl));
}

/** Tries a commit, and takes it away again where it waits. */
async function commitWaits(adminUrl: string): Promise<boolean> {
  const probe = await connect(adminUrl, { application_name: 'probe' });
  let isOver = false;
  const commit = probe
    .command(`select pg_logical_emit_message(true, 'probe', '')`)
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  let waits = false;
  await until(async () => {
    const found = await query(
      adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'probe' and wait_event = 'SyncRep'`,
    );
    waits = found.length > 0;
    return waits || isOver;
  });
  await commit;
  await probe.end().catch(() => undefined);
  return waits;
}

import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import { readVersion } from '../config.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { type Actor, SERVICE } from '../kit/caller.ts';
import { OPERATOR } from '../kit/ids.ts';
import { Secret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';

/** Names this process in the trail: its machine, and its number there. */
const PROCESS = `${hostname()}:${process.pid}`;

/** Notes that this process serves from now on, and with which settings: by a keyed digest, for some are secrets. */
export async function noteStart({ database, keyRing }: Kontor, config: Config): Promise<void> {
  const text = new Secret(JSON.stringify(config));
  const settings = keyRing.digest(keyRing.current('identity'), OPERATOR, text).toString('hex').slice(0, 16);
  const details = { version: readVersion(), settings };
  await database.transact((transaction) => writeAudit(transaction, [life('start-service', PROCESS, { details })]));
}

/** Notes that this process serves no longer. One that is killed, or whose database is away, leaves no row. */
export async function noteStop({ database }: Kontor): Promise<void> {
  await database
    .transact((transaction) => writeAudit(transaction, [life('stop-service', PROCESS, {})]))
    .catch(() => undefined);
}

/** Notes which migrations were applied: how many, and the last one. */
export async function noteMigrations(
  transaction: Transaction,
  applied: readonly string[],
  actor: Actor,
): Promise<void> {
  const last = applied.at(-1);
  if (last === undefined) return;
  await writeAudit(transaction, [life('apply-migrations', last, { actor, details: { times: applied.length } })]);
}

function life(
  action: 'start-service' | 'stop-service' | 'apply-migrations',
  objectId: string,
  {
    actor = SERVICE,
    details = {},
  }: { actor?: Actor; details?: { version?: string; settings?: string; times?: number } },
) {
  return { payeeId: OPERATOR, actor, action, objectId, details } as const;
}

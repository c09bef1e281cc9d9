import { stat } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { countConnections, guardComplaints } from '../../db/schema/schema-guards.ts';
import { explained } from '../../db/server/explain.ts';
import { heldSnapshotAdvice } from '../../db/server/held-snapshots.ts';
import { CONNECTIONS } from '../../db/server/open-database.ts';
import { requireSessions } from '../../db/server/pooler.ts';
import { rightsComplaints } from '../../db/server/privileges.ts';
import { readClock, serverAdvice, serverComplaints } from '../../db/server/server-settings.ts';
import { selectOverdue as selectOverdueSums } from '../../gift-cards/liability/sums.store.ts';
import { readCertificate } from '../../http/listening/tls.ts';
import { KEY_ROTATION_DAYS, showKeys } from '../../keys/show-keys.ts';
import { isLoopback } from '../../kit/addresses/network.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { advice, type Finding, ok, problem } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { measureNumbers } from '../../ledger/verification/measure-ledger.ts';
import { lastVerification } from '../../ledger/verification/verifications.ts';
import { writeNothing } from '../../ledger/verification/write-nothing.ts';
import { listExpiring } from '../../merchants/expiry/tell-expiring.ts';
import { createPayee } from '../../merchants/payees/create-payee.ts';
import { selectPayees } from '../../merchants/payees/payees.store.ts';
import { pageAssets } from '../../payments/page-integrity/page-assets.adapter.ts';
import { pageFilesComplaint } from '../../payments/page-integrity/page-files.rules.ts';
import { selectOverdue as selectOverdueBalances } from '../../settlements/reports/balance-sums.store.ts';
import { certificateFindings } from '../certificates.ts';
import { checkExposure } from '../exposure.ts';
import { sandboxComplaints } from '../sandbox-complaints.ts';
import { openService, type Service } from '../service.ts';
import { examineAcquirers } from './acquirer-checks.ts';
import { listSetAside } from './background-commands.ts';
import { productionAdvice } from './production-advice.ts';

const OLDEST_SUPPORTED_NODE = 22;

/** Looks at everything that the service needs, and says of each thing whether it is right and else what to do. */
export async function examine(config: Config, isOffline = false): Promise<readonly Finding[]> {
  return [
    nodeVersion(),
    exposure(config),
    pageFiles(),
    ...productionAdvice(config).map(advice),
    ...certificate(config),
    ...(await owner(config)),
    ...(await keyFile(config)),
    ...(await database(config, isOffline)),
  ];
}

function nodeVersion(): Finding {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= OLDEST_SUPPORTED_NODE) return ok(`Node ${node}`);
  return advice(`Node ${node} gets no security updates any more: run production on Node 24.`);
}

function exposure(config: Config): Finding {
  try {
    checkExposure(config);
  } catch (error) {
    return problem((error as Error).message);
  }
  const where = isLoopback(config.host) ? 'to this machine only' : 'to the network';
  return ok(`${config.mode}, open ${where} (${config.host}, port ${config.port})`);
}

function pageFiles(): Finding {
  const complaint = pageFilesComplaint(pageAssets()());
  return complaint === undefined
    ? ok("What payers' browsers load is what this version was built with.")
    : problem(complaint);
}

function certificate(config: Config): readonly Finding[] {
  const { tls } = config;
  if (tls === undefined) return [];
  try {
    const findings = certificateFindings(config, readCertificate(tls));
    return findings.length > 0 ? findings : [ok(`The certificate in ${tls.certFile} can be used.`)];
  } catch (error) {
    return [problem((error as Error).message)];
  }
}

async function keyFile({ keyFile, keyPassphraseFile }: Config): Promise<Finding[]> {
  const found = await stat(keyFile).catch(() => undefined);
  if (found === undefined) return [advice(`There is no key ring in ${keyFile}.`)];
  if (found.isDirectory())
    return [problem(`${keyFile} is a folder, and KONTOR_KEY_FILE names the file of the key ring.`)];
  const sealed = keyPassphraseFile === undefined ? '' : `, sealed with the passphrase in ${keyPassphraseFile}`;
  return [ok(`The key ring is in ${keyFile}${sealed}. Keep a copy apart from the database: kontor keys export`)];
}

/** What another user sees and may do is not what the service does. */
async function owner({ dataDir, keyFile }: Config): Promise<readonly Finding[]> {
  const found = await Promise.all([dataDir, keyFile].map((path) => stat(path).catch(() => undefined)));
  const owners = found.flatMap((stats) => stats?.uid ?? []);
  const uid = process.getuid?.();
  if (owners.length === 0 || uid === undefined || owners.includes(uid)) return [];
  return [
    advice(
      `The data directory or the key ring belongs to the user ${owners[0]}, and this is run by the user ${uid}, who may see what ` +
        `the service does not. Run it as the user of the service: sudo -u '#${owners[0]}' kontor doctor`,
    ),
  ];
}

async function database(config: Config, isOffline: boolean): Promise<readonly Finding[]> {
  let service: Service;
  try {
    service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  } catch (error) {
    return [problem((error as Error).message)];
  }
  try {
    return await explained(() => examineDatabase(config, service, isOffline));
  } catch (error) {
    // Anything else is a bug of ours, and shows where it happened.
    if (!(error instanceof Trouble)) throw error;
    return [problem(error.message)];
  } finally {
    await service.close();
  }
}

async function examineDatabase(config: Config, service: Service, isOffline: boolean): Promise<readonly Finding[]> {
  const reader = { run: service.database.read };
  const complaints = [
    ...(await serverComplaints(reader)),
    ...(await guardComplaints(reader)),
    ...(await rightsComplaints(reader)),
    ...(config.mode === 'production' ? await sandboxComplaints(reader) : []),
  ];
  return [
    ok('The database answers, is of this version, and fits the key ring.'),
    ...complaints.map(problem),
    ...(await sessions(config)),
    ...(await changes(service)),
    connections(await countConnections(reader)),
    ...(await clocks(service)),
    ...(await serverAdvice(reader)).map(advice),
    ...(await heldSnapshotAdvice(service.database.read)).map(advice),
    ...(await acquirers(service, isOffline)),
    ...(await setAside(service)),
    ...(await paymentNumbers(service)),
    ...(await keptSums(service)),
    await verification(service),
    ...(await endingCredentials(service)),
    ...(await oldKeys(service)),
  ];
}

/** Looks for a pooler that lends sessions. */
async function sessions({ databaseUrl }: Config): Promise<readonly Finding[]> {
  if (databaseUrl === undefined) return [];
  try {
    await requireSessions(databaseUrl);
    return [];
  } catch (error) {
    return [problem(reasonOf(error))];
  }
}

/** Credentials that end soon: the payee's program stops then. */
async function endingCredentials({ database }: Service): Promise<readonly Finding[]> {
  const ending = await listExpiring({ run: database.read });
  return ending.map(({ payeeId, kind, id, expiresAt }) =>
    advice(
      `The ${ENDING_NAMES[kind]} ${id} of the payee ${payeeId} ends at ${expiresAt}. Make another one in time: kontor ${kind}s ` +
        `${kind === 'oauth-client' ? 'create' : 'rotate'}`,
    ),
  );
}

/** Keys that should be rotated: what was deleted can be read in backups until their key is destroyed. */
async function oldKeys({ database, slices }: Service): Promise<readonly Finding[]> {
  const keys = slices.keys.commands.keys();
  const shown = await database.transact((transaction) => showKeys(transaction, keys, keys.keyUses));
  return shown
    .filter(({ isDue }) => isDue)
    .map(({ id, purpose, usedSince }) =>
      advice(
        `The key ${id} is in use since ${usedSince?.slice(0, 10)}, longer than ${KEY_ROTATION_DAYS} days: kontor keys rotate --purpose ${purpose}`,
      ),
    );
}

const ENDING_NAMES = {
  'access-token': 'access token',
  'hmac-key': 'HMAC key',
  'oauth-client': 'OAuth client',
} as const;

/** Adds a payee, and takes that back. */
async function changes({ database, merchants }: Service): Promise<readonly Finding[]> {
  const undone = new Error('undone');
  try {
    await explained(async () => {
      await database.serves(writeNothing);
      await database.transact(async (transaction) => {
        await createPayee(transaction, merchants, { name: 'kontor doctor', actor: COMMAND_LINE });
        throw undone;
      });
    });
  } catch (error) {
    if (error instanceof Trouble) return [problem(error.message)];
    if (error !== undone) return [problem(`The database takes no changes (${reasonOf(error)}).`)];
  }
  return [ok('The database takes changes.')];
}

/** What the database said. What a caller is told says less. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Refusal ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : 'unknown reason';
}

/** Connections of one process: of each pool, and one for work that takes long. */
const NEEDED_CONNECTIONS = Object.values(CONNECTIONS).reduce((sum, one) => sum + one, 1);

function connections(most: number): Finding {
  const needed = `A process opens up to ${NEEDED_CONNECTIONS} connections, and the server gives the role ${most}`;
  if (most >= NEEDED_CONNECTIONS) {
    return ok(`${needed}: enough for ${Math.floor(most / NEEDED_CONNECTIONS)} processes.`);
  }
  return problem(`${needed}. Raise max_connections, or the connection limit of the role or the database.`);
}

/** Seconds that two clocks may lie apart. A code of an authenticator is good for 30. */
const CLOCKS_APART_SECONDS = 5;

/** Times of payments are the database's; certificates, codes of authenticators and the numbers of messages go by this machine's. */
async function clocks({ database }: Service): Promise<readonly Finding[]> {
  const apart = Math.round((await readClock(database.read)) - Date.now() / 1000);
  if (Math.abs(apart) < CLOCKS_APART_SECONDS) return [];
  return [
    problem(
      `The clock of the database is ${Math.abs(apart)} seconds ${apart > 0 ? 'ahead of' : 'behind'} that of this machine. Let a time service ` +
        'set both, such as chrony.',
    ),
  ];
}

/** A sandbox has its own, which runs with the service. */
async function acquirers(service: Service, isOffline: boolean): Promise<readonly Finding[]> {
  const { config, acquirers, database } = service;
  if (config.mode === 'sandbox') return [];
  const { rows: payees } = await database.transact((transaction) => selectPayees(transaction, null));
  return examineAcquirers(acquirers, { payees, isOffline, read: database.read, host: config.host });
}

async function setAside({ database }: Service): Promise<Finding[]> {
  const { length } = await listSetAside(database);
  if (length === 0) return [];
  return [advice(`Background work has set ${length} rows aside. Run: kontor background list`)];
}

const SECONDS_OF_DAY = 86_400;

/** Told while there are years left to do something about it. */
const NUMBERS_NEARLY_USED = 0.8;

async function paymentNumbers({ database }: Service): Promise<Finding[]> {
  const share = await measureNumbers(database.read);
  if (share < NUMBERS_NEARLY_USED) return [];
  const percent = Math.floor(share * 100);
  return [advice(`A payee has used ${percent} % of the numbers of payments. At 100 % it takes no new ones.`)];
}

/** Days that sums may lack: what has moved since is read beside them, and of stored value all cards after a week. */
const UNCLOSED_DAYS = 2;

async function keptSums({ database: { read } }: Service): Promise<Finding[]> {
  const seconds = Math.max(await selectOverdueSums(read), await selectOverdueBalances(read));
  const days = Math.floor(seconds / SECONDS_OF_DAY);
  if (days < UNCLOSED_DAYS) return [];
  return [
    advice(
      `Sums for reports lack ${days} days: a report reads what has moved since. Let the service run, end what holds a snapshot or a transaction, ` +
        'and run: kontor background list',
    ),
  ];
}

/** Days after which the books should be looked at again: it is run every night. */
const VERIFIED_DAYS = 7;

async function verification({ database }: Service): Promise<Finding> {
  const last = await lastVerification(database.read);
  if (last === undefined) return advice('The ledger has never been verified. Run every night: kontor ledger verify');
  const { ageSeconds, broken } = last;
  if (broken > 0) {
    return problem(`The last verification found ${broken} broken invariants. Look at the rows: kontor ledger verify`);
  }
  const days = Math.floor(ageSeconds / SECONDS_OF_DAY);
  if (days < VERIFIED_DAYS) return ok('The ledger was verified within a week, and every invariant held.');
  return advice(`The ledger was verified ${days} days ago. Run every night: kontor ledger verify`);
}

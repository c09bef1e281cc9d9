import { access, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../src/config.ts';
import { connect } from '../src/db/server/connection.ts';
import { requireMode } from '../src/db/server/installation.ts';
import { ensureCallbackSecret } from '../src/events/webhooks/callback-secret.ts';
import { SERVICE } from '../src/kit/caller.ts';
import { Trouble } from '../src/kit/work/trouble.ts';
import type { Service } from '../src/wiring/service.ts';
import { startEmbedded } from './postgres/embedded.ts';
import { hasEmbedded } from './postgres/embedded-paths.ts';
import { readSandboxFile, sandboxFile, writeSandboxFile } from './sandbox-file.ts';
import { ensureSandboxAccounts } from './seeds/ensure-accounts.ts';
import { ensureSandboxMerchant } from './seeds/ensure-merchant.ts';
import { ensureSandboxProduct } from './seeds/ensure-product.ts';
import {
  ensureSandboxUsers,
  findSandboxHashes,
  makeSandboxPasswords,
  type SandboxPasswords,
} from './seeds/ensure-users.ts';

/** What the sandbox tells its user: `<data>/sandbox.json`. */
export type SandboxContent = Readonly<Record<string, unknown>> & {
  readonly baseUrl: string;
  readonly payeeId: string;
  readonly accessToken: string;
  readonly portal: { readonly email: string };
};

export interface PreparedSandbox {
  readonly content: SandboxContent;
  /** Whether the access token was made by this start: then it is shown on the terminal, once. */
  readonly isNew: boolean;
}

/** What an earlier start has written down, and the passwords that are to be stored. */
export interface BegunSandbox {
  readonly file: Awaited<ReturnType<typeof readSandboxFile>>;
  readonly passwords: SandboxPasswords;
}

/**
 * Begins with what takes long, beside the rest of a start.
 *
 * @returns what does the rest once the service listens at its address: it resolves to what a person reads first
 */
export function startSandbox(config: Config, service: Service): (baseUrl: string) => Promise<string> {
  const begun = beginSandbox(config, service);
  begun.catch(() => undefined); // Where something else fails before it is waited for, that is told.
  return async (baseUrl) => {
    const prepared = await prepareSandbox(config, service, { ...(await begun), baseUrl });
    // The first start has made a product, whose cards' numbers begin in a way of their own.
    await service.loadCardPrefixes();
    return welcome(prepared, config.dataDir);
  };
}

/**
 * Reads what is there and makes the passwords that are missing. To hash them takes half a second of other threads: a start
 * begins with it, and loads the rest meanwhile.
 */
export async function beginSandbox({ dataDir }: Config, { database, portalUsers }: Service): Promise<BegunSandbox> {
  const file = await readSandboxFile(dataDir);
  const hashes = await database.transact((transaction) => findSandboxHashes(transaction, portalUsers));
  return { file, passwords: await makeSandboxPasswords(portalUsers, { file, hashes }) };
}

/**
 * Makes the demo payee and its credentials where they are missing, and writes them down. Addresses follow the settings
 * of this start; what others added to the file stays.
 */
export async function prepareSandbox(
  config: Config,
  service: Service,
  { file, passwords, baseUrl }: BegunSandbox & { readonly baseUrl: string },
): Promise<PreparedSandbox> {
  const { credentials, made, money, giftCardProductId, callbackSecret, users } = await service.database.transact(
    async (transaction) => {
      const merchant = await ensureSandboxMerchant(transaction, service.merchants, { file, actor: SERVICE });
      const owner = { payeeId: merchant.credentials.payeeId, actor: SERVICE };
      const giftCardProductId = await ensureSandboxProduct(transaction, service.giftCards, owner);
      const callbackSecret = await ensureCallbackSecret(transaction, service.merchants, owner.payeeId);
      const money = await ensureSandboxAccounts(transaction, service.accounts, owner);
      const users = await ensureSandboxUsers(transaction, service.portalUsers, { ...owner, passwords });
      return { ...merchant, giftCardProductId, callbackSecret, money, users };
    },
  );
  const content = {
    ...file,
    baseUrl,
    ...credentials,
    oauth: { tokenUrl: `${baseUrl}/oauth/token`, ...credentials.oauth },
    callbackSecret: callbackSecret.reveal(),
    giftCardProductId,
    ...money,
    portal: { url: `${baseUrl}/portal`, ...users },
  };
  if (JSON.stringify(content) !== JSON.stringify(file)) await writeSandboxFile(config.dataDir, content);
  return { content, isNew: made.includes('accessToken') };
}

/** The first minute: where it is, how to get in, and a line to paste. */
function welcome({ content, isNew }: PreparedSandbox, dataDir: string): string {
  const { baseUrl, payeeId, accessToken } = content;
  const token = isNew ? accessToken : '$TOKEN';
  const lines = [
    '',
    'Kontor is ready: a sandbox for development. Use test card numbers only.',
    '',
    `  API        ${baseUrl}`,
    `  Portal     ${baseUrl}/portal\n             (sign in as ${content.portal.email}; the password is in ${dataDir}/sandbox.json)`,
    `  Reference  ${baseUrl}/docs`,
    '',
    isNew
      ? `  Token      ${accessToken}\n             (shown once; it is also in ${dataDir}/sandbox.json)`
      : `  Token      in ${dataDir}/sandbox.json`,
    '',
    'Try it:',
    '',
    ...(isNew
      ? []
      : ['  TOKEN=$(npm run -s kontor -- sandbox | node -p "JSON.parse(fs.readFileSync(0)).accessToken")']),
    `  curl -H "Authorization: Bearer ${token}" ${baseUrl}/online/payer/payees/${payeeId}/payers/anna/tokens`,
    '',
    'Stop it with Ctrl-C. What you stored is there at the next start.',
    '',
  ];
  return lines.join('\n');
}

/**
 * Forgets all that the sandbox has stored: its database, keys and credentials. The next start begins anew.
 *
 * The database says what it is: settings can be lost.
 *
 * @throws Trouble in production, with a database of its own, or while a service or command uses the directory
 */
export async function resetSandbox(config: Config): Promise<void> {
  if (config.mode !== 'sandbox') throw new Trouble('Only a sandbox can be started afresh; KONTOR_MODE is production.');
  if (config.databaseUrl !== undefined) {
    throw new Trouble('KONTOR_DATABASE_URL names a database of your own: empty it yourself, then start again.');
  }
  if (!(await hasEmbedded(config.dataDir))) {
    if (await isThere(config.keyFile)) {
      throw new Trouble(
        `There is no sandbox in ${config.dataDir}, so the key ring ${config.keyFile} may belong to another database. Nothing was ` +
          'deleted. Load the settings of the sandbox, or move the key ring away.',
      );
    }
    return rm(sandboxFile(config.dataDir), { force: true });
  }
  // A process that can own the directory knows that no other uses it.
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'serve', log: () => undefined });
  try {
    const connection = await connect(embedded.appUrl);
    await requireMode((statement, values) => connection.run(statement, values), 'sandbox').finally(() =>
      connection.end(),
    );
  } finally {
    await embedded.stop();
  }
  await rm(join(config.dataDir, 'postgres'), { recursive: true, force: true });
  if (dirname(config.keyFile) === config.dataDir) await rm(config.keyFile, { force: true });
  await rm(sandboxFile(config.dataDir), { force: true });
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { startEmbedded } from '../../db/embedded/embedded.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { sandboxFile } from './sandbox-file.ts';

/**
 * Forgets all that the sandbox has stored: its database, keys and credentials. The next start begins anew.
 *
 * @throws Trouble in production, with a database of its own, or while a service or command uses the directory
 */
export async function resetSandbox(config: Config): Promise<void> {
  if (config.mode !== 'sandbox') throw new Trouble('Only a sandbox can be started afresh; KONTOR_MODE is production.');
  if (config.databaseUrl !== undefined) {
    throw new Trouble('KONTOR_DATABASE_URL names a database of your own: empty it yourself, then start again.');
  }
  // Whoever can own the directory knows that nobody uses it.
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'serve', log: () => undefined });
  await embedded.stop();
  await rm(join(config.dataDir, 'postgres'), { recursive: true, force: true });
  if (dirname(config.keyFile) === config.dataDir) await rm(config.keyFile, { force: true });
  await rm(sandboxFile(config.dataDir), { force: true });
}

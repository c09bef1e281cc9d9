import type { Config } from '../../config.ts';

/** Addresses and credentials that the sandbox of these settings has written down; undefined where there are none. */
export async function readSandbox({
  mode,
  dataDir,
}: Pick<Config, 'mode' | 'dataDir'>): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (mode !== 'sandbox') return undefined;
  return (await import('../../../sandbox/sandbox-file.ts')).readSandboxFile(dataDir);
}

import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedFailure } from './embedded-failure.ts';

/** Where the embedded PostgreSQL keeps what is its own. */
export interface EmbeddedPaths {
  /** The service's data directory, without symbolic links, so that two names of one directory are seen to be one. */
  readonly dataDir: string;
  /** Holds all below. It appears by one rename, complete, so that a first start that was killed leaves nothing half made. */
  readonly home: string;
  /** What PostgreSQL calls its data directory. */
  readonly cluster: string;
  readonly passwords: string;
  readonly log: string;
}

/** Bytes of a Unix socket's path: the system allows 103 (macOS) or 107 (Linux), less a margin. */
const SOCKET_PATH_BYTES = 100;

/** Whether the server has a socket, in its cluster. Where the path would be too long it listens on the loopback address. */
export function hasSocket({ cluster }: EmbeddedPaths): boolean {
  return Buffer.byteLength(join(cluster, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES;
}

/** The same layout under another home: the first start builds it aside. */
export function layout(dataDir: string, home = join(dataDir, 'postgres')): EmbeddedPaths {
  return {
    dataDir,
    home,
    cluster: join(home, 'data'),
    passwords: join(home, 'passwords.json'),
    log: join(home, 'postgres.log'),
  };
}

/** Whether a first start has made a database in the data directory. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return stat(layout(dataDir).home).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/**
 * Makes the data directory if it is missing, private to us. As root it is passable (not listable) for others: PostgreSQL
 * then runs as another user and must get to its own directory; the secrets beside it are protected one by one.
 *
 * @throws EmbeddedFailure where we may not write there
 */
export async function prepareDataDir(dataDir: string, log: (line: string) => void): Promise<EmbeddedPaths> {
  const asRoot = process.getuid?.() === 0;
  try {
    await mkdir(dataDir, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
    await access(dataDir, constants.W_OK);
  } catch (cause) {
    throw new EmbeddedFailure(
      `The data directory ${dataDir} cannot be made or written. Set KONTOR_DATA_DIR to a directory of your own, or give this ` +
        'one to the user that Kontor runs as.',
      { cause },
    );
  }
  const path = await realpath(dataDir);
  const mode = (await stat(path)).mode & 0o777;
  if (asRoot && (mode & 0o001) === 0) {
    await chmod(path, mode | 0o011);
    log(`${path} is now passable for other users (chmod +x): as root, PostgreSQL runs as another one.`);
  }
  return layout(path);
}

import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedFailure, failedWith } from './embedded-failure.ts';
import type { EmbeddedPaths } from './embedded-paths.ts';

/** The system's user that PostgreSQL runs as, where that is not ours. */
export interface ServerUser {
  readonly name: string;
  readonly userId: number;
  readonly groupId: number;
}

/** In this order; both are part of every usual system, so no user is made. */
const CANDIDATES = ['postgres', 'nobody'];

/**
 * Who runs the server: we ourselves, except as root, which PostgreSQL refuses. Then it is the owner of the database
 * files, and before there are any, `postgres` or `nobody`.
 *
 * @returns undefined for ourselves
 * @throws EmbeddedFailure where the files belong to another user, or no user is to be had
 */
export async function chooseServerUser(paths: EmbeddedPaths): Promise<ServerUser | undefined> {
  const ourUserId = process.getuid?.();
  const owner = await ownerOf(paths.cluster);
  if (ourUserId !== 0) {
    if (owner === undefined) checkNamed();
    if (owner === undefined || owner.userId === ourUserId) return undefined;
    throw new EmbeddedFailure(
      `The database in ${paths.home} belongs to the user with id ${owner.userId}. ` +
        'Start Kontor as that user or as root, or set KONTOR_DATA_DIR to a directory of your own.',
    );
  }
  const users = await readUsers();
  if (owner !== undefined) return users.find(({ userId }) => userId === owner.userId) ?? owner;
  for (const candidate of CANDIDATES) {
    const user = users.find(({ name, userId }) => name === candidate && userId > 0);
    if (user !== undefined) return user;
  }
  throw new EmbeddedFailure(
    'PostgreSQL refuses to run as root, and this system has neither a user postgres nor a user nobody to run it as. ' +
      'Start Kontor as an ordinary user, or set KONTOR_DATABASE_URL to a PostgreSQL that runs elsewhere.',
  );
}

/** initdb looks its user up; a container that was started under a bare number has none to find. */
function checkNamed(): void {
  try {
    userInfo();
  } catch (cause) {
    throw new EmbeddedFailure(
      `The user id ${process.getuid?.()} has no name on this system, and PostgreSQL's initdb wants one. Add a line for it to ` +
        '/etc/passwd, start Kontor as a user that has one, or set KONTOR_DATABASE_URL to a PostgreSQL that runs elsewhere.',
      { cause },
    );
  }
}

async function ownerOf(path: string): Promise<ServerUser | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { name: `with id ${uid}`, userId: uid, groupId: gid };
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function readUsers(): Promise<ServerUser[]> {
  const text = await readFile('/etc/passwd', 'utf8');
  return text.split('\n').map((line) => {
    const [name = '', , userId, groupId] = line.split(':');
    return { name, userId: Number(userId), groupId: Number(groupId) };
  });
}

/**
 * The first directory on the way to a path, and at last the path itself, that this user may not pass. By the permission
 * bits alone: access lists are not read.
 */
export async function findBarrier(path: string, user: ServerUser): Promise<string | undefined> {
  const parent = dirname(path);
  const barrier = parent === path ? undefined : await findBarrier(parent, user);
  if (barrier !== undefined) return barrier;
  const { uid, gid, mode } = await stat(path);
  const bits = uid === user.userId ? mode >> 6 : gid === user.groupId ? mode >> 3 : mode;
  return (bits & 0o001) === 0 ? path : undefined;
}

/** @throws EmbeddedFailure that names the directory in the way and the remedies */
export async function checkReach(paths: EmbeddedPaths, user: ServerUser): Promise<void> {
  const barrier = await findBarrier(paths.dataDir, user);
  if (barrier === undefined) return;
  throw new EmbeddedFailure(
    `As root, Kontor runs PostgreSQL as the user ${user.name}, who cannot get to ${paths.dataDir} because ${barrier} is ` +
      `private. Let others pass it with: chmod o+x ${barrier} - or set KONTOR_DATA_DIR to a directory that every user can ` +
      'reach, for instance /var/lib/kontor - or start Kontor as an ordinary user.',
  );
}

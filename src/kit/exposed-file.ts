import { Trouble } from './work/trouble.ts';

/** What the system says of a file. */
export interface FileModes {
  readonly mode: number;
  /** Its owner's number. */
  readonly uid: number;
}

/**
 * A reader of a key can pass for the one whose it is. The owner alone may use it; the group may read it where root owns
 * it, as those who keep keys for several services arrange it, and as PostgreSQL allows it. Windows has no such modes.
 *
 * @throws Trouble where others may use it
 */
export function refuseExposed(path: string, { mode, uid }: FileModes): void {
  const forbidden = uid === 0 ? 0o037 : 0o077;
  if (process.platform === 'win32' || (mode & forbidden) === 0) return;
  throw new Trouble(`Others than its owner may use the key in ${path}. Run: chmod 0600 ${path}`);
}

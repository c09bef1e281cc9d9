import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose files a build is made of. */
const FOLDERS = ['src', 'sandbox', 'client', 'locales', 'checkout', 'portal'];
/** Files elsewhere that decide what it makes. */
const OTHER_SOURCES = [
  'package-lock.json',
  'scripts/build-checkout.mjs',
  'scripts/build-checks.mjs',
  'scripts/build-portal.mjs',
  'scripts/build-service.mjs',
  'scripts/build.mjs',
  'scripts/stamp.mjs',
  'tsconfig.build.json',
  'tsconfig.json',
];

/**
 * What the sources look like: a line for each file with its size and its time of change. Two equal stamps mean that
 * nothing was changed, added, removed or renamed in between. Files are not read: the comparison runs before every
 * command and must cost next to nothing.
 *
 * @param {string} root the project's folder, absolute
 */
export function stampOf(root) {
  const inFolders = FOLDERS.flatMap((folder) => filesIn(join(root, folder)));
  const files = [...inFolders, ...OTHER_SOURCES.map((file) => join(root, file))].sort();
  return files.map((file) => lineOf(root, file)).join('');
}

function filesIn(folder) {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function lineOf(root, file) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  const seen = status === undefined ? 'absent' : `${status.size} ${status.mtimeMs}`;
  return `${file.slice(root.length + 1)} ${seen}\n`;
}

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files outside `src/` that decide what a build makes. */
const OTHER_SOURCES = [
  'package-lock.json',
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
  const inSrc = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = [...inSrc, ...OTHER_SOURCES.map((file) => join(root, file))].sort();
  return files.map((file) => lineOf(root, file)).join('');
}

function lineOf(root, file) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  const seen = status === undefined ? 'absent' : `${status.size} ${status.mtimeMs}`;
  return `${file.slice(root.length + 1)} ${seen}\n`;
}

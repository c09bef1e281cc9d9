import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the project: its path from the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export const ROOT = join(import.meta.dirname, '..', '..');

/** What is made or kept here but is no part of the project, as in `.gitignore`. */
const NOT_OURS = /(^|\/)(\.git|node_modules|dist|\.dist-.*|data|coverage|screenshots)$/;

/** The text files of the project, or of one folder in it, sorted. An absent folder has none. */
export function projectFiles(folder = '.'): SourceFile[] {
  return paths(folder)
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(ROOT, path)) }))
    .filter(({ bytes }) => !bytes.includes(0))
    .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));
}

/** The sources of the service, and of what a sandbox has beside it, without their tests. */
export function serviceSources(): SourceFile[] {
  return [...projectFiles('src'), ...projectFiles('sandbox')].filter(
    ({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
}

function paths(folder: string): string[] {
  if (statSync(join(ROOT, folder), { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.test(path)) return [];
    if (entry.isDirectory()) return paths(path);
    return entry.isFile() ? [path] : [];
  });
}

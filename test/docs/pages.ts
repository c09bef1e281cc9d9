import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../..');

/** Every document of the project, as paths below it. */
export function listPages(): string[] {
  const names = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  return ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...docs];
}

export function readPage(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

export interface Link {
  readonly text: string;
  /** Path below the project. */
  readonly path: string;
  /** What stands behind the `#`. */
  readonly fragment: string | undefined;
}

/** The links of a page that stay within the project. */
export function linksOf(page: string): Link[] {
  const text = readPage(page).replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].flatMap(([, label = '', target = '']) => {
    if (/^https?:/.test(target)) return [];
    const [path = '', fragment] = target.split('#');
    return [{ text: label, path: path === '' ? page : join(dirname(page), path), fragment }];
  });
}

/** The lines of a page's blocks that are marked as shell, in their order: one script. */
export function scriptOf(page: string): string {
  return [...readPage(page).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

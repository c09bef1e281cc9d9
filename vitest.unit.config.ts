import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** A test that reaches none of these by its imports needs no database, no browser and no build: nothing but Node. */
const HEAVY = /from '(node:child_process|playwright-core|pg|[./\w-]*\/support\/(database|server|embedded)\.ts)'/;
const RELATIVE_IMPORT = /from '(\.[^']+)'/g;

const reached = new Map<string, boolean>();

/** Tests that need no database: `npm run test:unit`. */
export default defineConfig({
  test: {
    include: testFiles().filter((file) => !isHeavy(file)),
    setupFiles: ['test/support/checks-setup.ts', 'test/support/process-setup.ts'],
    isolate: false,
    maxWorkers: 2,
    retry: 0,
  },
});

function testFiles(): string[] {
  return ['src', 'sandbox', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
}

/** Whether a file, or one that it imports, needs more than Node. */
function isHeavy(file: string): boolean {
  const known = reached.get(file);
  if (known !== undefined) return known;
  reached.set(file, false);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const imported = [...text.matchAll(RELATIVE_IMPORT)].map(([, path = '']) => join(dirname(file), path));
  const heavy = HEAVY.test(text) || imported.some(isHeavy);
  reached.set(file, heavy);
  return heavy;
}

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linksOf, PROJECT } from './pages.ts';

test('every operation stands on docs/operations.md, under a page that tells of its kind', () => {
  execFileSync(process.execPath, ['scripts/operations-page.mjs', '--check'], { cwd: PROJECT, stdio: 'pipe' });
  for (const { path } of linksOf('docs/operations.md')) expect(existsSync(join(PROJECT, path)), path).toBe(true);
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readPage } from './pages.ts';

const FOLDERS = readdirSync(join(PROJECT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('each folder of src has a row in the table of ARCHITECTURE.md, and a place in the order of imports', () => {
  const page = readPage('ARCHITECTURE.md');
  const [, table = ''] = page.split('\n## Folders\n');
  const rows = [...table.matchAll(/^\| `([a-z0-9-]+)\/` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(FOLDERS.toSorted());
  const [, order = ''] = /lowest: `([^`]+)`/.exec(page) ?? [];
  const ordered = order.split('<').map((name) => name.trim());
  expect(ordered.toSorted()).toEqual(FOLDERS.toSorted());
});

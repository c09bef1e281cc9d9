import { appendFileSync, cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Installation, install } from '../support/kontor.ts';

let database: TestDatabase;
let installation: Installation;
beforeAll(async () => {
  database = await testDatabase();
  installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_KEY_FILE: 'ring.json',
  });
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

test('production does not start with a script of the page that was changed, and doctor names it', async () => {
  // A copy in place of the link, because other tests read the original; so the package is this folder, with all that is in it.
  const project = join(import.meta.dirname, '../..');
  const dist = join(installation.folder, 'dist');
  rmSync(dist);
  cpSync(join(project, 'dist'), dist, { recursive: true });
  for (const name of ['migrations', 'openapi']) symlinkSync(join(project, name), join(installation.folder, name));
  await installation.firstStart();
  // In a process of its own: those that tests share have loaded another package.
  const kontor = (command: string) => installation.run([process.execPath, 'dist/main.js', command]);
  expect((await kontor('doctor')).stdout).toContain("✓ What payers' browsers load is");
  const script = readdirSync(join(dist, 'checkout')).find((name) => /^page-.*\.js$/.test(name)) ?? '';
  appendFileSync(join(dist, 'checkout', script), '\nfetch("https://evil.example")');
  const refused = await kontor('serve');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('page.js in dist/checkout');
  const { status, stdout } = await kontor('doctor');
  expect(stdout).toContain('✗ What payers');
  expect(status).toBe(1);
}, 120_000);

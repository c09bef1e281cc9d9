import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, install } from '../support/kontor.ts';
import { type TestService, testService } from '../support/service.ts';
import { openBrowser } from '../support/shop/portal.ts';

let service: TestService;
let baseUrl: string;
let installation: Installation;
beforeAll(async () => {
  service = await testService();
  ({ baseUrl } = service);
  const { appUrl, ownerUrl } = service.database;
  // Commands beside the service, at its database: to start an embedded one takes longer than all of them.
  installation = install({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: appUrl,
    KONTOR_DATABASE_OWNER_URL: ownerUrl,
    KONTOR_DATA_DIR: service.config.dataDir,
  });
}, 180_000);
afterAll(async () => {
  await installation.remove();
  await service.stop();
});

/** Runs a command that must succeed, and gives what it printed as JSON. */
async function kontor(...args: readonly string[]) {
  const { status, stdout, stderr } = await installation.kontor(['portal-users', ...args, '--json']);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('the first users come from commands, which print their links', async () => {
  const { userId, link } = await kontor('create', '--email', 'anna@example.com', '--name', 'Anna');
  expect(link).toContain('/portal/invitation#ki_');
  const listed = async () => (await kontor('list')).find((user: { userId: string }) => user.userId === userId);
  expect(await listed()).toMatchObject({ email: 'anna@example.com', role: 'administrator', state: 'Invited' });

  const again = await kontor('invite', userId);
  const accept = (address: string) =>
    openBrowser(baseUrl).post('/portal/api/invitations/accept', {
      invitation: new URL(address).hash.slice(1),
      password: 'plenty of fish in the fjord',
    });
  expect((await accept(link)).status).toBe(404);
  expect((await accept(again.link)).body.session).toMatchObject({ userId, role: 'administrator' });

  expect(await kontor('disable', userId)).toEqual({ userId, state: 'Disabled' });
  expect(await kontor('enable', userId)).toEqual({ userId, state: 'Active' });
  expect(await kontor('create', '--operator', '--email', 'ole@example.com', '--name', 'Ole')).toMatchObject({
    link: expect.stringContaining('#ki_00000000000000000000000000000000_'),
  });
  expect((await kontor('list', '--operator')).map(({ role }: { role: string }) => role)).toEqual([
    'operator',
    'operator',
  ]);
}, 120_000);

test('mistakes are said in words', async () => {
  const args = ['portal-users', 'create', '--email', 'berit@example.com', '--name', 'Berit', '--role', 'boss'];
  const wrong = await installation.kontor(args);
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('role must be one of administrator') });
  const malformed = await installation.kontor(['portal-users', 'create', '--email', 'berit', '--name', 'Berit']);
  expect(malformed).toMatchObject({ status: 1, stderr: expect.stringContaining('email') });
  const unknown = await installation.kontor(['portal-users', 'disable', crypto.randomUUID()]);
  expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('This payee has no such portal user.') });
}, 60_000);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { inviteUser } from '../../src/portal-users/invitations.ts';
import { codeOfStep } from '../../src/portal-users/passwords/second-factor.rules.ts';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { openBrowser, seedOf } from '../support/shop/portal.ts';

let kontor: ProductionService;
beforeAll(async () => {
  kontor = await productionService({ KONTOR_TLS_TERMINATED: 'true', KONTOR_PUBLIC_URL: 'https://pay.example.com' });
});
afterAll(() => kontor.stop());

const PASSWORD = 'plenty of fish in the fjord';

test('in production a user sets up a second factor before anything else, and then signs in with it', async () => {
  const { service, payeeId } = kontor;
  const made = await service.database.transact((transaction) =>
    inviteUser(transaction, service.portalUsers, {
      payeeId,
      email: 'anna@example.com',
      name: 'Anna',
      role: 'administrator',
      actor: COMMAND_LINE,
    }),
  );
  const invitation = made.invitation.reveal();
  const own = openBrowser(`http://127.0.0.1:${kontor.running.port}`, 'https://pay.example.com');
  const accepted = await own.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
  expect(accepted.headers.getSetCookie()[0]).toMatch(/^__Host-sid=kp_\w+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  expect(accepted.body.session).toMatchObject({ secondFactor: 'missing', mode: 'production' });
  expect(accepted.body.session.operations).not.toContain('listUsers');
  const users = `/portal/api/payees/${payeeId}/users`;
  expect((await own.get(users)).body.problems[0].name).toBe('second-factor');

  const { secret } = (await own.post('/portal/api/account/second-factor')).body;
  const seed = seedOf(secret);
  const step = Math.floor(Date.now() / 30_000);
  const code = codeOfStep(seed, step);
  const before = own.cookie;
  const confirmed = await own.post('/portal/api/account/second-factor/confirm', { code });
  expect(confirmed.body.session).toMatchObject({ secondFactor: 'on' });
  expect(own.cookie).not.toBe(before);
  expect((await own.get(users)).status).toBe(200);

  const signIn = { email: 'anna@example.com', password: PASSWORD };
  expect((await own.signIn(signIn)).body).toEqual({ next: 'second-factor' });
  expect((await own.signIn({ ...signIn, code: codeOfStep(seed, step + 1) })).body.next).toBe('none');
  const strange = await own.post('/portal/api/session', signIn, { origin: `http://127.0.0.1:${kontor.running.port}` });
  expect(strange.body.problems[0].name).toBe('origin');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type TestService, testService } from '../support/service.ts';
import { openBrowser, signedIn, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

// In `npm run test:faults` alone, because each is hashed; who is let in is told beside the code, without a hash.
test.runIf(IS_LONG_RUN)(
  'more sign-ins than can be compared are 429 with a time to come back, never an error of ours',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        openBrowser(kontor.baseUrl).signIn({ email: `nobody-${n}@example.com`, password: `wrong ${n}` }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    const over = answers.filter(({ status }) => status === 429);
    for (const { headers } of over) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(over.length).toBeLessThan(60);
    expect(over.length).toBeGreaterThan(0);
  },
);

test('a new password is none of the last four, also by an invitation', async () => {
  const browser = await signedInAs(kontor, 'support');
  const change = (newPassword: string) => browser.post('/portal/api/account/password', { newPassword });
  const words = ['first', 'second', 'third', 'fourth'].map((word) => `the ${word} rowing boat of ours`);
  for (const word of words) expect((await change(word)).status).toBe(200);
  for (const word of [words[0] ?? '', words[3] ?? '']) {
    const { status, body } = await change(word);
    expect([word, status, body.problems?.[0]]).toEqual([
      word,
      400,
      { name: 'newPassword', description: 'must not be one of your last four' },
    ]);
  }
  const { userId } = (await browser.get('/portal/api/session')).body;
  const administrator = await signedIn(kontor);
  const users = `/portal/api/payees/${kontor.payeeId}/users`;
  const { invitation } = (await administrator.post(`${users}/${userId}/invitation`)).body;
  const accept = (password: string) =>
    openBrowser(kontor.baseUrl).post('/portal/api/invitations/accept', {
      invitation: new URL(invitation.link).hash.slice(1),
      password,
    });
  expect((await accept(words[0] ?? '')).status).toBe(400);
  // The one before the first of the four.
  expect((await accept('plenty of fish in the fjord')).status).toBe(200);
  // Some thirty passwords are hashed, slowly on purpose.
}, 120_000);

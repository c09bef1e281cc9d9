import { describe, expect, test, vi } from 'vitest';
import type { Secret } from '../../src/kit/secret.ts';
import type { PortalUsersContext } from '../../src/portal-users/portal-users.types.ts';
import { makeSandboxPasswords } from './ensure-users.ts';
import { checkOf } from './users.rules.ts';

const hashOf = (password: string) => `hash of ${password}`;
const hash = vi.fn(async (password: Secret) => hashOf(password.reveal()));
const isRight = vi.fn(async (password: Secret, stored: string | undefined) => stored === hashOf(password.reveal()));
const context = {
  config: { mode: 'sandbox' },
  newSecret: () => 'a new secret of twenty characters',
  passwords: { hash, isRight },
} as unknown as PortalUsersContext;
const NEW = 'of twenty characters';

/** What is made of a file that has one password for both users, of whom both have the same hash. */
async function passwordsOf(user: object, stored: string | undefined) {
  vi.clearAllMocks();
  const { administrator } = await makeSandboxPasswords(context, {
    file: { portal: { ...user, operator: user } },
    hashes: { administrator: stored, operator: stored },
  });
  return administrator;
}

describe('the passwords of sandbox.json', () => {
  test('stay without a hash while their check fits', async () => {
    const user = { password: 'old', check: checkOf('old', hashOf('old')) };
    expect(await passwordsOf(user, hashOf('old'))).toEqual({ password: 'old', hash: hashOf('old'), isNew: false });
    expect(isRight).not.toHaveBeenCalled();
  });

  test.each([
    ['has no check, as an earlier version wrote it', { password: 'old' }],
    ['has the check of another hash', { password: 'old', check: checkOf('old', hashOf('other')) }],
    ['has a check that is no text', { password: 'old', check: 7 }],
  ])('are hashed to see that they are right where the file %s', async (_, user) => {
    expect(await passwordsOf(user, hashOf('old'))).toMatchObject({ password: 'old', isNew: false });
    expect(isRight).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['was edited', { password: 'edited', check: checkOf('old', hashOf('old')) }, hashOf('old')],
    ['is that of before it was set anew', { password: 'old', check: checkOf('old', hashOf('old')) }, hashOf('set')],
    ['is of a user who is not there', { password: 'old', check: checkOf('old', hashOf('old')) }, undefined],
    ['is no text', { password: 7 }, hashOf('old')],
  ])('are made anew where one %s', async (_, user, stored) => {
    expect(await passwordsOf(user, stored)).toEqual({ password: NEW, hash: hashOf(NEW), isNew: true });
  });
});

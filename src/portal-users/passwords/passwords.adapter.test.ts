import { expect, test } from 'vitest';
import { scryptPasswords } from './passwords.adapter.ts';

test('who comes while twenty-two sign in is refused with a time to come back, until one of them is done', async () => {
  const { admit } = scryptPasswords();
  const done: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void done.push(resolve));
  const admitted = Array.from({ length: 22 }, () => admit(work));
  const next = () => admit(() => Promise.resolve('let in'));
  await expect(next()).rejects.toMatchObject({ code: 'toomanyrequests', retryAfterSeconds: 5 });
  expect(done).toHaveLength(22);
  done[0]?.();
  await admitted[0];
  expect(await next()).toBe('let in');
  for (const end of done) end();
  await Promise.all(admitted);
});

test('work that fails gives its place back', async () => {
  const { admit } = scryptPasswords();
  for (let times = 0; times < 23; times++) {
    await expect(admit(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  }
});

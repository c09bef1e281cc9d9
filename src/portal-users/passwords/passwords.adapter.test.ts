import { expect, test } from 'vitest';
import { scryptPasswords } from './passwords.adapter.ts';

test('who comes while two sign in and twenty wait is refused with a time to come back, until one of them is done', async () => {
  const { admit } = scryptPasswords();
  const done: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void done.push(resolve));
  const admitted = Array.from({ length: 22 }, () => admit('192.0.2.1', work));
  const next = () => admit('192.0.2.1', () => Promise.resolve('let in'));
  await expect(next()).rejects.toMatchObject({ code: 'toomanyrequests', retryAfterSeconds: 5 });
  expect(done).toHaveLength(2);
  done[0]?.();
  await admitted[0];
  const last = next();
  for (let end = done.shift(); end !== undefined; end = done.shift()) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(admitted);
  expect(await last).toBe('let in');
});

test('work that fails gives its place back', async () => {
  const { admit } = scryptPasswords();
  for (let times = 0; times < 23; times++) {
    await expect(admit('192.0.2.1', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  }
});

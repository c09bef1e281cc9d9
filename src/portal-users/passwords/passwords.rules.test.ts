import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { checkPassword } from './passwords.rules.ts';

const ANNA = { email: 'anna.andersen@example.com', name: 'Anna Kristiansen' };
const check = (password: string) => () => checkPassword(password, ANNA, 'password');

describe('checkPassword', () => {
  test.each([
    'correct horse battery staple',
    'mitt lange passord om elgen',
    'Tr0ub4dor&3-and-more',
    'ørretfiske ved Mjøsa',
    'fiske-3-ørret',
    '🐟🐠🐡🦈🐙🦑🦐🦞🦀🐚🐳🐋 og 2',
    'x'.repeat(64) + 'abcdefg'.repeat(9),
  ])('takes %s', (password) => {
    expect(check(password)).not.toThrow();
  });

  test.each([
    ['eleven12345', 'at least 12'],
    ['🐟🐠🐡🦈🐙🦑🦐🦞🦀🐚🐳', 'at least 12'],
    ['abcdefgh'.repeat(17), 'at most 128'],
    ['password1234', 'guessed first'],
    ['Password!Password!', 'guessed first'],
    ['Qwertyuiop123', 'guessed first'],
    ['välkommen2026!', 'guessed first'],
    ['123456789012', 'guessed first'],
    ['1q2w3e4r5t6y', 'guessed first'],
    ['sonyericsson', 'guessed first'],
    ['LeaveMeAlone', 'guessed first'],
    ['ghbdtnrfrltkf', 'guessed first'],
    ['!!--mustang--2026', 'guessed first'],
    ['210987654321', 'guessed first'],
    ['abcdefghijklmnop', 'guessed first'],
    ['aaaaaaaaaaaaaa', 'guessed first'],
    ['abababababab', 'guessed first'],
    ['🐟🐠🐡🦈🐙🦑🦐🦞🦀🐚🐳🐋', 'letters and digits'],
    ['ørretfiskeved-Mjøsa', 'letters and digits'],
    ['7301-9482-6650', 'letters and digits'],
    ['anna.andersen2026', 'your name or address'],
    ['KRISTIANSEN-1990', 'your name or address'],
  ])('refuses %s: %s', (password, reason) => {
    expect(check(password)).toThrow(Refusal);
    try {
      check(password)();
    } catch (error) {
      expect((error as Refusal).problems).toEqual([{ name: 'password', description: expect.stringContaining(reason) }]);
    }
  });
});

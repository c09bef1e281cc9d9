import { describe, expect, test } from 'vitest';
import { ownHosts } from './own-hosts.ts';

const check = ownHosts(['Kontor', 'pay.test']);

describe('a sandbox answers to', () => {
  test.each([
    undefined,
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    '127.0.0.1',
    '127.0.0.1:8080',
    '192.168.1.7:80',
    '[::1]',
    '[::1]:8080',
    '[2001:db8::1]:443',
    'kontor:8080',
    'KONTOR',
    'pay.test',
  ])('%s', (host) => {
    expect(check(host)).toBeUndefined();
  });
});

describe('a sandbox refuses', () => {
  test.each([
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.localhost',
    'evil.example.localhost.',
    '127.0.0.1@evil.example',
    '[::1].evil.example',
    '[::1',
    '::1',
    '[127.0.0.1]',
    'localhost:80:80',
    'localhost:',
    'a.pay.test',
    'pay.test..',
  ])('%j', (host) => {
    expect(check(host)).toMatchObject({ code: 'inputerror', problems: [{ name: 'Host' }] });
  });
});
